import { describe, expect, it } from 'vitest'
import type { VectorMetric } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { catalogOf, engineWith, FrameBuilder, vertexType } from '../../../test/fixtures/engine.ts'
import { vectorAt } from '../columns/read.ts'
import { isSet } from '../memory/bits.ts'
import type { VertexTableView } from '../view.ts'
import { distanceFrom, vectorDistance } from './distance.ts'
import { Nearest } from './nearest.ts'
import { scanVectors } from './search.ts'

const METRICS: readonly VectorMetric[] = ['COSINE', 'L2', 'IP']

function catalogWith(dimension: number, metric: VectorMetric) {
  const vector = { id: 1, name: 'emb', type: { kind: 'VECTOR', dimension, metric } } as const
  return catalogOf([vertexType(1, 'V', { vectors: [vector], nextAttributeId: 2 })])
}

interface Asked {
  readonly metric: VectorMetric
  readonly query: readonly number[]
  readonly k: number
  /** Which rows may be found. */
  readonly isCandidate: (row: number) => boolean
}

/** Distances and rows by a plain sort of everything. */
function sortedAll(table: VertexTableView, { metric, query, k, isCandidate }: Asked): string[] {
  const column = table.columns[0]!
  const left = { data: Float64Array.from(query), start: 0, length: query.length }
  const found: (readonly [distance: number, row: number])[] = []
  for (let row = 0; row < table.rowCount; row++) {
    const values = vectorAt(column, row)
    if (isSet(table.deleted, row) || values.length === 0 || !isCandidate(row)) continue
    const right = { data: Float32Array.from(values), start: 0, length: values.length }
    found.push([vectorDistance(metric, left, right), row])
  }
  found.sort(([d, row], [e, other]) => d - e || row - other)
  return found.slice(0, k).map(([distance, row]) => `${row} ${distance}`)
}

function searched(table: VertexTableView, { metric, query, k, isCandidate }: Asked): string[] {
  const rows = new Uint32Array(Math.ceil(table.rowCount / 32))
  for (let row = 0; row < table.rowCount; row++) {
    if (!isSet(table.deleted, row) && isCandidate(row)) rows[row >>> 5]! |= 1 << (row & 31)
  }
  const nearest = new Nearest(k)
  const distance = distanceFrom(metric, Float64Array.from(query))
  const column = table.columns[0]!
  let looked = 0
  const look = (count: number) => {
    looked += count
  }
  const dimension = query.length
  scanVectors({ column, dimension, distance, rows, base: 0, look }, nearest)
  const candidates = rows.reduce(
    (sum, word) => sum + [...word.toString(2)].filter((bit) => bit === '1').length,
    0,
  )
  expect(looked).toBe(candidates)
  const { numbers, distances } = nearest.sorted()
  return Array.from(numbers, (row, index) => `${row} ${distances[index]}`)
}

describe('the search for the nearest vectors', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 33])(
    'finds what a plain sort finds, with %i numbers',
    async (dimension) => {
      const random = createRandom(dimension)
      // Few different values, so that many are equally near.
      const some = () => Array.from({ length: dimension }, () => Math.floor(random.next() * 5) - 2)
      const any = () => Array.from({ length: dimension }, () => random.next() * 2 - 1)
      const catalog = catalogWith(dimension, 'L2')
      const engine = await engineWith(catalog)
      const frame = new FrameBuilder(catalog)
      for (let i = 0; i < 300; i++) {
        const roll = random.next()
        frame.vertex('V', `v${i}`, roll < 0.1 ? {} : { emb: roll < 0.6 ? some() : any() })
      }
      await engine.commit(frame.finish())
      const deletes = new FrameBuilder(catalog)
      for (let i = 0; i < 300; i += 7) deletes.deleteVertex('V', `v${i}`)
      await engine.commit(deletes.finish())
      const [table] = engine.view().vertexTables
      for (const metric of METRICS) {
        for (const k of [1, 2, 10, 299, 1000]) {
          for (const isCandidate of [() => true, (row: number) => row % 3 === 1]) {
            const asked = { metric, query: random.next() < 0.5 ? some() : any(), k, isCandidate }
            expect(searched(table!, asked)).toEqual(sortedAll(table!, asked))
          }
        }
      }
      await engine.close()
    },
  )
})

describe('the nearest', () => {
  it('are found behind one whose distance is no number', () => {
    const nearest = new Nearest(2)
    for (const [number, distance] of [Number.NaN, 5, 1, Number.NaN, 3].entries()) {
      nearest.offer(distance, number)
    }
    expect([...nearest.sorted().numbers]).toEqual([2, 4])
  })
})

describe('distances', () => {
  const span = (...values: number[]) => ({
    data: Float64Array.from(values),
    start: 0,
    length: values.length,
  })

  it('are 0 from a vector to itself, whatever its numbers', () => {
    const random = createRandom(5)
    for (let i = 0; i < 200; i++) {
      const values = Array.from({ length: 1 + (i % 9) }, () => Math.fround(random.next() - 0.5))
      const inColumn = distanceFrom('COSINE', Float64Array.from(values))
      expect(vectorDistance('COSINE', span(...values), span(...values))).toBe(0)
      expect(inColumn(Float32Array.from(values), 0)).toBe(0)
      expect(vectorDistance('L2', span(...values), span(...values))).toBe(0)
    }
  })

  it('are those of the textbook', () => {
    const [a, b] = [span(1, 0, 2), span(3, 4, -1)]
    expect(vectorDistance('COSINE', a, b)).toBeCloseTo(1 - 1 / Math.sqrt(5 * 26), 12)
    expect(vectorDistance('L2', a, b)).toBeCloseTo(Math.sqrt(4 + 16 + 9), 12)
    expect(vectorDistance('IP', a, b)).toBe(0)
    expect(vectorDistance('COSINE', a, span(-1, 0, -2))).toBe(2)
    expect(vectorDistance('COSINE', a, span(0, 0, 0))).toBe(1)
  })
})
