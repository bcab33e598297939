import { describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { FrameBuilder } from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { smallCatalog, smallGraph } from '../../../test/fixtures/small-graph.ts'

const body = `SumAccum<INT> @@follows, @@knows; SumAccum<INT> @in; MinAccum<STRING> @@first; MaxAccum<INT> @@degree;
  R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM @@follows += e.weight, t.@in += e.weight, @@first += t.name;
  B = SELECT t FROM Person:s -(<Follows:e)- Person:t ACCUM @@follows += e.weight * 100;
  K = SELECT t FROM Person:s -(Knows:e)- Person:t ACCUM @@knows += e.weight;
  D = SELECT s FROM Person:s ACCUM @@degree += s.outdegree() * 100 + s.outdegree("Knows");
  PRINT @@follows, @@knows, @@first, @@degree, R, B, K, D;`

async function answers(engine: GraphEngine): Promise<string> {
  return new QueryRunner(smallCatalog, engine).json(body)
}

describe('a query gives one answer whatever state the memory is in', () => {
  it('new edges, loops, and deleted vertices with their edges', async () => {
    const { engine } = await smallGraph()
    const before = await answers(engine)
    expect(JSON.parse(before)[0]).toMatchObject({
      '@@follows': 2121,
      '@@knows': 40,
      '@@first': 'ADA',
      '@@degree': 601,
    })

    const more = new FrameBuilder(smallCatalog)
    more.vertex('Person', 'flo', { name: 'FLO', age: 70 })
    more
      .edge('Follows', ['flo', 'ada'], { weight: 10 })
      .edge('Follows', ['ada', 'flo'], { weight: 11 })
    more.edge('Knows', ['flo', 'flo'], { weight: 12 }).edge('Knows', ['ada', 'flo'], { weight: 13 })
    await engine.commit(more.finish())
    const mixed = await answers(engine)
    expect(JSON.parse(mixed)[0]).toMatchObject({ '@@follows': 42 * 101, '@@knows': 40 + 12 + 26 })

    await engine.commit(new FrameBuilder(smallCatalog).deleteVertex('Person', 'cy').finish())
    const withGaps = await answers(engine)
    expect(JSON.parse(withGaps)[0]).toMatchObject({
      '@@follows': (1 + 6 + 21) * 101,
      '@@knows': 14 + 8 + 12 + 26,
    })
  })
})
