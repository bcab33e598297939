import { describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { numberAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { fieldOp } from './frame-format.ts'
import { FrameWriter } from './frame-writer.ts'

const catalog = catalogOf(
  [vertexType(1, 'V', { attributes: attributes({ n: 'INT' }) })],
  [
    edgeType(2, 'M', [1, 1], {
      discriminatorCount: 1,
      attributes: attributes({ k: 'INT', w: 'INT' }),
    }),
  ],
)
const add = [{ attributeId: 1, op: fieldOp.add }]
const pair = { edgeTypeId: 2, fromTypeId: 1, toTypeId: 1 }

/** As a query writes: assignments to what it has read, between deletes. */
function updates(): Uint8Array {
  const writer = new FrameWriter(0)
  const vertex = (id: string) => {
    writer.textKey(id)
    writer.int64(10, 0)
    writer.endEntry()
  }
  writer.beginVertexUpdates(1, add)
  for (const id of ['a', 'gone', 'b']) vertex(id)
  writer.beginVertexDeletes(1)
  writer.textKey('b')
  writer.endEntry()
  writer.beginVertexUpdates(1, add)
  vertex('b')
  writer.beginEdgeUpdates(pair, [
    { attributeId: 1, op: fieldOp.set },
    { attributeId: 2, op: fieldOp.set },
  ])
  for (const [from, to, k] of [
    ['a', 'c', 1],
    ['a', 'c', 2],
    ['a', 'gone', 1],
    ['a', 'b', 1],
    ['c', 'a', 1],
  ] as const) {
    writer.textKey(from)
    writer.textKey(to)
    writer.int64(k, 0)
    writer.int64(7, 0)
    writer.endEntry()
  }
  return writer.finish()
}

function content(engine: GraphEngine) {
  const [table] = engine.view().vertexTables
  const adjacency = engine.view().edgeTables[0]!.adjacencies[0]!
  return {
    vertices: table!.liveCount,
    rows: table!.rowCount,
    n: numberAt(table!.columns[0]!, 0),
    edges: adjacency.liveCount,
    w: numberAt(adjacency.columns[1]!, 0),
  }
}

describe('updates of a query', () => {
  it('change what exists when they are applied and bring nothing back', async () => {
    const image = createMemoryImage()
    const engine = await openEngine(new MemoryStore(image))
    await engine.changeCatalog(() => catalog)
    const batch = new FrameBuilder(catalog).vertex('V', 'a', { n: 1 }).vertex('V', 'b', { n: 2 })
    batch.edge('M', ['a', 'c'], { k: 1, w: 1 }).edge('M', ['a', 'b'], { k: 1, w: 1 })
    await engine.commit(batch.finish())
    const outcome = await engine.commit(updates())
    expect(outcome).toMatchObject({
      acceptedVertices: 2,
      acceptedEdges: 1,
      skippedEdges: 0,
      deletedVertices: 1,
      deletedEdges: 1,
    })
    const expected = { vertices: 2, rows: 3, n: 11, edges: 1, w: 7 }
    expect(content(engine)).toEqual(expected)
    expect(content(await openEngine(new MemoryStore(image)))).toEqual(expected)
  })
})
