import type { Core } from 'cytoscape'
import { expect, it } from 'vitest'
import { attachNearPointer, isNear } from './near-pointer.ts'

/** An element of the renderer, with the private part that says where an edge runs. */
type Placed = Parameters<typeof isNear>[0] & { readonly _private: { readonly rscratch: object } }

const node = (x: number, y: number, size = 20): Placed => ({
  isNode: () => true,
  position: () => ({ x, y }),
  outerWidth: () => size,
  outerHeight: () => size,
  _private: { rscratch: {} },
})

const edge = (...allpts: number[]): Placed => ({
  ...node(0, 0),
  isNode: () => false,
  _private: { rscratch: { allpts } },
})

it('a node is near within its half and the reach, on both axes', () => {
  expect(isNear(node(100, 0), { x: 85, y: 0 }, 5)).toBe(true)
  expect(isNear(node(100, 0), { x: 84, y: 0 }, 5)).toBe(false)
  expect(isNear(node(100, 0), { x: 100, y: 16 }, 5)).toBe(false)
})

it('an edge is near in the box around its ends and its bend', () => {
  expect(isNear(edge(0, 0, 50, 90, 100, 0), { x: 50, y: 80 }, 5)).toBe(true)
  expect(isNear(edge(0, 0, 100, 0), { x: 50, y: 80 }, 5)).toBe(false)
  expect(isNear(edge(100, 0, 0, 0), { x: 50, y: 4 }, 5)).toBe(true)
})

it('an edge whose way is not known yet is left to a closer look', () => {
  const unknown = { ...edge(), _private: { rscratch: { allpts: null } } }
  expect(isNear(unknown, { x: 1e9, y: 0 }, 5)).toBe(true)
})

it('the search is given those near, and the list is whole again after it, also after an error', () => {
  const all = [node(0, 0), node(500, 0), edge(0, 0, 500, 0), edge(900, 900, 950, 950)]
  const sorted = { interactive: all as readonly Placed[] }
  const seen: (readonly Placed[])[] = []
  let fails = false
  const renderer = {
    getCachedZSortedEles: () => sorted,
    findNearestElements: (..._: unknown[]) => {
      seen.push(sorted.interactive)
      if (fails) throw new Error('of the library')
      return [sorted.interactive[0]]
    },
  }
  attachNearPointer({ renderer: () => renderer, zoom: () => 1 } as unknown as Core)
  expect(renderer.findNearestElements(5, 5, true, false)).toEqual([all[0]])
  expect(seen).toEqual([[all[0], all[2]]])
  expect(sorted.interactive).toBe(all)
  fails = true
  expect(() => renderer.findNearestElements(5, 5, true, false)).toThrow('of the library')
  expect(sorted.interactive).toBe(all)
})
