import cytoscape from 'cytoscape'
import { expect, it, vi } from 'vitest'
import { attachConnecting } from './connecting.ts'

function canvas() {
  const elements = ['a', 'b', 'c'].map((id) => ({ data: { id } }))
  const cy = cytoscape({ headless: true, styleEnabled: true, elements })
  const onConnect = vi.fn()
  const connecting = attachConnecting(cy, onConnect)
  const styled: string[] = []
  cy.on('style', 'node', ({ target }) => styled.push(target.id()))
  const on = (id: string, name: string, position = { x: 0, y: 0 }) =>
    cy.getElementById(id).emit({ type: name, position } as never)
  return { cy, connecting, onConnect, styled, on }
}

it('a press, or a pointer that passes over a node, has no node drawn anew', () => {
  const { cy, on, styled, onConnect } = canvas()
  on('a', 'tapstart')
  on('b', 'tapdragover')
  on('b', 'tapdragout')
  on('a', 'tapend')
  cy.emit('tapend')
  expect(styled).toEqual([])
  expect(onConnect).not.toHaveBeenCalled()
})

it('a drag from node to node in connect mode marks what it would reach, and reports the pair', () => {
  const { cy, connecting, on, onConnect } = canvas()
  const marked = () => cy.nodes('.connect-target').map((node) => node.id())
  connecting.setEnabled(true)
  on('a', 'tapstart')
  on('b', 'tapdragover')
  on('b', 'tapdragout')
  on('c', 'tapdragover')
  expect(marked()).toEqual(['c'])
  on('c', 'tapend')
  expect(onConnect).toHaveBeenCalledExactlyOnceWith('a', 'c')
  expect(marked()).toEqual([])
  expect(cy.elements().map((element) => element.id())).toEqual(['a', 'b', 'c'])
  // Turned off in the middle of a drag: nothing is left of it.
  on('a', 'tapstart')
  on('b', 'tapdragover')
  connecting.setEnabled(false)
  on('b', 'tapend')
  expect(onConnect).toHaveBeenCalledOnce()
  expect(marked()).toEqual([])
  expect(cy.elements()).toHaveLength(3)
})
