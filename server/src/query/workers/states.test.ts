import { describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import type { GraphView } from '#graph/view.ts'
import { FrameBuilder } from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { smallCatalog, smallGraph } from '../../../test/fixtures/small-graph.ts'

const body = `SumAccum<INT> @@follows, @@knows, @@ages; SumAccum<INT> @in; MinAccum<STRING> @@first;
  MaxAccum<INT> @@degree;
  R = SELECT t FROM Person:s -(Follows>:e)- Person:t
    ACCUM @@follows += e.weight, t.@in += e.weight, @@first += t.name;
  B = SELECT t FROM Person:s -(<Follows:e)- Person:t ACCUM @@follows += e.weight * 100;
  K = SELECT t FROM Person:s -(Knows:e)- Person:t ACCUM @@knows += e.weight;
  D = SELECT s FROM Person:s
    ACCUM @@ages += s.age, @@degree += s.outdegree() * 100 + s.outdegree("Knows");
  PRINT @@follows, @@knows, @@ages, @@first, @@degree, R, B, K, D;`

type Answer = Record<string, unknown>

function answerOf(view: GraphView): Answer {
  return (new QueryRunner(smallCatalog, () => view).run(body) as Answer[])[0]!
}

const answer = (engine: GraphEngine) => answerOf(engine.view())

describe('a query gives one answer whatever state the memory is in', () => {
  it('new edges, base edges, both, loops, and deleted vertices with their edges', async () => {
    const { engine } = await smallGraph()
    const before = answer(engine)
    expect(before).toMatchObject({
      ...{ '@@follows': 2121, '@@knows': 40, '@@ages': 200, '@@first': 'ADA', '@@degree': 601 },
    })
    await engine.rebuild()
    expect(answer(engine)).toEqual(before)

    const more = new FrameBuilder(smallCatalog)
    more.vertex('Person', 'flo', { name: 'FLO', age: 70 })
    more.edge('Follows', ['flo', 'ada'], { weight: 10 })
    more.edge('Follows', ['ada', 'flo'], { weight: 11 })
    more.edge('Knows', ['flo', 'flo'], { weight: 12 }).edge('Knows', ['ada', 'flo'], { weight: 13 })
    await engine.commit(more.finish())
    expect(answer(engine)).toMatchObject({ '@@follows': 42 * 101, '@@knows': 40 + 12 + 26 })

    await engine.commit(new FrameBuilder(smallCatalog).deleteVertex('Person', 'cy').finish())
    const withGaps = answer(engine)
    expect(withGaps).toMatchObject({
      ...{ '@@follows': (1 + 6 + 21) * 101, '@@knows': 14 + 8 + 12 + 26, '@@ages': 230 },
    })
    await engine.rebuild()
    expect(answer(engine)).toEqual(withGaps)
    await engine.close()
  })

  it('a pinned version, while the writer changes the same rows', async () => {
    const { engine } = await smallGraph()
    await engine.rebuild()
    const pinned = engine.pin()
    const before = answerOf(pinned.view)
    const change = new FrameBuilder(smallCatalog)
    change.vertex('Person', 'ada', { age: 1000, name: 'ZOE' })
    change
      .edge('Follows', ['ada', 'bo'], { weight: 501 })
      .edge('Knows', ['bo', 'ada'], { weight: 9 })
    await engine.commit(change.finish())
    await engine.commit(new FrameBuilder(smallCatalog).deleteVertex('Person', 'di').finish())
    expect(answerOf(pinned.view)).toEqual(before)
    const after = answer(engine)
    expect(after).toMatchObject({
      ...{ '@@follows': (501 + 2 + 3 + 4) * 101, '@@knows': 36, '@@ages': 1000 + 30 + 40 + 60 },
    })
    const paged = engine.view().vertexTables.flatMap(({ columns }) => columns.map((c) => c.pages))
    expect(paged.some((pages) => pages !== null)).toBe(true)
    pinned.release()
    expect(answer(engine)).toEqual(after)
    await engine.close()
  })
})
