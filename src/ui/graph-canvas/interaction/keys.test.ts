import { expect, it, vi } from 'vitest'
import { canvasKey, type KeyContext, type KeyPress } from './keys.ts'

const press = (key: string, ctrlKey = false): KeyPress => ({
  key,
  ctrlKey,
  shiftKey: false,
  metaKey: false,
})

function context(cursor: string | null): KeyContext {
  const nodes = [{ id: 'a' }, { id: 'b' }] as unknown as KeyContext['scene']['nodes']
  return {
    scene: { nodes, edges: [] },
    selection: [],
    cursor,
    engine: null,
    events: { onSelect: vi.fn(), onOpen: vi.fn(), onMenu: vi.fn() },
    setCursor: vi.fn(),
  }
}

it('selects and opens while the picture is not there yet', () => {
  const at = context('b')
  expect(canvasKey(press('a', true), at)).toBe(true)
  expect(at.events.onSelect).toHaveBeenLastCalledWith(['a', 'b'])
  expect(canvasKey(press(' '), at)).toBe(true)
  expect(at.events.onSelect).toHaveBeenLastCalledWith(['b'])
  expect(canvasKey(press('Enter'), at)).toBe(true)
  expect(at.events.onOpen).toHaveBeenCalledWith('b')
})

it('does by Enter what the page wants of it, where that is not what a double click does', () => {
  const at = context('b')
  const onEnter = vi.fn()
  expect(canvasKey(press('Enter'), { ...at, events: { ...at.events, onEnter } })).toBe(true)
  expect(onEnter).toHaveBeenCalledWith('b')
  expect(at.events.onOpen).not.toHaveBeenCalled()
})

it('keeps keys about the picture from the browser until it is there', () => {
  const at = context('a')
  for (const key of ['+', '-', '0', 'ArrowLeft', 'ContextMenu']) {
    expect(canvasKey(press(key), at), key).toBe(true)
  }
  expect(at.setCursor).not.toHaveBeenCalled()
  expect(at.events.onMenu).not.toHaveBeenCalled()
  const without = context(null)
  canvasKey(press('ArrowRight'), without)
  expect(without.setCursor).toHaveBeenCalledWith('a')
})
