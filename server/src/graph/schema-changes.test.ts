import { expect, it } from 'vitest'
import {
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { valueAt } from './columns/read.ts'

it('gives new rows the default when the schema changes after writes under a pin', async () => {
  const rank = { id: 1, name: 'rank', type: { kind: 'INT' }, defaultText: '5' } as const
  const flag = { id: 2, name: 'flag', type: { kind: 'BOOL' } } as const
  const ranked = catalogOf(
    [vertexType(1, 'V', { attributes: [rank] })],
    [edgeType(2, 'E', [1, 1], { attributes: [rank] })],
  )
  const batch = (from: number, to: number) => {
    const written = new FrameBuilder(ranked)
    for (let i = from; i < to; i++) written.vertex('V', `v${i}`).edge('E', [`v${i}`, 'v0'])
    return written.finish()
  }
  const engine = await engineWith(ranked)
  await engine.commit(batch(0, 10))
  const pin = engine.pin()
  const change = new FrameBuilder(ranked).vertex('V', 'v0', { rank: 1 })
  await engine.commit(change.edge('E', ['v0', 'v0'], { rank: 1 }).finish())
  pin.release()
  await engine.changeCatalog((old) => ({
    ...old,
    vertexTypes: old.vertexTypes.map((type) => ({ ...type, attributes: [rank, flag] })),
    edgeTypes: old.edgeTypes.map((type) => ({ ...type, attributes: [rank, flag] })),
  }))
  await engine.commit(batch(10, 2000))
  const { vertexTables, edgeTables } = engine.view()
  for (const { columns } of [vertexTables[0]!, edgeTables[0]!.adjacencies[0]!]) {
    const ranks = Array.from({ length: 2000 }, (_, row) => valueAt(columns[0]!, row))
    expect(ranks.filter((value) => value !== 5)).toEqual([1])
  }
})
