import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { arrayCatalog, arrayView, type EdgeArrays } from '../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'

/** A sparse random graph of several components, with weights from 1. */
function sparseGraph(vertexCount: number, edgeCount: number): EdgeArrays {
  const random = createRandom(11)
  const keys = new Set<number>()
  while (keys.size < edgeCount) {
    const source = random.below(vertexCount)
    keys.add(source * vertexCount + random.below(vertexCount))
  }
  const sorted = [...keys].sort((a, b) => a - b)
  const weights = sorted.map(() => 1 + random.below(9))
  return {
    vertexCount,
    sources: Uint32Array.from(sorted, (key) => Math.floor(key / vertexCount)),
    targets: Uint32Array.from(sorted, (key) => key % vertexCount),
    weights,
    amounts: weights,
    sinces: weights,
  }
}

const graph = sparseGraph(2000, 2300)
const runner = new QueryRunner(arrayCatalog, () => arrayView(graph))
const run = (body: string) => (runner.run(body) as Record<string, unknown>[])[0]!
const edges = [...graph.sources].map((s, i) => [s, graph.targets[i]!, graph.weights[i]!] as const)

function componentsByHand(): number {
  const parent = Array.from({ length: graph.vertexCount }, (_, i) => i)
  const find = (v: number): number => (parent[v] === v ? v : find(parent[v]!))
  for (const [a, b] of edges) parent[find(a)] = find(b)
  return parent.filter((p, v) => p === v).length
}

function distancesByHand(start: number, weighted: boolean): number[] {
  const distances = new Array<number>(graph.vertexCount).fill(Number.POSITIVE_INFINITY)
  distances[start] = 0
  for (let changed = true; changed; ) {
    changed = false
    for (const [a, b, w] of edges) {
      const next = distances[a]! + (weighted ? w : 1)
      if (next < distances[b]!) {
        distances[b] = next
        changed = true
      }
    }
  }
  return distances
}

describe('algorithms agree with loops written by hand', () => {
  it('weakly connected components, by the smallest number', () => {
    const row = run(`MinAccum<INT> @id; MapAccum<INT, INT> @@sizes; OrAccum @changed;
      All = {V.*};
      S = SELECT v FROM All:v POST-ACCUM v.@id = getvid(v);
      WHILE S.size() > 0 LIMIT 5000 DO
        S = SELECT t FROM S:s -((E>|<E):e)- V:t WHERE s.@id < t.@id
          ACCUM t.@id += s.@id POST-ACCUM t.@changed = true;
      END;
      All = SELECT v FROM All:v POST-ACCUM @@sizes += (v.@id -> 1);
      PRINT @@sizes.size() AS n;`)
    expect(row['n']).toBe(componentsByHand())
  })

  it.each([false, true])('shortest paths from one vertex, with weights: %s', (weighted) => {
    const start = graph.sources[0]!
    const row = run(`MinAccum<INT> @d; OrAccum @seen; SumAccum<INT> @@sum; MaxAccum<INT> @@far;
      S = SELECT v FROM V:v WHERE getvid(v) == ${start} POST-ACCUM v.@d = 0, v.@seen = true;
      R = S;
      WHILE S.size() > 0 DO
        S = SELECT t FROM S:s -(E>:e)- V:t WHERE t.@d > s.@d + ${weighted ? 'e.weight' : '1'}
          ACCUM t.@d += s.@d + ${weighted ? 'e.weight' : '1'};
        R = R UNION S;
      END;
      R = SELECT v FROM R:v POST-ACCUM @@sum += v.@d, @@far += v.@d;
      PRINT R.size() AS n, @@sum AS sum, @@far AS far;`)
    const reached = distancesByHand(start, weighted).filter(Number.isFinite)
    expect(row).toEqual({
      n: reached.length,
      sum: reached.reduce((sum, d) => sum + d, 0),
      far: Math.max(...reached),
    })
  })

  it('the most frequent degree, through maps and heaps', () => {
    const row = run(`MapAccum<INT, INT> @@count; TYPEDEF TUPLE<INT degree, INT times> Row;
      HeapAccum<Row>(3, times DESC, degree ASC) @@top;
      All = {V.*};
      All = SELECT v FROM All:v POST-ACCUM @@count += (v.outdegree("E") -> 1);
      FOREACH (degree, times) IN @@count DO @@top += Row(degree, times); END;
      PRINT @@top;`)
    const degrees = new Array<number>(graph.vertexCount).fill(0)
    for (const [source] of edges) degrees[source]!++
    const times = new Map<number, number>()
    for (const degree of degrees) times.set(degree, (times.get(degree) ?? 0) + 1)
    const best = [...times]
      .map(([degree, count]) => ({ degree, times: count }))
      .sort((a, b) => b.times - a.times || a.degree - b.degree)
    expect(row['@@top']).toEqual(best.slice(0, 3))
  })

  it('common targets of pairs, through sets kept per vertex', () => {
    const row = run(`SetAccum<VERTEX> @out; SumAccum<INT> @@shared;
      S = SELECT s FROM V:s -(E>)- V:t ACCUM s.@out += t;
      S = SELECT s FROM V:s -(E>)- V:t
        ACCUM FOREACH x IN s.@out DO IF t.@out.contains(x) THEN @@shared += 1 END END;
      PRINT @@shared;`)
    const out = new Map<number, Set<number>>()
    for (const [a, b] of edges) out.set(a, (out.get(a) ?? new Set()).add(b))
    let shared = 0
    for (const [a, b] of edges) for (const x of out.get(a)!) if (out.get(b)?.has(x)) shared++
    expect(row['@@shared']).toBe(shared)
  })
})
