import { beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { collectGarbage } from '#graph/memory/collect-garbage.ts'
import type { GraphView } from '#graph/view.ts'
import { RunControl } from '#query/runtime/control.ts'
import type { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { smallGraph } from '../../../test/fixtures/small-graph.ts'
import { CodeCache, runPlan } from './run.ts'

let runner: QueryRunner
let engine: GraphEngine

beforeAll(async () => {
  ;({ runner, engine } = await smallGraph())
})

const ids = (set: unknown) => (set as { v_id: string }[]).map(({ v_id }) => v_id)

describe('a query', () => {
  it('sums over the edges of every vertex', () => {
    const body = `SumAccum<INT> @@total; SumAccum<INT> @in;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM @@total += e.weight, t.@in += 1;
      PRINT @@total, R[R.@in AS n];`
    expect(runner.run(body)).toEqual([
      {
        '@@total': 21,
        R: [
          { v_id: 'ada', v_type: 'Person', attributes: { n: 1 } },
          { v_id: 'bo', v_type: 'Person', attributes: { n: 1 } },
          { v_id: 'cy', v_type: 'Person', attributes: { n: 2 } },
          { v_id: 'di', v_type: 'Person', attributes: { n: 2 } },
        ],
      },
    ])
  })

  it('meets undirected edges from both ends, a loop once', () => {
    const body = `SumAccum<INT> @@n; R = SELECT s FROM Person:s -(Knows:e)- Person:t ACCUM @@n += e.weight; PRINT @@n, R;`
    const [row] = runner.run(body) as [{ '@@n': number; R: unknown }]
    expect(row['@@n']).toBe(7 * 2 + 8 + 9 * 2)
    expect(ids(row.R)).toEqual(['ada', 'bo', 'cy', 'di'])
  })

  it('prints whole vertices', () => {
    const body = `SumAccum<DOUBLE> @x = 1.5; P = {Person.*}; R = SELECT p FROM P:p WHERE p.age == 30; PRINT R;`
    expect(runner.json(body)).toBe(
      '[{"R":[{"v_id":"bo","v_type":"Person","attributes":{"name":"BO","age":30,"score":0.25,"height":1.6,"since":"1970-01-02 00:00:00","tags":["t","x1"],"@x":1.5}}]}]',
    )
  })
})

/** Uses the view of a graph that is gone afterwards. @returns its arrays, held weakly */
async function arraysOfUsedGraph(
  use: (view: GraphView) => void,
): Promise<readonly WeakRef<object>[]> {
  const found = new Set<object>()
  const own = await smallGraph()
  const view = own.engine.view()
  arraysIn(view, found)
  use(view)
  await own.engine.close()
  // What the promises of this turn hold is gone with the next one.
  return [...found].map((array) => new WeakRef(array))
}

/** An empty base has arrays that all of its kind share. */
function arraysIn(value: unknown, found: Set<object>): void {
  if (ArrayBuffer.isView(value) && value.byteLength > 4) found.add(value)
  else if (!ArrayBuffer.isView(value) && typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) arraysIn(part, found)
  }
}

describe('compiled code', () => {
  it('refers to no array of the graph that it was made for', async () => {
    const body = `SumAccum<INT> @@n; SetAccum<STRING> @@names; MapAccum<VERTEX, INT> @seen;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t WHERE s.age > 1 AND e.weight > 0
        ACCUM @@n += e.weight, @@names += t.name, t.@seen += (s -> 1);
      Q = SELECT t FROM Person:s -(Knows:e)- Person:t ACCUM @@n += t.outdegree("Follows");
      PRINT @@n, @@names, R, Q;`
    const plan = runner.plan(body)
    const cache = new CodeCache()
    const arrays = await arraysOfUsedGraph((view) => {
      const limits = { memoryLimitBytes: 2 ** 24, responseLimitBytes: 2 ** 20 }
      const options = { arguments: [], ...limits, nowSeconds: 1, seed: 1 }
      runPlan(plan, options, { cache, view, control: new RunControl() })
      cache.get(plan, view, true)
    })
    expect(arrays.length).toBeGreaterThan(20)
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(arrays.filter((array) => array.deref() !== undefined)).toEqual([])
    expect(cache.codeCount).toBe(2)
  })

  it('has its functions from the start, made without a run: nothing of one is held', () => {
    const body = `SetAccum<VERTEX> @@met; INT i = 3; R = SELECT t FROM Person:s -(Follows>:e)- Person:t
      ACCUM @@met += t; PRINT @@met, i;`
    const plan = runner.plan(body)
    const cache = new CodeCache()
    const code = cache.get(plan, engine.view(), false)
    expect(code.functions).toBeTypeOf('function')
    expect(cache.get(plan, engine.view(), false)).toBe(code)
  })

  it('is stored for the last forms of the memory alone, and for the last plans', () => {
    const plan = runner.plan('PRINT 1;')
    const cache = new CodeCache(2)
    const view = engine.view()
    /** As after a schema change that adds a type. */
    const changed = (typeId: number) => ({
      ...view,
      vertexTables: [...view.vertexTables, { ...view.vertexTables[0]!, typeId }],
    })
    const first = cache.get(plan, view, false)
    for (let typeId = 100; typeId < 102; typeId++) cache.get(plan, changed(typeId), false)
    expect(cache.get(plan, view, false)).toBe(first)
    for (let typeId = 102; typeId < 120; typeId++) cache.get(plan, changed(typeId), false)
    expect(cache.codeCount).toBe(3)
    expect(cache.get(plan, view, false)).not.toBe(first)
    // Three of the first plan, which ran again, go with the second plan that does.
    for (const text of ['PRINT 2;', 'PRINT 3;']) {
      cache.get(runner.plan(text), view, false)
      cache.get(runner.plan(text), view, false)
    }
    expect(cache.codeCount).toBe(2)
  })

  it('of plans that run no more is forgotten after five minutes, but for 50 of them', () => {
    let nowMs = 0
    const cache = new CodeCache(500, () => nowMs)
    const view = engine.view()
    const runTwice = (text: string) => {
      const plan = runner.plan(text)
      cache.get(plan, view, false)
      return cache.get(plan, view, false)
    }
    for (let i = 0; i < 100; i++) runTwice(`PRINT ${i};`)
    nowMs = 299_999
    const recent = runTwice('PRINT 100;')
    expect(cache.codeCount).toBe(101)
    nowMs = 300_000
    expect(runTwice('PRINT 100;')).toBe(recent)
    expect(cache.codeCount).toBe(50)
  })

  it('of plans that run once replaces none of a plan that runs again', () => {
    const cache = new CodeCache()
    const view = engine.view()
    const [again, once] = [runner.plan('PRINT 0;'), runner.plan('PRINT 1;')]
    const code = cache.get(again, view, false)
    cache.get(again, view, false)
    const first = cache.get(once, view, false)
    for (let i = 2; i < 600; i++) cache.get(runner.plan(`PRINT ${i};`), view, false)
    expect(cache.codeCount).toBe(1 + 50)
    expect(cache.get(again, view, false)).toBe(code)
    expect(cache.get(once, view, false)).not.toBe(first)
  })
})
