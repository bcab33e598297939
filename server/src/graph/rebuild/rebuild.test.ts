import { describe, expect, it } from 'vitest'
import { REBUILD_LOG_BYTES_MAX } from '#kernel/limits.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
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
import { jsonAt } from '../columns/json.ts'
import type { GraphEngine } from '../engine.ts'
import { idText } from '../ids/read.ts'
import { isSet } from '../memory/bits.ts'
import type { GraphView, PinnedView } from '../view.ts'
import type { RebuildProgress } from './progress.ts'

const catalog = catalogOf(
  [
    vertexType(1, 'A', { attributes: attributes({ name: 'STRING', n: 'INT' }) }),
    vertexType(2, 'B', {
      primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'UINT', asAttribute: false },
      attributes: attributes({ list: { kind: 'LIST', element: { kind: 'INT' } } }),
    }),
  ],
  [
    edgeType(3, 'AB', [1, 2], { attributes: attributes({ w: 'DOUBLE', s: 'STRING' }) }),
    edgeType(4, 'AA', [1, 1], { directed: false, attributes: attributes({ w: 'INT' }) }),
    edgeType(5, 'BA', [2, 1], {
      discriminatorCount: 2,
      attributes: attributes({ month: 'STRING', day: 'INT', w: 'INT' }),
    }),
  ],
)

const frame = () => new FrameBuilder(catalog)

/** Everything a reader can see, as text and in its order: vertices, and edges from both ends. */
function dump(view: GraphView): string[] {
  const lines: string[] = []
  const names = new Map(view.vertexTables.map((table) => [table.typeId, table]))
  for (const table of view.vertexTables) {
    for (let row = 0; row < table.rowCount; row++) {
      if (isSet(table.deleted, row)) continue
      const values = table.columns.map((column) => jsonAt(column, row))
      lines.push(`${table.typeName} ${idText(table.ids, row)} ${values.join(' ')}`)
    }
  }
  for (const table of view.edgeTables) {
    for (const adjacency of table.adjacencies) {
      const from = names.get(adjacency.fromTypeId)!
      const to = names.get(adjacency.toTypeId)!
      const line = (source: number, target: number, edge: number) =>
        `${table.typeName} ${idText(from.ids, source)} ${idText(to.ids, target)} ${adjacency.columns
          .map((column) => jsonAt(column, edge))
          .join(' ')}`
      for (let row = 0; row < from.rowCount; row++) {
        forEachOut(adjacency, row, (other, edge) => lines.push(`> ${line(row, other, edge)}`))
      }
      for (let row = 0; row < to.rowCount; row++) {
        forEachIn(adjacency, row, (other, edge) => lines.push(`< ${line(other, row, edge)}`))
      }
    }
  }
  return lines
}

function dumpNow(engine: GraphEngine): string[] {
  return dump(engine.view())
}

function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A frame of random writes over a small graph. */
function randomFrame(next: (limit: number) => number, size: number): Uint8Array {
  const builder = frame()
  const a = () => `a${next(40)}`
  const b = () => next(20)
  for (let i = 0; i < size; i++) {
    const kind = next(12)
    const key = { month: `m${next(3)}`, day: next(3) }
    if (kind < 2) builder.vertex('A', a(), { name: `name ${next(9)}`, n: next(1e6) * 1e5 })
    else if (kind < 3) builder.vertex('B', b(), { list: [next(5), next(5)] }, 2)
    else if (kind < 5) builder.edge('AB', [a(), b()], { w: next(100) / 4, s: `s${next(5)}` })
    else if (kind < 7) builder.edge('AA', [a(), a()], { w: next(100) }, 2)
    else if (kind < 9) builder.edge('BA', [b(), a()], { ...key, w: next(100) }, 2)
    else if (kind < 10) builder.deleteEdge('BA', [b(), a()], key)
    else if (kind < 11) builder.deleteEdge('AB', [a(), b()])
    else if (next(4) === 0) builder.deleteVertex('A', a())
  }
  return builder.finish()
}

