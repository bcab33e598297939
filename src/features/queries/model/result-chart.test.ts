import { expect, it } from 'vitest'
import type { TablePart } from './result.ts'
import { BARS_MAX, barsOf, labelColumn, numericColumns, placed, spreadOf } from './result-chart.ts'

const part = (rows: TablePart['rows']): TablePart => ({
  kind: 'table',
  name: 'Ranks',
  columns: [...new Set(rows.flatMap((row) => Object.keys(row)))],
  rows,
})

const ranks = part([
  { v_id: 'a', score: 0.5, visits: 18446744073709551615n, note: null },
  { v_id: 'b', score: -1.5, visits: 3 },
  { v_id: 'c', score: Number.NaN, visits: 4 },
])

it('tells columns of numbers from those that name the rows', () => {
  expect(numericColumns(ranks)).toEqual(['visits'])
  expect(labelColumn(ranks)).toBe('v_id')
  expect(labelColumn(part([{ value: 3 }]))).toBe('value')
})

it('has a bar for each row with a number, exact in words', () => {
  expect(barsOf(ranks, 'v_id', 'visits')[0]).toMatchObject({
    label: 'a',
    text: '18446744073709551615',
  })
  expect(barsOf(ranks, 'v_id', 'score').map(({ label }) => label)).toEqual(['a', 'b'])
  const many = part(Array.from({ length: 80 }, (_, value) => ({ value })))
  expect(barsOf(many, 'value', 'value')).toHaveLength(BARS_MAX)
})

it('places bars on an axis that has zero on it', () => {
  const ends = placed(barsOf(ranks, 'v_id', 'score')).map(({ from, to }) => [from, to])
  expect(ends).toEqual([
    [0.75, 1],
    [0, 0.75],
  ])
  expect(placed([{ label: 'x', value: 0, text: '0' }])[0]).toMatchObject({ from: 0, to: 0 })
})

it('spreads every value over parts of the range', () => {
  const dice = part([1, 2, 2, 6].map((value) => ({ value })))
  expect(spreadOf(dice, 'value').map(({ label, value }) => `${label}: ${value}`)).toEqual([
    '1: 1',
    '2: 2',
    '3: 0',
    '4: 0',
    '5: 0',
    '6: 1',
  ])
  for (const values of [[0.1, 0.25, 9.7], [5], [-7, 1_000_003], [2.5, 2.5]]) {
    const bars = spreadOf(part(values.map((value) => ({ value }))), 'value')
    expect(bars.reduce((sum, { value }) => sum + value, 0)).toBe(values.length)
    expect(bars.length).toBeLessThanOrEqual(20)
  }
  expect(spreadOf(part([{ value: 'x' }]), 'value')).toEqual([])
})
