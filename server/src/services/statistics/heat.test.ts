import { expect, it } from 'vitest'
import { HEAT_BOUNDS_MS } from '#contract/statistics.ts'
import { countInto, newCell } from './cell.ts'
import { heatOf } from './heat.ts'

const cellOf = (latencies: readonly number[]) => {
  const cell = newCell()
  for (const latencyMs of latencies) {
    const sample = { key: 'GET /x', graph: null, fromConsole: false, outcome: 'done', latencyMs }
    countInto(cell, sample as Parameters<typeof countInto>[1])
  }
  return cell
}

it('counts every latency once, in the band it belongs to', () => {
  const { boundsMs, cells } = heatOf([cellOf([0.05, 3, 3.1]), cellOf([]), cellOf([900_000])])
  expect(boundsMs).toEqual(HEAT_BOUNDS_MS)
  const five = HEAT_BOUNDS_MS.indexOf(5)
  expect(cells).toEqual([0, 0, 1, 0, five, 2, 2, HEAT_BOUNDS_MS.length, 1])
})
