import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { arrayCatalog, arrayView, type EdgeArrays } from '../../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../../test/fixtures/query-runner.ts'

/** A graph in which vertex v has v % 12 edges, so that sets of every density exist. */
function randomEdges(vertexCount: number): EdgeArrays {
  const random = createRandom(7)
  const pairs: [number, number][] = []
  for (let source = 0; source < vertexCount; source++) {
    const targets = new Set<number>()
    for (let i = 0; i < source % 12; i++) targets.add(random.below(vertexCount))
    for (const target of [...targets].sort((a, b) => a - b)) pairs.push([source, target])
  }
  const number = (bound: number) => Float64Array.from(pairs, () => random.below(bound))
  return {
    vertexCount,
    sources: Uint32Array.from(pairs, ([source]) => source),
    targets: Uint32Array.from(pairs, ([, target]) => target),
    weights: number(256),
    amounts: number(1000),
    sinces: number(10_000),
  }
}

const edges = randomEdges(3000)
const runner = new QueryRunner(arrayCatalog, () => arrayView(edges))
const run = (body: string) => (runner.run(body) as Record<string, unknown>[])[0]!

/** Distinct targets of the sources that satisfy a condition, by hand. */
function targetsOf(isSource: (row: number) => boolean, isTarget: (row: number) => boolean): number {
  const found = new Set<number>()
  edges.sources.forEach((source, i) => {
    const target = edges.targets[i]!
    if (isSource(source) && isTarget(target)) found.add(target)
  })
  return found.size
}

const ageOf = (row: number) => (row * 7) % 100

describe('SELECT of the targets alone', () => {
  it.each([0, 1, 3, 20, 60, 100])('from sources younger than %i, few or most', (age) => {
    const row = run(`S = SELECT s FROM V:s WHERE s.age < ${age}; T = SELECT t FROM S:s -(E>)- V:t;
      F = SELECT t FROM S:s -(E>)- V:t WHERE t.age >= 50; B = SELECT t FROM S:s -(<E)- V:t;
      I = SELECT t FROM S:s -(E>)- S:t; PRINT T.size() AS t, F.size() AS f, B.size() AS b, I.size() AS i;`)
    const young = (v: number) => ageOf(v) < age
    const backwards = new Set([...edges.sources].filter((_, i) => young(edges.targets[i]!)))
    expect(row).toEqual({
      t: targetsOf(young, () => true),
      f: targetsOf(young, (target) => ageOf(target) >= 50),
      b: backwards.size,
      i: targetsOf(young, young),
    })
  })
})

describe('sums over the edges alone', () => {
  it.each([
    [
      'e.weight > 100 AND e.amount < 500',
      (i: number) => edges.weights[i]! > 100 && edges.amounts[i]! < 500,
    ],
    [
      'e.weight == 1 OR NOT e.since > epoch_to_datetime(9000)',
      (i: number) => edges.weights[i] === 1 || edges.sinces[i]! <= 9000,
    ],
    [
      'e.weight BETWEEN 10 AND 20',
      (i: number) => edges.weights[i]! >= 10 && edges.weights[i]! <= 20,
    ],
    ['true', () => true],
  ])('where %s', (condition, matches) => {
    const sums = 'ACCUM @@n += 1, @@w += e.weight, @@most += e.amount'
    const row = run(`SumAccum<INT> @@n, @@w; MaxAccum<DOUBLE> @@most; A = {V.*};
      X = SELECT s FROM A:s -(E>:e)- V:t WHERE ${condition} ${sums};
      A = SELECT s FROM A:s WHERE s.age < 30; X = SELECT s FROM A:s -(E>:e)- V:t WHERE ${condition} ${sums};
      PRINT @@n, @@w, @@most;`)
    const rows = [...edges.sources.keys()].filter(matches)
    const young = rows.filter((i) => ageOf(edges.sources[i]!) < 30)
    const both = [...rows, ...young]
    expect(row).toEqual({
      '@@n': both.length,
      '@@w': both.reduce((sum, i) => sum + edges.weights[i]!, 0),
      '@@most': Math.max(...rows.map((i) => edges.amounts[i]!)),
    })
  })
})
