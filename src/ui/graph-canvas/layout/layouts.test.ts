import cytoscape from 'cytoscape'
import { expect, it } from 'vitest'
import type { LayoutName } from '../scene.ts'
import { computeLayout } from './layouts.ts'

function canvas() {
  return cytoscape({
    headless: true,
    styleEnabled: true,
    layout: { name: 'preset' },
    elements: [
      ...['a', 'b', 'c', 'd', 'e'].map((id, place) => ({
        data: { id, color: 'red', size: 28, ...(id === 'b' && { pinned: true }) },
        position: { x: 900 + place, y: 900 },
      })),
      ...['ab', 'bc', 'ad', 'de'].map((id) => ({
        data: { id, source: id[0] as string, target: id[1] as string },
      })),
    ],
  })
}

const layouts: readonly LayoutName[] = ['hierarchy', 'concentric', 'radial', 'grid']

it.each(layouts)('%s moves all but what is pinned', async (name) => {
  const cy = canvas()
  const before = new Map(cy.nodes().map((node) => [node.id(), { ...node.position() }]))
  const after = await computeLayout(cy, name, new AbortController().signal)
  expect(after.get('b')).toEqual({ x: 901, y: 900 })
  expect([...after].filter(([id, at]) => before.get(id)?.x !== at.x).length).toBeGreaterThan(2)
  expect(new Map(cy.nodes().map((node) => [node.id(), { ...node.position() }]))).toEqual(before)
})
