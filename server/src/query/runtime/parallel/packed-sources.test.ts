/** Packed sources: where they lie, when they are made, and that no sum has other bits with them. */
import { describe, expect, it } from 'vitest'
import type { GraphView } from '#graph/view.ts'
import { createRandom } from '#kernel/prng.ts'
import { arrayCatalog, arrayView } from '../../../../test/fixtures/array-view.ts'
import { QueryRunner, type RunSettings } from '../../../../test/fixtures/query-runner.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { RunControl } from '../control.ts'
import { KeptPackings, packingFunctions, packingKey } from './packed-sources.ts'

const offsets = Uint32Array.of(0, 1, 1, 6, 8, 9, 16)
const ends = new Uint32Array(16)

const packing = (limitBytes: number, fromRows = 0, kept = new KeptPackings()) =>
  packingFunctions(new MemoryBudget(limitBytes), fromRows, kept)

describe('the sources of edges', () => {
  it('stand by classes of their degree, then by row', () => {
    const { rowsBySlot, slotsByRow } = packing(1000)
    expect(rowsBySlot(offsets, ends, 6, '1 in')).toBeNull()
    expect(rowsBySlot(offsets, ends, 6, '1 in')).toEqual(Uint32Array.of(2, 5, 3, 0, 4))
    expect(slotsByRow(ends)).toEqual(Uint32Array.of(3, 0, 0, 2, 4, 1))
  })

  it('are packed once, when they are met for the second time', () => {
    const { rowsBySlot, needsEnds, keepEnds, slottedEnds } = packing(1000)
    rowsBySlot(offsets, ends, 6, '1 in')
    const order = rowsBySlot(offsets, ends, 6, '1 in')
    expect(needsEnds(ends)).toBe(true)
    keepEnds(ends, '1 in')
    expect(needsEnds(ends)).toBe(false)
    expect(slottedEnds(ends)).toHaveLength(ends.length)
    expect(rowsBySlot(offsets, ends, 6, '1 in')).toBe(order)
  })

  it('stay where they are when they are few, or memory is', () => {
    const few = packing(1000, 7)
    const short = packing(100)
    for (let time = 0; time < 3; time++) {
      expect(few.rowsBySlot(offsets, ends, 6, '1 in')).toBeNull()
      expect(short.rowsBySlot(offsets, ends, 6, '1 in')).toBeNull()
    }
  })
})

describe('packings that a thread keeps', () => {
  const bytes = (6 * 2 + 16) * 4
  /** @returns whether a run finds the packing of a base at once, and makes it if it is told to */
  function meets(kept: KeptPackings, key: string, makes: boolean): boolean {
    const { rowsBySlot, keepEnds } = packing(1000, 0, kept)
    const isKept = rowsBySlot(offsets, ends, 6, key) !== null
    rowsBySlot(offsets, ends, 6, key)
    if (makes) keepEnds(ends, key)
    return isKept
  }

  it('are there for the next run once all slots of the ends are written', () => {
    const kept = new KeptPackings()
    expect(meets(kept, '1 in', false)).toBe(false)
    expect(meets(kept, '1 in', true)).toBe(false)
    expect(meets(kept, '1 in', false)).toBe(true)
    expect(meets(kept, '1 out', false)).toBe(false)
    const { rowsBySlot, needsEnds } = packing(0, 0, kept)
    expect(rowsBySlot(offsets, ends, 6, '1 in')).not.toBeNull()
    expect(needsEnds(ends)).toBe(false)
  })

  it('make room for newer ones, and are not kept when they are too large', () => {
    const kept = new KeptPackings(bytes * 2)
    for (const key of ['1 in', '2 in', '3 in']) meets(kept, key, true)
    expect(['1 in', '2 in', '3 in'].map((key) => kept.find(key) !== null)).toEqual([
      false,
      true,
      true,
    ])
    const small = new KeptPackings(bytes - 1)
    meets(small, '1 in', true)
    expect(small.find('1 in')).toBeNull()
  })

  it('are dropped when the graph has another base', () => {
    const kept = new KeptPackings()
    const [, key] = [true, false].map((out) => packingKey(adjacencyOf(view), out))
    meets(kept, key!, true)
    kept.keepFor(view)
    expect(kept.find(key!)).not.toBeNull()
    kept.keepFor(randomView())
    expect(kept.find(key!)).toBeNull()
  })
})

const VERTICES = 2_000

function randomView() {
  const random = createRandom(5)
  const pairs: [number, number][] = []
  for (let source = 0; source < VERTICES; source++) {
    const targets = new Set<number>()
    for (let i = 0; i < (source * source) % 23; i++) targets.add(random.below(VERTICES))
    for (const target of [...targets].sort((a, b) => a - b)) pairs.push([source, target])
  }
  const values = pairs.map(() => 1)
  return arrayView({
    vertexCount: VERTICES,
    sources: Uint32Array.from(pairs, ([source]) => source),
    targets: Uint32Array.from(pairs, ([, target]) => target),
    weights: values,
    amounts: values,
    sinces: values,
  })
}

const view = randomView()
const adjacencyOf = ({ edgeTables }: GraphView) => edgeTables[0]!.adjacencies[0]!
const runner = new QueryRunner(arrayCatalog, () => view)

const rounds = (select: string) => `
  SumAccum<DOUBLE> @received; SumAccum<DOUBLE> @rank = 1; AvgAccum @mean; All = {V.*};
  FOREACH i IN RANGE [1, 5] DO
    S = SELECT s FROM All:s ${select};
    All = SELECT s FROM All:s POST-ACCUM s.@rank = 0.15 + 0.85 * s.@received, s.@received = 0;
  END;
  PRINT All[All.@rank AS rank, All.@mean AS mean];`

const ranks = (edge: string, degree: string) =>
  rounds(`-(${edge}:e)- V:t ACCUM t.@received += s.@rank / ${degree}, t.@mean += s.@rank * 3`)
const filtered = rounds(
  '-(E>:e)- V:t WHERE s.score * 0.9 < t.age ACCUM t.@received += s.@rank * 0.1, t.@mean += s.score - 1',
)

function answer(body: string, settings: RunSettings = {}) {
  const control = new RunControl()
  const text = runner.json(body, { ...settings, control })
  return { text, edges: control.counters().edges }
}

describe('gathering over packed sources', () => {
  it.each([
    ['along the edges', ranks('E>', 's.outdegree("E")')],
    ['against them', ranks('<E', '(s.age + 1)')],
    ['with a condition on both ends', filtered],
  ])('gives the bits that reading by row gives, %s', (_way, body) => {
    const byRow = answer(body)
    const packed = answer(body, { segmentItems: 64 })
    expect(packed).toEqual(byRow)
  })

  it('fails where a divisor is zero', () => {
    const body = ranks('E>', '(s.age - 7)')
    expect(() => answer(body, { segmentItems: 64 })).toThrow('divider is zero')
    expect(() => answer(body)).toThrow('divider is zero')
  })
})
