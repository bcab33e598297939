import { describe, expect, it } from 'vitest'
import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundHop, BoundSelect } from '#query/ir/bound-select.ts'
import { RunControl } from '#query/runtime/control.ts'
import { compileQuery } from '#query/workers/plan.ts'
import { CodeCache, runPlan } from '#query/workers/run.ts'
import { smallCatalog, smallGraph } from '../../../../test/fixtures/small-graph.ts'

const { engine, runner } = await smallGraph()

/** Binds a query of one hop and gives its SELECT another pattern. */
function runWith(body: string, pattern: (select: BoundSelect) => BoundSelect): unknown {
  const { query } = runner.plan(body)
  const changed = (statement: BoundStatement) =>
    statement.kind === 'select' ? pattern(statement) : statement
  const plan = compileQuery({ ...query, body: query.body.map(changed) }, smallCatalog)
  const options = {
    arguments: [],
    memoryLimitBytes: 1e8,
    responseLimitBytes: 1e6,
    nowSeconds: 0,
    seed: 1,
  }
  const place = { cache: new CodeCache(), view: engine.view(), control: new RunControl() }
  return (JSON.parse(new TextDecoder().decode(runPlan(plan, options, place).bytes)) as unknown[])[0]
}

const body = `SumAccum<INT> @@n, @n; ListAccum<STRING> @@names;
  R = SELECT t FROM Person:s -(Follows>)- Person:t
    ACCUM @@n += 1, t.@n += 1, @@names += s.name + t.name POST-ACCUM t.@n += 100;
  PRINT @@n, @@names, R[R.@n AS n];`

const follows: readonly (readonly [string, string])[] = [
  ['ada', 'bo'],
  ['ada', 'cy'],
  ['bo', 'cy'],
  ['cy', 'ada'],
  ['cy', 'di'],
  ['di', 'di'],
]

describe('patterns of several hops', () => {
  it('multiply rows along the way', () => {
    const paths = follows.flatMap(([a, b]) =>
      follows.filter(([c]) => c === b).map(([, d]) => (a + d).toUpperCase()),
    )
    const row = runWith(body, (select) => {
      const [hop] = select.hops as [BoundHop]
      const middle = { ...select.positions[1]!, alias: 'm' }
      return {
        ...select,
        positions: [select.positions[0]!, select.positions[1]!, middle],
        hops: [
          { ...hop, from: 0, to: 2 },
          { ...hop, from: 2, to: 1 },
        ],
      }
    }) as Record<string, unknown>
    expect(row['@@n']).toBe(paths.length)
    expect([...(row['@@names'] as string[])].sort()).toEqual([...paths].sort())
    const total = (row['R'] as { attributes: { n: number } }[]).map((v) => v.attributes.n % 100)
    expect(total.reduce((sum, n) => sum + n, 0)).toBe(paths.length)
  })

  it('join on a vertex that is known already, and walk hops from either end', () => {
    const triangles = follows.flatMap(([a, b]) =>
      follows.filter(([c, d]) => c === b && follows.some(([x, y]) => x === d && y === a)),
    ).length
    const row = runWith(body, (select) => {
      const [hop] = select.hops as [BoundHop]
      return {
        ...select,
        positions: [select.positions[0]!, select.positions[1]!, select.positions[1]!],
        // The middle hop is written from a vertex that only the last one makes known.
        hops: [
          { ...hop, from: 2, to: 1 },
          { ...hop, from: 0, to: 2 },
          { ...hop, from: 1, to: 0 },
        ],
      }
    }) as Record<string, unknown>
    expect(row['@@n']).toBe(triangles)
  })
})
