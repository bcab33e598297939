import { expect, it } from 'vitest'
import { resized } from './column-widths.ts'

const heads: readonly [string, number][] = [
  ['name', 200],
  ['people', 90],
  ['folded', 0],
  ['text', 4_000],
  ['note', 150],
  ['more', 0],
]

it('holds the columns in sight at what they are when one gets another width', () => {
  const first = resized(new Map(), heads, ['people', 120])
  expect(Object.fromEntries(first)).toEqual({ name: 200, people: 120 })
  const wider = heads.map(([id, width]): [string, number] => [id, width || 70])
  const next = resized(first, wider, ['name', 180])
  expect(Object.fromEntries(next)).toEqual({ name: 180, people: 90, folded: 70, note: 150 })
})

it('holds what just fits a column at no less than that', () => {
  const held = resized(
    new Map(),
    [
      ['name', 161.2],
      ['people', 86.5],
      ['note', 150],
    ],
    ['people', 90],
  )
  expect(Object.fromEntries(held)).toEqual({ name: 162, people: 90 })
})

it('leaves what is left to the last in sight, until that is given a width', () => {
  const last = resized(new Map(), heads, ['note', 140])
  expect(Object.fromEntries(last)).toEqual({ name: 200, people: 90, note: 140 })
})

it('gives one its own width again, and leaves the others', () => {
  const widths = new Map([
    ['name', 200],
    ['people', 120],
  ])
  expect([...resized(widths, heads, ['people', undefined])]).toEqual([['name', 200]])
  expect(resized(new Map(), heads, ['people', undefined]).size).toBe(0)
})
