import { describe, expect, it, vi } from 'vitest'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../test/fixtures/engine.ts'
import type { GraphEngine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'

const catalog = catalogOf(
  [vertexType(1, 'V', { attributes: attributes({ n: 'INT' }) })],
  [edgeType(2, 'E', [1, 1], { attributes: attributes({ w: 'DOUBLE' }) })],
)
const frame = () => new FrameBuilder(catalog)
const refused = { code: 'MEMORY_LIMIT' }

async function engineOf(options: Partial<EngineOptions>): Promise<GraphEngine> {
  const engine = await openEngine(new MemoryStore(), options)
  await engine.changeCatalog(() => catalog)
  return engine
}

/** Vertices and as many edges until a commit is refused. @returns how many and the refusal */
async function fill(engine: GraphEngine): Promise<{ count: number; error: unknown }> {
  for (let count = 0; ; count += 500) {
    const batch = frame()
    for (let i = count; i < count + 500; i++) {
      batch.edge('E', [`v${i}`, `v${i >>> 1}`], { w: i })
    }
    try {
      await engine.commit(batch.finish())
    } catch (error) {
      return { count, error }
    }
  }
}

describe('the memory limit', () => {
  it('counts what the process holds: writes are refused, reads and deletes go on', async () => {
    const process = { residentBytes: 90_000_000 }
    let nowMs = 0
    const engine = await engineOf({
      memoryLimitBytes: 100_000_000,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      residentBytes: () => process.residentBytes,
    })
    await engine.commit(frame().vertex('V', 'a', { n: 1 }).finish())
    process.residentBytes = 100_000_001
    nowMs += 1_000
    const write = engine.commit(frame().vertex('V', 'b').finish())
    await expect(write).rejects.toMatchObject(refused)
    await expect(write).rejects.toThrow('The server has reached its memory limit; writes are off.')
    expect(engine.view().vertexTables[0]!.liveCount).toBe(1)
    await engine.commit(frame().deleteVertex('V', 'a').finish())
    expect(engine.view().vertexTables[0]!.liveCount).toBe(0)
    process.residentBytes = 90_000_000
    nowMs += 1_000
    await engine.commit(frame().vertex('V', 'b').finish())
  })

  it('collects superseded arrays before it refuses a write, but not at every refusal', async () => {
    const process = { residentBytes: 200_000_000, collections: 0, garbageBytes: 150_000_000 }
    let nowMs = 0
    const engine = await engineOf({
      memoryLimitBytes: 100_000_000,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      residentBytes: () => process.residentBytes,
      collectGarbage: () => {
        process.collections += 1
        process.residentBytes -= process.garbageBytes
        process.garbageBytes = 0
      },
    })
    await engine.commit(frame().vertex('V', 'a').finish())
    expect(process.collections).toBe(1)
    process.residentBytes = 200_000_000
    nowMs += 1_000
    await expect(engine.commit(frame().vertex('V', 'b').finish())).rejects.toMatchObject(refused)
    expect(process.collections).toBe(1)
    nowMs += 10_000
    await expect(engine.commit(frame().vertex('V', 'b').finish())).rejects.toMatchObject(refused)
    expect(process.collections).toBe(2)
  })

  it('collects when it has obtained half as much memory as the graph takes', async () => {
    let collections = 0
    let nowMs = 0
    const engine = await engineOf({
      memoryLimitBytes: 2 ** 33,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      collectGarbage: () => {
        collections += 1
      },
    })
    const type = vertexType(3, 'T', { attributes: attributes({ name: 'STRING' }) })
    const texts = catalogOf([type], [], { version: 2 })
    await engine.changeCatalog(() => texts)
    const text = () => `${nowMs}`.padEnd(8_000_000, 'x')
    const countAfter = async (commits: number) => {
      for (let i = 0; i < commits; i++) {
        // Each is measured anew.
        nowMs += 10_000
        // The strings of before leave with their heap now and then.
        const batch = new FrameBuilder(texts).vertex('T', 'a', { name: text() })
        await engine.commit(batch.finish())
      }
      return collections
    }
    expect(await countAfter(2)).toBe(0)
    expect(await countAfter(20)).toBeGreaterThan(0)
    expect(collections).toBeLessThan(12)
  })

  it('counts what is admitted between two measurements', async () => {
    const engine = await engineOf({
      memoryLimitBytes: 50_000_000,
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      residentBytes: () => 1_000_000,
    })
    // The clock stands still and the process seems small: the graph is measured all the same.
    const { count, error } = await fill(engine)
    expect(error).toMatchObject(refused)
    expect(count).toBeGreaterThan(10_000)
    expect(engine.memory().usedBytes).toBeLessThan(50_000_000)
  })

  it('leaves a rebuild its room: a full server can be rebuilt within the limit', async () => {
    const memoryLimitBytes = 20_000_000
    const engine = await engineOf({ memoryLimitBytes, inlineMergeSizeMax: 1e9 })
    const { error } = await fill(engine)
    expect(error).toMatchObject(refused)
    const before = engine.memory().usedBytes
    await engine.rebuild()
    expect(engine.memory().usedBytes).toBeLessThan(before)
  })

  it('begins a rebuild when a write is refused that a rebuild makes room for', async () => {
    const engine = await engineOf({ memoryLimitBytes: 20_000_000 })
    const { count, error } = await fill(engine)
    expect(String(error)).toContain('A rebuild makes room.')
    const isMerged = () => engine.tables.edgeTable(2)!.adjacencies[0]!.delta.count === 0
    await vi.waitFor(() => expect(isMerged()).toBe(true), 20_000)
    expect(engine.view().vertexTables[0]!.liveCount).toBe(count)
  })
})
