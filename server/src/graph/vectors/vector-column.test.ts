import { describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
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
import { vectorAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { findRow } from '../ids/read.ts'
import { fieldOp } from '../mutate/frame-format.ts'
import type { GraphView } from '../view.ts'

const vector = (id: number, name: string, dimension: number) =>
  ({ id, name, type: { kind: 'VECTOR', dimension, metric: 'L2' } }) as const
const catalog = catalogOf(
  [
    vertexType(1, 'A', {
      attributes: attributes({ n: 'INT' }),
      vectors: [vector(2, 'emb', 3), vector(3, 'wide', 1000)],
      nextAttributeId: 4,
    }),
  ],
  [edgeType(2, 'AA', [1, 1])],
)
const frame = () => new FrameBuilder(catalog)

function read(view: GraphView, id: string, attributeId = 2): number[] | null {
  const table = view.vertexTables[0]!
  const row = findRow(table, id)
  const column = table.columns.find((one) => one.attributeId === attributeId)
  return row < 0 || column === undefined ? null : vectorAt(column, row)
}

/** The vector of the vertex with this number. */
const emb = (i: number) => [i, 1 - i, i / 2]
const wide = (i: number) => Array.from({ length: 1000 }, (_, at) => Math.fround(i + at / 7))

async function filled(count: number, store = new MemoryStore()): Promise<GraphEngine> {
  const engine = await engineWith(catalog, store)
  const all = frame()
  for (let i = 0; i < count; i++) all.vertex('A', `a${i}`, { n: i, emb: emb(i), wide: wide(i) })
  await engine.commit(all.finish())
  return engine
}

describe('a vector column', () => {
  it('tells a vector of zeros from none', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(
      frame()
        .vertex('A', 'zero', { emb: [0, -0, 0] })
        .vertex('A', 'none', { n: 1 })
        .finish(),
    )
    expect(read(engine.view(), 'zero')).toEqual([0, 0, 0])
    expect(read(engine.view(), 'none')).toEqual([])
    await engine.close()
  })

  it('keeps the old one with ignore_if_exists and takes the new one else', async () => {
    const engine = await engineWith(catalog)
    const { ignoreIfExists } = fieldOp
    await engine.commit(
      frame()
        .vertex('A', 'x', { emb: [1, 2, 3] })
        .finish(),
    )
    await engine.commit(
      frame()
        .vertex('A', 'x', { emb: [4, 5, 6] }, ignoreIfExists)
        .finish(),
    )
    await engine.commit(
      frame()
        .vertex('A', 'y', { emb: [4, 5, 6] }, ignoreIfExists)
        .finish(),
    )
    expect(read(engine.view(), 'x')).toEqual([1, 2, 3])
    expect(read(engine.view(), 'y')).toEqual([4, 5, 6])
    await engine.commit(
      frame()
        .vertex('A', 'x', { emb: [7, 8, 9] })
        .finish(),
    )
    expect(read(engine.view(), 'x')).toEqual([7, 8, 9])
    await engine.close()
  })

  it('stays as it was for a pinned reader, page by page, while it grows', async () => {
    const engine = await filled(2_500)
    const pinned = engine.pin()
    const changes = frame()
    for (let i = 0; i < 2_500; i += 3) changes.vertex('A', `a${i}`, { emb: [9, 9, i] })
    for (let i = 2_500; i < 4_000; i++) changes.vertex('A', `a${i}`, { emb: emb(i), wide: wide(i) })
    await engine.commit(changes.finish())
    for (let i = 0; i < 2_500; i++) {
      expect(read(pinned.view, `a${i}`)).toEqual(emb(i))
      expect(read(engine.view(), `a${i}`)).toEqual(i % 3 === 0 ? [9, 9, i] : emb(i))
    }
    expect(read(engine.view(), 'a3999', 3)).toEqual(wide(3_999))
    pinned.release()
    await engine.commit(
      frame()
        .vertex('A', 'a7', { emb: [1, 1, 1] })
        .finish(),
    )
    for (let i = 0; i < 4_000; i += 13) {
      expect(read(engine.view(), `a${i}`)).toEqual(i % 3 === 0 && i < 2_500 ? [9, 9, i] : emb(i))
      expect(read(engine.view(), `a${i}`, 3)).toEqual(wide(i))
    }
    await engine.close()
  })

  it('comes back after a restart, from the log and from segments', async () => {
    const image = createMemoryImage()
    let engine = await filled(1_300, new MemoryStore(image))
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    expect(read(engine.view(), 'a1299')).toEqual(emb(1_299))
    await engine.rebuild({ force: true })
    await engine.commit(
      frame()
        .vertex('A', 'a5', { emb: [5, 5, 5] })
        .finish(),
    )
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    for (let i = 0; i < 1_300; i++) {
      expect(read(engine.view(), `a${i}`)).toEqual(i === 5 ? [5, 5, 5] : emb(i))
    }
    expect(read(engine.view(), 'a1024', 3)).toEqual(wide(1_024))
    await engine.close()
  })

  it('is written page by page where a reader holds an older version', async () => {
    const image = createMemoryImage()
    let engine = await filled(2_100, new MemoryStore(image))
    const pinned = engine.pin()
    const changes = frame().vertex('A', 'a1030', { emb: [1, 2, 3] })
    for (const i of [3, 70, 1_999]) changes.vertex('A', `a${i}`, { wide: wide(-i) })
    await engine.commit(changes.finish())
    for (const i of [3, 70, 1_999]) expect(read(pinned.view, `a${i}`, 3)).toEqual(wide(i))
    await engine.rebuild({ force: true })
    pinned.release()
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    for (let i = 0; i < 2_100; i++) {
      expect(read(engine.view(), `a${i}`)).toEqual(i === 1_030 ? [1, 2, 3] : emb(i))
      const sign = [3, 70, 1_999].includes(i) ? -1 : 1
      expect(read(engine.view(), `a${i}`, 3)).toEqual(wide(sign * i))
    }
    await engine.close()
  })

  it('moves with its rows when a rebuild leaves dead ones out', async () => {
    const image = createMemoryImage()
    let engine = await filled(1_500, new MemoryStore(image))
    const deletes = frame()
    for (let i = 0; i < 1_500; i++) if (i % 3 !== 0) deletes.deleteVertex('A', `a${i}`)
    await engine.commit(deletes.finish())
    await engine.rebuild({ force: true })
    expect(engine.view().vertexTables[0]!.rowCount).toBe(500)
    const check = () => {
      for (let i = 0; i < 1_500; i++) {
        expect(read(engine.view(), `a${i}`)).toEqual(i % 3 === 0 ? emb(i) : null)
      }
      expect(read(engine.view(), 'a1497', 3)).toEqual(wide(1_497))
    }
    check()
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    check()
    await engine.close()
  })

  it('comes and goes with its definition; a new one of the name is empty', async () => {
    const image = createMemoryImage()
    let engine = await filled(10, new MemoryStore(image))
    const with_ = (vectors: ReturnType<typeof vector>[]) => (now: Catalog) => ({
      ...now,
      version: now.version + 1,
      vertexTypes: now.vertexTypes.map((type) => ({ ...type, vectors, nextAttributeId: 9 })),
    })
    await engine.changeCatalog(with_([vector(3, 'wide', 1000)]))
    expect(read(engine.view(), 'a3')).toBeNull()
    expect(read(engine.view(), 'a3', 3)).toEqual(wide(3))
    await engine.changeCatalog(with_([vector(3, 'wide', 1000), vector(4, 'emb', 2)]))
    expect(read(engine.view(), 'a3', 4)).toEqual([])
    await expect(
      engine.commit(
        frame()
          .vertex('A', 'a3', { emb: [1, 2, 3] })
          .finish(),
      ),
    ).rejects.toThrow('The schema changed')
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    expect(read(engine.view(), 'a3', 3)).toEqual(wide(3))
    expect(read(engine.view(), 'a3', 4)).toEqual([])
    await engine.close()
  })
})
