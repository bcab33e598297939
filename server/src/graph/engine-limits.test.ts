import { describe, expect, it, vi } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  openEngine,
  realScheduler,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { stringAt, valueAt } from './columns/read.ts'
import type { GraphEngine } from './engine.ts'
import { FrameApplication } from './mutate/apply.ts'
import { fieldOp, frameFlag } from './mutate/frame-format.ts'
import { FrameWriter } from './mutate/frame-writer.ts'

const catalog = catalogOf([
  vertexType(1, 'V', {
    attributes: attributes({
      s: 'STRING',
      n: 'INT',
      l: { kind: 'LIST', element: { kind: 'INT' } },
    }),
  }),
])
const frame = () => new FrameBuilder(catalog)

describe('the engine', () => {
  it('does not keep every form of a text that grows within one batch', async () => {
    const image = createMemoryImage()
    const engine = await engineWith(catalog, new MemoryStore(image))
    // So many distinct texts that they lie in a heap; the short ones stay as they are.
    const many = frame()
    for (let i = 0; i < 5_000; i++) many.vertex('V', `v${i}`, { s: `text ${i}` })
    await engine.commit(many.finish())
    const piece = 'x'.repeat(4_096)
    const growing = frame()
    for (let i = 0; i < 400; i++) growing.vertex('V', 'v7', { s: piece }, fieldOp.add)
    await engine.commit(growing.finish())
    // 400 forms of up to 1.6 MB are 330 MB.
    expect(engine.memory().usedBytes).toBeLessThan(150_000_000)
    const again = await openEngine(new MemoryStore(image))
    for (const { columns } of [engine.view().vertexTables[0]!, again.view().vertexTables[0]!]) {
      expect(stringAt(columns[0]!, 7).length).toBe(6 + 400 * 4_096)
      expect(stringAt(columns[0]!, 4_999)).toBe('text 4999')
    }
  })

  it('shows nothing of an entry that it could not apply whole', async () => {
    const whileReloading: (() => void)[] = []
    const engine: GraphEngine = await openEngine(new MemoryStore(), {
      onReload: ({ kind }) => {
        if (kind === 'begun') for (const check of whileReloading) check()
      },
    })
    await engine.changeCatalog(() => catalog)
    await engine.commit(frame().vertex('V', 'a').finish())
    const { step } = FrameApplication.prototype
    using _failing = vi.spyOn(FrameApplication.prototype, 'step').mockImplementationOnce(function (
      this: FrameApplication,
      isLate,
    ) {
      step.call(this, isLate)
      throw new Error('half way')
    })
    let refused: Promise<unknown> | null = null
    whileReloading.push(() => {
      expect(() => engine.view()).toThrow('is being read again')
      expect(() => engine.pin()).toThrow('A log entry could not be applied.')
      refused = engine.commit(frame().vertex('V', 'd').finish()).catch((error: unknown) => error)
    })
    const commit = engine.commit(frame().vertex('V', 'b').finish())
    const behind = engine.commit(frame().vertex('V', 'c').finish())
    // Both are in the log, and are applied as the graph is read again.
    expect(await commit).toMatchObject({ acceptedVertices: 1 })
    expect(await behind).toMatchObject({ acceptedVertices: 1 })
    expect(await refused).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfterSeconds: 5 } })
    expect(engine.view().vertexTables[0]!.rowCount).toBe(3)
    await engine.commit(frame().vertex('V', 'd').finish())
    expect(engine.view().vertexTables[0]!.rowCount).toBe(4)
  })

  it('asks for a restart when the graph cannot be read again either', async () => {
    const image = createMemoryImage()
    const engine = await engineWith(catalog, new MemoryStore(image))
    await engine.commit(frame().vertex('V', 'a').finish())
    {
      using _failing = vi.spyOn(FrameApplication.prototype, 'step').mockImplementation(() => {
        throw new Error('never')
      })
      const commit = engine.commit(frame().vertex('V', 'b').finish())
      await expect(commit).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await expect(commit).rejects.toThrow('could not be read again; restart')
    }
    expect(() => engine.view()).toThrow('restart')
    await expect(engine.rebuild()).rejects.toThrow('restart')
    await engine.close()
    const again = await openEngine(new MemoryStore(image))
    expect(again.view().vertexTables[0]!.rowCount).toBe(2)
  })

  it('appends to lists of any length', async () => {
    const engine = await engineWith(catalog)
    const growing = frame().vertex('V', 'a', { l: [] })
    for (let i = 0; i < 300; i++) growing.vertex('V', 'a', { l: [i, -i] }, fieldOp.add)
    growing.vertex('V', 'a', { l: [] }, fieldOp.add)
    await engine.commit(growing.finish())
    const [table] = engine.view().vertexTables
    const expected = Array.from({ length: 300 }, (_unused, i) => [i, 0 - i]).flat()
    expect(valueAt(table!.columns[2]!, 0)).toEqual(expected)
  })

  const checked = { checkedFromBytes: 0, heapSizeBytesMax: 1e9, rowCountMax: 1e9 }

  it('accepts upserts of a graph that is large enough for its heaps to be checked', async () => {
    const engine = await openEngine(new MemoryStore(), { fullLimits: checked })
    const second = vertexType(2, 'W', { attributes: attributes({ s: 'STRING' }) })
    const third = vertexType(3, 'X', { attributes: attributes({ s: 'STRING' }) })
    const all = catalogOf([...catalog.vertexTypes, second, third])
    await engine.changeCatalog(() => all)
    const remaining = { ...all, vertexTypes: [catalog.vertexTypes[0]!, third] }
    await engine.changeCatalog(() => remaining)
    const writes = new FrameBuilder(remaining)
    await engine.commit(writes.vertex('V', 'a', { s: 'text' }).vertex('X', 'b').finish())
    await engine.commit(frame().vertex('V', 'c').finish())
    expect(engine.tables.vertexTable(1)!.rowCount).toBe(2)
  })

  it('refuses texts that may not be addressed, of the full attribute only', async () => {
    const bytes = frame()
      .vertex('V', 'b', { s: 'y'.repeat(100) })
      .finish()
    const open = async (heapSizeBytesMax: number) => {
      const engine = await openEngine(new MemoryStore(), {
        fullLimits: { ...checked, heapSizeBytesMax },
      })
      await engine.changeCatalog(() => catalog)
      await engine.commit(
        frame()
          .vertex('V', 'a', { s: 'x'.repeat(1_000) })
          .finish(),
      )
      return engine
    }
    const [column] = (await open(1e6)).tables.vertexTable(1)!.columns
    const usedBytes = column!.heapUse().byteCount
    const [fits, full] = [
      await open(usedBytes + bytes.length),
      await open(usedBytes + bytes.length - 1),
    ]
    await fits.commit(bytes)
    const refused = full.commit(bytes)
    await expect(refused).rejects.toMatchObject({ code: 'MEMORY_LIMIT' })
    await expect(refused).rejects.toThrow('The values of V.s have reached 4 GB')
    await full.commit(frame().vertex('V', 'b', { n: 7 }).finish())
    await full.commit(frame().deleteVertex('V', 'a').finish())
    expect(full.view().vertexTables[0]!.liveCount).toBe(1)
  })

  it('refuses a commit that may make more rows than can be counted', async () => {
    const bytes = frame().vertex('V', 'b').finish()
    const open = async (rowCountMax: number) => {
      const engine = await openEngine(new MemoryStore(), {
        fullLimits: { ...checked, rowCountMax },
      })
      await engine.changeCatalog(() => catalog)
      await engine.commit(frame().vertex('V', 'a').finish())
      return engine
    }
    await (await open(1 + bytes.length)).commit(bytes)
    await expect((await open(bytes.length)).commit(bytes)).rejects.toThrow('2 billion rows')
  })

  it('lets others run while it judges a large atomic batch that it refuses', async () => {
    let now = 0
    let pauses = 0
    const engine = await openEngine(new MemoryStore(), {
      clock: { nowMs: () => now, monotonicMs: () => (now += 6) },
      scheduler: {
        yieldToOthers: () => {
          pauses++
          return realScheduler.yieldToOthers()
        },
      },
    })
    await engine.changeCatalog(() => catalog)
    await engine.commit(frame().vertex('V', 'v39999').finish())
    const writer = new FrameWriter(frameFlag.atomic | frameFlag.newVertexOnly)
    writer.beginVertices(1, [])
    for (let i = 0; i < 40_000; i++) {
      writer.textKey(`v${i}`)
      writer.endEntry()
    }
    pauses = 0
    const outcome = await engine.commit(writer.finish())
    expect(outcome).toMatchObject({ rejected: true, skippedVertices: [{ id: 'v39999' }] })
    expect(pauses).toBeGreaterThan(20)
    expect(engine.view().vertexTables[0]!.rowCount).toBe(1)
  })

  it('makes no checkpoint of an entry that was applied in part', async () => {
    const image = createMemoryImage()
    let rebuilt: Promise<unknown> | null = null
    const engine: GraphEngine = await openEngine(new MemoryStore(image), {
      onReload: ({ kind }) => {
        if (kind === 'begun') rebuilt = engine.rebuild().catch((error: unknown) => String(error))
      },
    })
    await engine.changeCatalog(() => catalog)
    await engine.commit(frame().vertex('V', 'a', { n: 1 }).finish())
    poison(engine, 1)
    const half = frame().vertex('V', 'b').vertex('V', 'a', { n: 1 }, fieldOp.add)
    await engine.commit(half.finish())
    expect(await rebuilt).toContain('is being read again')
    await engine.rebuild()
    await engine.close()
    const again = await openEngine(new MemoryStore(image))
    const [table] = again.view().vertexTables
    expect(table!.rowCount).toBe(2)
    expect(valueAt(table!.columns[1]!, 0)).toBe(2)
  })

  it('shows nothing of a long batch that fails, and lets go of who waits for its end', async () => {
    let now = 0
    let isApplying = false
    let rebuilt: Promise<unknown> | null = null
    const engine: GraphEngine = await openEngine(new MemoryStore(), {
      clock: { nowMs: () => now, monotonicMs: () => (now += 6) },
      scheduler: {
        yieldToOthers: () => {
          if (isApplying) rebuilt ??= engine.rebuild().catch((error: unknown) => String(error))
          return realScheduler.yieldToOthers()
        },
      },
    })
    await engine.changeCatalog(() => catalog)
    poison(engine, 9_000)
    const batch = frame()
    for (let i = 0; i < 10_000; i++) batch.vertex('V', `v${i}`, { n: i })
    isApplying = true
    expect(await engine.commit(batch.finish())).toMatchObject({ acceptedVertices: 10_000 })
    expect(await rebuilt).toContain('again')
    expect(engine.view().vertexTables[0]!.rowCount).toBe(10_000)
    await engine.close()
  })

  it('asks a reader to go who came while a long batch was being applied', async () => {
    let now = 0
    let pinned: ReturnType<GraphEngine['pin']> | null = null
    let isRevoked = false
    let isApplying = false
    const engine: GraphEngine = await openEngine(new MemoryStore(), {
      copiedPagesBytesMax: 1,
      clock: { nowMs: () => now, monotonicMs: () => (now += 6) },
      scheduler: {
        yieldToOthers: () => {
          if (isApplying) {
            pinned ??= engine.pin(() => {
              isRevoked = true
            })
          }
          return realScheduler.yieldToOthers()
        },
      },
    })
    await engine.changeCatalog(() => catalog)
    const batch = (n: number) => {
      const writes = frame()
      for (let i = 0; i < 10_000; i++) writes.vertex('V', `v${i}`, { n })
      return writes.finish()
    }
    await engine.commit(batch(0))
    isApplying = true
    await engine.commit(batch(1))
    isApplying = false
    expect(pinned).not.toBeNull()
    await engine.commit(batch(2))
    expect(isRevoked).toBe(true)
    pinned!.release()
    expect(engine.memory().copiedPagesBytes).toBe(0)
  })
})

/** The n-th number written from now on fails, as only a fault of ours could. */
function poison(engine: GraphEngine, call: number): void {
  const column = engine.tables.vertexTable(1)!.columns[1]!
  const write = column.writeSafe.bind(column)
  let calls = 0
  column.writeSafe = (row, value) => {
    calls += 1
    if (calls === call) throw new Error('poisoned')
    write(row, value)
  }
}