describe('rebuild', () => {
  it('changes nothing that a reader sees', async () => {
    const engine = await engineWith(catalog)
    const next = numbers(1)
    for (let i = 0; i < 20; i++) {
      await engine.commit(randomFrame(next, 60))
      const before = dumpNow(engine)
      const report = await engine.rebuild()
      expect(dumpNow(engine)).toEqual(before)
      expect(report).toMatchObject({ isCheckpoint: true, sequence: engine.sequence })
      for (const table of engine.view().edgeTables) {
        for (const adjacency of table.adjacencies) {
          expect(adjacency.deltaCount).toBe(0)
          expect(adjacency.liveCount).toBe(adjacency.baseCount)
          expect([...adjacency.outTargets].length).toBe(adjacency.baseCount)
        }
      }
    }
  })

  it('tells how far it is, from nothing to nearly all, and nothing once it is over', async () => {
    const seen: RebuildProgress[] = []
    const engine = await openEngine(new MemoryStore(), {
      scheduler: {
        yieldToOthers: async () => {
          const progress = engine.rebuildProgress
          if (progress !== null) seen.push(progress)
        },
      },
    })
    await engine.changeCatalog(() => catalog)
    const next = numbers(4)
    for (let i = 0; i < 20; i++) await engine.commit(randomFrame(next, 200))
    expect(engine.rebuildProgress).toBeNull()
    await engine.rebuild()
    expect(engine.rebuildProgress).toBeNull()
    const shares = seen.map(({ share }) => share)
    expect(shares.length).toBeGreaterThan(10)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeGreaterThan(0.8)
    expect(shares.at(-1)).toBeLessThanOrEqual(1)
    expect(new Set(shares).size).toBeGreaterThan(5)
    expect(seen.at(-1)?.step).toBe('writing')
    // Nothing changed: there is nothing to do, and no progress of it.
    const before = seen.length
    await engine.rebuild()
    expect(seen.slice(before).every(({ share }) => share === 0)).toBe(true)
  })

  it('gives the bases numbers of their own, which they keep as long as they stand', async () => {
    const engine = await engineWith(catalog)
    const next = numbers(3)
    const ids = () =>
      engine.view().edgeTables.flatMap((table) => table.adjacencies.map(({ baseId }) => baseId))
    await engine.commit(randomFrame(next, 200))
    await engine.rebuild()
    const before = ids()
    expect(new Set(before).size).toBe(before.length)
    await engine.commit(randomFrame(next, 200))
    expect(ids()).toEqual(before)
    await engine.rebuild()
    for (const id of ids()) expect(before).not.toContain(id)
  })

  it('is found again after a restart, with the log after it', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      let store = new MemoryStore()
      let engine = await engineWith(catalog, store)
      const next = numbers(seed)
      for (let i = 0; i < 6; i++) {
        await engine.commit(randomFrame(next, 50))
        if (next(2) === 0) await engine.rebuild()
        if (next(2) === 0) {
          const before = dumpNow(engine)
          await engine.close()
          store = new MemoryStore(store.image)
          engine = await openEngine(store)
          expect(dumpNow(engine), `seed ${seed}`).toEqual(before)
          expect(engine.deletedVertexCheck().isPassed).toBe(true)
        }
      }
    }
  })

  it('takes in what is written while a worker merges', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const store = new MemoryStore()
      const engine = await openEngine(store, { inlineMergeSizeMax: 0 })
      await engine.changeCatalog(() => catalog)
      const twin = await engineWith(catalog)
      const next = numbers(seed)
      const commit = async (bytes: Uint8Array) => {
        await engine.commit(bytes)
        await twin.commit(bytes)
      }
      await commit(randomFrame(next, 200))
      let isDone = false
      const rebuilt = engine.rebuild().finally(() => {
        isDone = true
      })
      for (let i = 0; i < 200 && !isDone; i++) await commit(randomFrame(next, 20))
      await rebuilt
      await commit(randomFrame(next, 50))
      expect(dumpNow(engine), `seed ${seed}`).toEqual(dumpNow(twin))
      const again = await openEngine(new MemoryStore(store.image))
      expect(dumpNow(again), `seed ${seed} after a restart`).toEqual(dumpNow(twin))
      await engine.rebuild()
      expect(dumpNow(engine)).toEqual(dumpNow(twin))
    }
  })

  it('keeps a pinned version through a rebuild', async () => {
    const engine = await engineWith(catalog)
    const next = numbers(5)
    await engine.commit(randomFrame(next, 300))
    const pinned = engine.pin()
    const count = () => {
      let edges = 0
      const adjacency = pinned.view.edgeTables[0]!.adjacencies[0]!
      for (let row = 0; row < 40; row++) {
        forEachOut(adjacency, row, (_other, edge) => {
          edges += 1 + jsonAt(adjacency.columns[0]!, edge).length
        })
      }
      return edges
    }
    const before = count()
    await engine.rebuild()
    await engine.commit(randomFrame(next, 300))
    await engine.rebuild()
    expect(count()).toBe(before)
    pinned.release()
    expect(engine.memory().copiedPagesBytes).toBe(0)
  })

  it('keeps every pinned version through writes, big batches, rebuilds and catch-up', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const engine = await openEngine(new MemoryStore(), { inlineMergeSizeMax: seed % 2 ? 0 : 1e6 })
      await engine.changeCatalog(() => catalog)
      const next = numbers(seed)
      const pins: { pinned: PinnedView; expected: string[] }[] = []
      const working: Promise<unknown>[] = []
      for (let step = 0; step < 60; step++) {
        const kind = next(10)
        if (kind < 5) await engine.commit(randomFrame(next, 30))
        else if (kind < 6) working.push(engine.commit(randomFrame(next, 4000)))
        else if (kind < 7) {
          working.push(engine.rebuild())
        } else if (kind < 9) {
          const pinned = engine.pin()
          pins.push({ pinned, expected: dump(pinned.view) })
        } else if (pins.length > 0) pins.splice(next(pins.length), 1)[0]!.pinned.release()
        await new Promise((resolve) => setImmediate(resolve))
        for (const { pinned, expected } of pins) {
          expect(dump(pinned.view), `seed ${seed} step ${step}`).toEqual(expected)
        }
      }
      await Promise.all(working)
      const present = dumpNow(engine)
      for (const { pinned } of pins) pinned.release()
      expect(engine.memory().copiedPagesBytes).toBe(0)
      expect(dumpNow(engine), `seed ${seed}`).toEqual(present)
      expect(engine.deletedVertexCheck().isPassed).toBe(true)
    }
  }, 120_000)

  it('reports segments and leaves the disk alone for selected types', async () => {
    const store = new MemoryStore()
    const engine = await engineWith(catalog, store)
    await engine.commit(randomFrame(numbers(2), 200))
    const partial = await engine.rebuild({ vertexTypeIds: [1] })
    expect(partial.isCheckpoint).toBe(false)
    expect(partial.segments.map((one) => [one.typeName, one.isSelected])).toEqual([
      ['A', true],
      ['B', false],
    ])
    expect(store.image.manifest).toBeNull()
    const before = dumpNow(engine)
    const whole = await engine.rebuild()
    expect(whole.isCheckpoint).toBe(true)
    expect((await engine.rebuild()).segments.every((one) => !one.isSelected)).toBe(true)
    expect((await engine.rebuild({ force: true })).segments.every((one) => one.isSelected)).toBe(
      true,
    )
    expect(dumpNow(await openEngine(new MemoryStore(store.image)))).toEqual(before)
  })

  it('begins again when the schema changes under it, and leaks no memory', async () => {
    const store = new MemoryStore()
    const engine = await openEngine(store, { inlineMergeSizeMax: 0 })
    await engine.changeCatalog(() => catalog)
    await engine.commit(randomFrame(numbers(4), 500))
    const rebuilt = engine.rebuild()
    await engine.changeCatalog((old) => ({ ...old, version: old.version + 1 }))
    await engine.changeCatalog((old) => ({
      ...old,
      edgeTypes: old.edgeTypes.filter((type) => type.name !== 'BA'),
    }))
    const before = dumpNow(engine)
    expect((await rebuilt).isCheckpoint).toBe(true)
    expect(dumpNow(engine)).toEqual(before)
    const { usedBytes, tables } = engine.memory()
    expect(tables.reduce((sum, table) => sum + table.sizeBytes, 0)).toBe(usedBytes)
    expect(dumpNow(await openEngine(new MemoryStore(store.image)))).toEqual(before)
  })

  it('survives schema changes between checkpoints', async () => {
    const store = new MemoryStore()
    const engine = await engineWith(catalog, store)
    await engine.commit(randomFrame(numbers(3), 100))
    await engine.rebuild()
    await engine.changeCatalog((old) => ({
      ...old,
      vertexTypes: old.vertexTypes.map((type) =>
        type.name === 'A'
          ? {
              ...type,
              attributes: [
                ...type.attributes.slice(1),
                { id: 7, name: 'city', type: { kind: 'STRING' }, defaultText: 'Rome' },
              ],
            }
          : type,
      ),
      edgeTypes: old.edgeTypes.filter((type) => type.name !== 'AB'),
    }))
    const before = dumpNow(engine)
    expect(dumpNow(await openEngine(new MemoryStore(store.image)))).toEqual(before)
    await engine.rebuild()
    expect(dumpNow(await openEngine(new MemoryStore(store.image)))).toEqual(before)
  })
})

