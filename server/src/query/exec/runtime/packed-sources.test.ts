/** Packed sources: where they lie, when they are made, and that no sum has other bits with them. */
import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { arrayCatalog, arrayView } from '../../../../test/fixtures/array-view.ts'
import { QueryRunner, type RunSettings } from '../../../../test/fixtures/query-runner.ts'
import { RunControl } from './control.ts'
import { MemoryBudget } from './memory.ts'
import { packingFunctions } from './packed-sources.ts'

const offsets = Uint32Array.of(0, 1, 1, 6, 8, 9, 16)
const ends = new Uint32Array(16)

describe('the sources of edges', () => {
  it('stand by classes of their degree, then by row', () => {
    const { rowsBySlot, slotsByRow } = packingFunctions(new MemoryBudget(1000), 0)
    expect(rowsBySlot(offsets, ends, 6)).toBeNull()
    expect(rowsBySlot(offsets, ends, 6)).toEqual(Uint32Array.of(2, 5, 3, 0, 4))
    expect(slotsByRow(ends)).toEqual(Uint32Array.of(3, 0, 0, 2, 4, 1))
  })

  it('are packed once, and by the first who is asked', () => {
    const { rowsBySlot, fillsEnds, slottedEnds } = packingFunctions(new MemoryBudget(1000), 0)
    rowsBySlot(offsets, ends, 6)
    const order = rowsBySlot(offsets, ends, 6)
    expect([fillsEnds(ends), fillsEnds(ends)]).toEqual([true, false])
    expect(slottedEnds(ends)).toHaveLength(ends.length)
    expect(rowsBySlot(offsets, ends, 6)).toBe(order)
  })

  it('stay where they are when they are few, or memory is', () => {
    const few = packingFunctions(new MemoryBudget(1000), 7)
    const short = packingFunctions(new MemoryBudget(100), 0)
    for (let time = 0; time < 3; time++) {
      expect(few.rowsBySlot(offsets, ends, 6)).toBeNull()
      expect(short.rowsBySlot(offsets, ends, 6)).toBeNull()
    }
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
