/**
 * SAMPLE chooses at random, so the oracle does not say which edges are met; what can be said is that
 * they are edges that there are, each once, and how many (docs/reference/gsql/select.md#sample).
 */
import { describe, expect, it } from 'vitest'
import { Dice } from './dice.ts'
import { randomGraph } from './graph-maker.ts'
import { endsOf, type GraphSpec } from './graph-spec.ts'
import { openGraph } from './open-graph.ts'
import { askedOracle, compare, prepare, runnerOf } from './pair.ts'

const GRAPHS = 25

interface Sample {
  readonly clause: string
  /** How many of so many edges of a source are met. */
  readonly kept: (count: number) => number
}

const samples: readonly Sample[] = [
  { clause: 'SAMPLE 0 EDGE', kept: () => 0 },
  { clause: 'SAMPLE 2 EDGE', kept: (count) => Math.min(2, count) },
  { clause: 'SAMPLE 3 TARGET', kept: (count) => Math.min(3, count) },
  { clause: 'SAMPLE 40 % EDGE', kept: (count) => Math.ceil((count * 40) / 100) },
  { clause: 'SAMPLE 1 EDGE WHEN s.@all > 2', kept: (count) => (count > 2 ? 1 : count) },
]

/** Targets of the edges of each vertex, by its id. */
type Met = Readonly<Record<string, readonly string[]>>

function queryOf({ vertices, edges }: GraphSpec, edgeName: string, clause: string): string {
  const pair = edges.find(({ name }) => name === edgeName)!.pairs[0]!
  const source = endsOf(pair)[0] || vertices[0]!.name
  const from = `S:s -(${edgeName}:e)- :t`
  return `INTERPRET QUERY () SYNTAX v1 { SumAccum<INT> @all; ListAccum<STRING> @met; S = {${source}.*};
    R = SELECT t FROM ${from} ACCUM s.@all += 1;
    R = SELECT t FROM ${from} ${clause} ACCUM s.@met += t.type + " " + to_string(getvid(t));
    PRINT S[S.@met AS met] AS S; }`
}

async function answered(text: string, engine: Awaited<ReturnType<typeof openGraph>>): Promise<Met> {
  const prepared = prepare(text, engine.catalog)
  if (!('plan' in prepared)) throw new Error(prepared.join('\n'))
  const given = await runnerOf(() => engine)(prepared)
  if (!text.includes('SAMPLE')) {
    expect(compare(askedOracle(text, engine.catalog, engine.view()), given)).toBe(null)
  }
  if (given.kind !== 'answer') throw new Error(given.message)
  const [{ S }] = JSON.parse(given.results) as [
    { S: { v_id: string; attributes: { met: string[] } }[] },
  ]
  return Object.fromEntries(S.map(({ v_id, attributes }) => [v_id, attributes.met]))
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...all]
  for (const one of some) {
    const at = left.indexOf(one)
    expect(at, `${one} is an edge, met once`).toBeGreaterThanOrEqual(0)
    left.splice(at, 1)
  }
  return left
}

describe('SAMPLE', () => {
  it.each(samples)('meets as many edges as it says: $clause', async ({ clause, kept }) => {
    let cut = 0
    for (let seed = 1; seed <= GRAPHS; seed++) {
      const spec = randomGraph(new Dice(seed))
      const engine = await openGraph(spec)
      const edge = spec.edges[0]!.name
      const all = await answered(queryOf(spec, edge, ''), engine)
      const some = await answered(queryOf(spec, edge, clause), engine)
      for (const [id, met] of Object.entries(all)) {
        const left = without(met, some[id]!)
        cut += left.length
        expect(some[id]!.length, `seed ${seed}, ${id} with ${met.length} edges`).toBe(
          kept(met.length),
        )
      }
      await engine.close()
    }
    expect(cut).toBeGreaterThan(GRAPHS)
  })
})
