import { describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../test/fixtures/engine.ts'
import type { GraphEngine } from './engine.ts'
import { findRow } from './ids/read.ts'
import { frameFlag } from './mutate/frame-format.ts'
import { FrameWriter } from './mutate/frame-writer.ts'

const numberId = (type: 'INT' | 'UINT') =>
  ({ syntax: 'PRIMARY_ID', names: ['id'], type, asAttribute: false }) as const

const catalog = catalogOf(
  [vertexType(1, 'S'), vertexType(2, 'N', { primaryId: numberId('UINT') })],
  [edgeType(3, 'E', [1, 2])],
)
const frame = (flags = 0) => new FrameBuilder(catalog, flags)
const big = 2n ** 64n - 1n
const long = 'ein langer Name, länger als acht Bytes'

function deletesForEver(): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertexDeletes(1, true)
  for (const id of ['a', long, 'never there']) {
    writer.textKey(id)
    writer.endEntry()
  }
  writer.deleteVertexType(2, true)
  return writer.finish()
}

const liveIds = (engine: GraphEngine) => {
  const [s, n] = engine.view().vertexTables
  const isLive = (text: string) => findRow(Number.isNaN(Number(text)) ? s! : n!, text) >= 0
  return ['a', 'b', long, 'never there', '7', String(big)].filter(isLive)
}

async function tryAgain(engine: GraphEngine) {
  const batch = frame().vertex('S', 'a').vertex('S', long).vertex('S', 'b').vertex('N', big)
  batch.vertex('S', 'never there').edge('E', ['a', 7]).edge('E', ['b', 7]).edge('E', ['b', 8])
  return engine.commit(batch.finish())
}

const refused = {
  acceptedVertices: 2,
  acceptedEdges: 1,
  retiredEntries: 3,
  skippedEdges: 2,
  retiredVertices: [
    { typeId: 1, id: 'a' },
    { typeId: 1, id: long },
    { typeId: 2, id: String(big) },
    { typeId: 2, id: '7' },
  ],
}

describe('a permanently deleted id', () => {
  it('never returns: not at once, not after a replay, a rebuild or both', async () => {
    const image = createMemoryImage()
    let engine = await engineWith(catalog, new MemoryStore(image))
    const all = frame().vertex('S', 'a').vertex('S', 'b').vertex('S', long)
    await engine.commit(all.vertex('N', 7).vertex('N', big).edge('E', ['a', 7]).finish())
    const outcome = await engine.commit(deletesForEver())
    expect(outcome).toMatchObject({ deletedVertices: 4, deletedEdges: 1 })
    expect(await tryAgain(engine)).toMatchObject(refused)
    expect(liveIds(engine)).toEqual(['b', 'never there'])
    for (const rebuilds of [false, true, false]) {
      if (rebuilds) await engine.rebuild()
      await engine.close()
      engine = await openEngine(new MemoryStore(image))
      expect(await tryAgain(engine)).toMatchObject(refused)
      expect(liveIds(engine)).toEqual(['b', 'never there'])
    }
    // Retired while segments hold others already.
    await engine.commit(deleteOneForEver('b'))
    await engine.rebuild()
    engine = await openEngine(new MemoryStore(image))
    const outcomeOfB = await engine.commit(frame().vertex('S', 'b').finish())
    expect(outcomeOfB).toMatchObject({ retiredEntries: 1, retiredVertices: [{ id: 'b' }] })
  })

  it('makes an atomic batch be refused whole, flags or none', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('S', 'a').finish())
    await engine.commit(deleteOneForEver('a'))
    for (const flags of [frameFlag.atomic, frameFlag.atomic | frameFlag.updateVertexOnly]) {
      const batch = frame(flags).vertex('S', 'b').vertex('S', 'a').edge('E', ['b', 1])
      expect(await engine.commit(batch.finish())).toMatchObject({ rejected: true })
    }
    const edge = frame(frameFlag.atomic).edge('E', ['a', 1]).finish()
    expect(await engine.commit(edge)).toMatchObject({ rejected: true, skippedEdges: 1 })
    expect(liveIds(engine)).toEqual([])
  })

  it('is counted for a write that is answered early and ordered right behind the delete', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('S', 'a').finish())
    const deleted = engine.commit(deletesForEver())
    const outcome = await engine.commit(frame().vertex('S', 'a').finish(), { ack: 'none' })
    expect(outcome).toMatchObject({ acceptedVertices: 0, retiredEntries: 1 })
    await deleted
    const after = await engine.commit(frame().vertex('S', 'b').finish(), { ack: 'none' })
    expect(after).toMatchObject({ acceptedVertices: 1, retiredEntries: 0 })
  })

  it('is counted for writes that are answered early, too', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('S', 'a').finish())
    await engine.commit(deleteOneForEver('a'))
    const outcome = await engine.commit(frame().vertex('S', 'a').finish(), { ack: 'none' })
    expect(outcome).toMatchObject({ acceptedVertices: 0, retiredEntries: 1 })
  })
})

function deleteOneForEver(id: string): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertexDeletes(1, true)
  writer.textKey(id)
  writer.endEntry()
  return writer.finish()
}
