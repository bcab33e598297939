import { describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { forEachIn, forEachOut } from '../adjacency/read.ts'
import { stringAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { findRow, idText, ordinalOf, rowAtOrdinal } from '../ids/read.ts'
import { isSet } from '../memory/bits.ts'
import type { GraphView } from '../view.ts'

const uint = { syntax: 'PRIMARY_ID', names: ['id'], type: 'UINT', asAttribute: false } as const
const catalog = catalogOf(
  [
    vertexType(1, 'A', {
      attributes: attributes({ s: 'STRING', n: 'INT' }),
      indexes: [{ name: 'by_n', attributeId: 2 }],
    }),
    vertexType(2, 'B', { primaryId: uint }),
  ],
  [
    edgeType(3, 'AB', [1, 2], { attributes: attributes({ s: 'STRING' }) }),
    edgeType(4, 'AA', [1, 1], { directed: false }),
    edgeType(5, 'BB', [2, 2], { discriminatorCount: 1, attributes: attributes({ k: 'STRING' }) }),
  ],
)
const frame = () => new FrameBuilder(catalog)

/** Vertices with their ordinals and edges from both ends, in the reader's order. */
function dump(view: GraphView): string[] {
  const lines: string[] = []
  const [a, b] = view.vertexTables as [GraphView['vertexTables'][0], GraphView['vertexTables'][0]]
  const tables = new Map([
    [1, a],
    [2, b],
  ])
  for (const table of [a, b]) {
    for (let row = 0; row < table.rowCount; row++) {
      if (isSet(table.deleted, row)) continue
      const text = table.typeId === 1 ? stringAt(table.columns[0]!, row) : ''
      lines.push(`${ordinalOf(table, row)} ${idText(table.ids, row)} ${text}`)
      if (findRow(table, idText(table.ids, row)) !== row) lines.push('is not found')
    }
  }
  for (const { typeName, adjacencies } of view.edgeTables) {
    const adjacency = adjacencies[0]!
    const from = tables.get(adjacency.fromTypeId)!
    const to = tables.get(adjacency.toTypeId)!
    const text = (edge: number) => adjacency.columns.map((column) => stringAt(column, edge)).join()
    for (let row = 0; row < from.rowCount; row++) {
      forEachOut(adjacency, row, (other, edge) =>
        lines.push(`${typeName} ${idText(from.ids, row)}>${idText(to.ids, other)} ${text(edge)}`),
      )
    }
    for (let row = 0; row < to.rowCount; row++) {
      forEachIn(adjacency, row, (other, edge) =>
        lines.push(`${typeName} ${idText(from.ids, other)}<${idText(to.ids, row)} ${text(edge)}`),
      )
    }
  }
  return lines
}

const rowCounts = (engine: GraphEngine) =>
  engine.view().vertexTables.map(({ rowCount, liveCount }) => [rowCount, liveCount])

/** Vertices `from` to `to - 1` of both types, with edges to the one before. */
function grow(from: number, to: number): Uint8Array {
  const batch = frame()
  for (let i = from; i < to; i++) {
    batch.vertex('A', `a${i}`, { s: `text of ${i}`, n: i % 10 }).vertex('B', i)
    batch.edge('AB', [`a${i}`, i], { s: `e${i}` })
    if (i > from) batch.edge('AA', [`a${i}`, `a${i - 1}`]).edge('BB', [i, i - 1], { k: `k${i}` })
  }
  return batch.finish()
}

function shrink(from: number, to: number): Uint8Array {
  const batch = frame()
  for (let i = from; i < to; i++) batch.deleteVertex('A', `a${i}`).deleteVertex('B', i)
  return batch.finish()
}

describe('a rebuild of a table that is mostly dead', () => {
  it.each([20_000, 0])(
    'gives the rows back and changes nothing else, inline up to %i',
    async (limit) => {
      const image = createMemoryImage()
      const options = { inlineMergeSizeMax: limit }
      let engine = await openEngine(new MemoryStore(image), options)
      await engine.changeCatalog(() => catalog)
      await engine.commit(grow(0, 100))
      await engine.commit(shrink(10, 60))
      // A dead id comes back: its row is the last one.
      await engine.commit(grow(20, 21))
      const before = dump(engine.view())
      expect(rowCounts(engine)).toEqual([
        [101, 51],
        [101, 51],
      ])
      const pinned = engine.pin()
      await engine.rebuild()
      expect(rowCounts(engine)).toEqual([
        [51, 51],
        [51, 51],
      ])
      expect(dump(engine.view())).toEqual(before)
      expect(dump(pinned.view)).toEqual(before)
      expect(engine.lookupEqual(1, 2, [5])?.length).toBe(5)
      expect(engine.deletedVertexCheck().isPassed).toBe(true)
      pinned.release()
      for (const isCheckpoint of [false, true]) {
        await engine.commit(grow(200, 203))
        await engine.commit(shrink(200, 203))
        const now = dump(engine.view())
        if (isCheckpoint) await engine.rebuild()
        await engine.close()
        engine = await openEngine(new MemoryStore(image), options)
        expect(dump(engine.view())).toEqual(now)
      }
    },
  )

  it('copies what is written while it runs', async () => {
    const image = createMemoryImage()
    const engine = await openEngine(new MemoryStore(image), { inlineMergeSizeMax: 0 })
    await engine.changeCatalog(() => catalog)
    await engine.commit(grow(0, 300))
    await engine.commit(shrink(0, 150))
    const rebuild = engine.rebuild()
    // Ids that are being left out come back, others change, go, come and go.
    await engine.commit(grow(100, 140))
    await engine.commit(shrink(120, 170))
    await engine.commit(grow(300, 340))
    await engine.commit(shrink(330, 335))
    await engine.commit(frame().vertex('A', 'a200', { s: 'changed', n: 77 }).finish())
    await engine.commit(
      frame().deleteEdge('AB', ['a201', 201]).edge('AA', ['a299', 'a100']).finish(),
    )
    const written = dump(engine.view())
    await rebuild
    expect(dump(engine.view())).toEqual(written)
    expect(engine.deletedVertexCheck().isPassed).toBe(true)
    expect(engine.lookupEqual(1, 2, [77])?.length).toBe(1)
    const again = await openEngine(new MemoryStore(image))
    expect(dump(again.view())).toEqual(written)
    expect(rowCounts(again)).toEqual(rowCounts(engine))
  })

  it('keeps memory bounded while vertices come and go for ever', async () => {
    const image = createMemoryImage()
    const engine = await engineWith(catalog, new MemoryStore(image))
    const sizes: number[] = []
    for (let round = 0; round < 12; round++) {
      await engine.commit(grow(round * 500, round * 500 + 500))
      if (round > 0) await engine.commit(shrink(round * 500 - 500, round * 500))
      await engine.rebuild()
      sizes.push(engine.memory().usedBytes)
    }
    expect(Math.max(...sizes.slice(6))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 6)) * 1.2)
    const [table] = engine.view().vertexTables
    expect(table!.rowCount).toBeLessThan(1_100)
    expect(ordinalOf(table!, 0)).toBe(5_500)
    expect(rowAtOrdinal(table!, 5_499)).toBe(0)
    expect(rowAtOrdinal(table!, 5_501)).toBe(1)
  })

  it('leaves rows that the two engines disagree about', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(grow(0, 10))
    await engine.commit(shrink(0, 8))
    engine.deletedIds.drop(2)
    await engine.rebuild()
    expect(rowCounts(engine)).toEqual([
      [2, 2],
      [10, 2],
    ])
    expect(engine.deletedVertexCheck().isPassed).toBe(false)
  })

  it('writes the new rows later when there is nothing to write now', async () => {
    const image = createMemoryImage()
    const vertices = (from: number, to: number, isDelete = false) => {
      const batch = frame()
      for (let i = from; i < to; i++)
        isDelete ? batch.deleteVertex('A', `a${i}`) : batch.vertex('A', `a${i}`)
      return batch.finish()
    }
    let engine = await engineWith(catalog, new MemoryStore(image))
    await engine.commit(vertices(0, 5_000))
    // Too little memory for the old and the new table at once: the dead rows go into the segments.
    const memoryLimitBytes = engine.memory().usedBytes * 0.9
    engine = await openEngine(new MemoryStore(image), { memoryLimitBytes })
    await engine.commit(vertices(0, 4_000, true))
    await engine.rebuild()
    expect(rowCounts(engine)[0]).toEqual([5_000, 1_000])
    engine = await openEngine(new MemoryStore(image))
    expect((await engine.rebuild()).isCheckpoint).toBe(false)
    expect(rowCounts(engine)[0]).toEqual([1_000, 1_000])
    await engine.commit(frame().edge('AB', ['a4321', 7], { s: 'new' }).finish())
    expect((await engine.rebuild()).isCheckpoint).toBe(true)
    const before = dump(engine.view())
    engine = await openEngine(new MemoryStore(image))
    expect(dump(engine.view())).toEqual(before)
  })

  it('makes a full server usable again once its vertices are deleted', async () => {
    const engine = await openEngine(new MemoryStore(), { memoryLimitBytes: 2_000_000 })
    await engine.changeCatalog(() => catalog)
    const fill = async () => {
      for (let count = 0; ; count += 500) {
        const error = await engine
          .commit(grow(count, count + 500))
          .catch((reason: unknown) => reason)
        if (error instanceof Error) return { count, error }
      }
    }
    const first = await fill()
    expect(first.error).toMatchObject({ code: 'MEMORY_LIMIT' })
    // Merged edges take less room than new ones, so this is not refused.
    await engine.rebuild()
    await engine.commit(frame().deleteType('A').deleteType('B').finish())
    await engine.rebuild()
    // What is left are strings: less garbage than a copy is worth.
    expect(engine.memory().usedBytes).toBeLessThan(500_000)
    expect((await fill()).count).toBeGreaterThan(first.count / 2)
  })
})
