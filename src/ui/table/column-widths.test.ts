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
  const first = resized({}, heads, ['people', 120])
  expect({ ...first }).toEqual({ name: 200, people: 120 })
  const wider = heads.map(([id, width]): [string, number] => [id, width || 70])
  const next = resized(first, wider, ['name', 180])
  expect({ ...next }).toEqual({ name: 180, people: 90, folded: 70, note: 150 })
})

it('holds what just fits a column at no less than that', () => {
  const held = resized(
    {},
    [
      ['name', 161.2],
      ['people', 86.5],
      ['note', 150],
    ],
    ['people', 90],
  )
  expect({ ...held }).toEqual({ name: 162, people: 90 })
})

it('leaves what is left to the last in sight, until that is given a width', () => {
  const last = resized({}, heads, ['note', 140])
  expect({ ...last }).toEqual({ name: 200, people: 90, note: 140 })
})

it('takes any name for a column', () => {
  const widths = resized({}, [], ['__proto__', 90])
  expect(Object.entries(widths)).toEqual([['__proto__', 90]])
  expect('constructor' in widths).toBe(false)
})