describe('deletedVertexCheck', () => {
  it('passes while both engines agree and fails when they do not', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('A', 'x').vertex('A', 'y').finish())
    await engine.commit(frame().deleteVertex('A', 'x').finish())
    expect(engine.deletedVertexCheck({ withIds: true })).toMatchObject({
      isPassed: true,
      segments: [{ typeName: 'A', gpeCount: 1, gseCount: 1, deletedIds: ['x'] }],
    })
    engine.deletedIds.deleted(1, 1)
    const failed = engine.deletedVertexCheck()
    expect(failed.isPassed).toBe(false)
    expect(failed.segments[0]).toMatchObject({ isInSync: false, gpeCount: 1, gseCount: 2 })
    expect(engine.deletedVertexCheck({ vertexTypeIds: [2] }).isPassed).toBe(true)
  })

  it('merges a column as it was although its strings are many meanwhile', async () => {
    const engine = await openEngine(new MemoryStore(), { inlineMergeSizeMax: 0 })
    await engine.changeCatalog(() => catalog)
    const edges = (typeName: 'AB' | 'BA', from: number, to: number) => {
      const batch = frame()
      for (let i = from; i < to; i++) {
        if (typeName === 'AB') batch.edge('AB', [`a${i}`, i], { s: `string ${i}` })
        else batch.edge('BA', [i, `a${i}`], { month: `month ${i}`, day: i })
      }
      return batch.finish()
    }
    await engine.commit(edges('AB', 0, 3_000))
    await engine.commit(edges('BA', 0, 3_000))
    const rebuild = engine.rebuild()
    // The dictionaries, beyond 4,096 entries that are mostly distinct, become offsets meanwhile.
    await engine.commit(edges('BA', 3_000, 6_000))
    await engine.commit(edges('AB', 3_000, 6_000))
    const written = dumpNow(engine)
    await rebuild
    expect(dumpNow(engine)).toEqual(written)
  })
})

it('tells of a rebuild that began by itself and failed', async () => {
  const store = new MemoryStore()
  const { statistics } = store
  store.statistics = () => ({ ...statistics.call(store), logSizeBytes: REBUILD_LOG_BYTES_MAX })
  store.beginSegments = () => {
    throw new Error('no room for segments')
  }
  const failures: unknown[] = []
  const engine = await openEngine(store, { onRebuildFailure: (error) => failures.push(error) })
  await engine.changeCatalog(() => catalog)
  await expect(engine.rebuild()).rejects.toThrow('no room')
  await engine.close()
  expect(failures.map(String)).toEqual(['Error: no room for segments'])
})
