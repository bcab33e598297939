/** What meets a graph that is read again, because a durable entry could not be applied. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import { REBUILD_DELTA_COUNT_MIN } from '#kernel/limits.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { openSqliteHarness } from '../../test/conformance/sqlite-harness.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  realScheduler,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { stringAt, valueAt } from './columns/read.ts'
import type { GraphEngine } from './engine.ts'
import type { ReloadEvent } from './engine-options.ts'
import { idText } from './ids/read.ts'
import { allocationFault, memoryRefused } from './memory/allocate.ts'
import { FrameApplication } from './mutate/apply.ts'
import { Rebuilds } from './rebuild/rebuilds.ts'
import { Tables } from './tables/tables.ts'

const catalog = catalogOf(
  [vertexType(1, 'V', { attributes: attributes({ s: 'STRING', n: 'INT' }) })],
  [edgeType(2, 'E', [1, 1], { attributes: attributes({ w: 'DOUBLE' }) })],
)
const frame = (given = catalog) => new FrameBuilder(given)
const vertices = (from: number, count: number) => {
  const builder = frame()
  for (let i = from; i < from + count; i++) builder.vertex('V', `v${i}`, { s: `text ${i}`, n: i })
  return builder.finish()
}

/** The next entry is applied to its end, and fails then. */
function failNext(before: () => void = () => {}): void {
  const { step } = FrameApplication.prototype
  vi.spyOn(FrameApplication.prototype, 'step').mockImplementationOnce(function (
    this: FrameApplication,
    isLate,
  ) {
    step.call(this, isLate)
    before()
    throw new Error('half way')
  })
}

/** An engine, and calls for what happens to it. */
async function opened(
  events: Partial<Record<ReloadEvent['kind'], () => void>> = {},
  store = new MemoryStore(),
) {
  const seen: string[] = []
  const engine = await openEngine(store, {
    onReload: ({ kind }) => {
      seen.push(kind)
      events[kind]?.()
    },
  })
  await engine.changeCatalog(() => catalog)
  return { engine, seen }
}

afterEach(() => {
  allocationFault.before = null
  vi.restoreAllMocks()
})

describe('a graph that is read again', () => {
  it('shows nothing of the entry from the moment at which it fails', async () => {
    const { engine } = await opened()
    await engine.commit(vertices(0, 1))
    expect(engine.view().vertexTables[0]!.rowCount).toBe(1)
    const seen: unknown[] = []
    const look = () => {
      try {
        seen.push(engine.view().version)
      } catch (error) {
        seen.push((error as { code: string }).code)
      }
    }
    failNext(() => queueMicrotask(look))
    await engine.commit(vertices(1, 1))
    expect(seen).toEqual(['UNAVAILABLE'])
  })

  it('leaves pinned versions as they are, and keeps nothing for them once they are released', async () => {
    const { engine } = await opened()
    await engine.commit(vertices(0, 3_000))
    const pinned = engine.pin()
    await engine.commit(
      frame().vertex('V', 'v7', { s: 'other', n: -7 }).deleteVertex('V', 'v8').finish(),
    )
    failNext()
    await engine.commit(frame().vertex('V', 'v9', { n: -9 }).finish())
    const later = engine.pin()
    await engine.commit(frame().vertex('V', 'v9', { n: -99 }).finish())
    const numberOf = (view: typeof pinned.view, row: number) =>
      valueAt(view.vertexTables[0]!.columns[1]!, row)
    expect(stringAt(pinned.view.vertexTables[0]!.columns[0]!, 7)).toBe('text 7')
    expect([7, 9].map((row) => numberOf(pinned.view, row))).toEqual([7, 9])
    expect([7, 9].map((row) => numberOf(later.view, row))).toEqual([-7, -9])
    expect([7, 9].map((row) => numberOf(engine.view(), row))).toEqual([-7, -99])
    pinned.release()
    later.release()
    expect(engine.memory().copiedPagesBytes).toBe(0)
    expect(engine.versions.pinCount).toBe(0)
  })

  it('asks those who read the old tables to go when there is no memory for the new ones', async () => {
    const { engine, seen } = await opened()
    await engine.commit(vertices(0, 100))
    const left: string[] = []
    const readers = ['first', 'second'].map((name) => {
      const pinned = engine.pin(() => {
        left.push(`${name} when ${seen.join()}`)
        // A query takes a while to notice.
        setTimeout(() => pinned.release(), 10)
      })
      return pinned
    })
    failNext(() => failAllocation(1))
    await engine.commit(vertices(100, 1))
    expect(seen).toEqual(['begun', 'attempt-failed', 'ended'])
    expect(left).toEqual(['first when begun,attempt-failed', 'second when begun,attempt-failed'])
    expect(engine.versions.pinCount).toBe(0)
    for (const reader of readers) reader.release()
    expect(engine.view().vertexTables[0]!.rowCount).toBe(101)
  })

  it('takes as much memory as one that was just opened', async () => {
    const image = createMemoryImage()
    const { engine, seen } = await opened({}, new MemoryStore(image))
    await engine.commit(vertices(0, 500))
    await engine.rebuild({ force: true })
    const edges = frame()
    for (let i = 0; i < 500; i++) edges.edge('E', [`v${i}`, `v${i >> 1}`], { w: i })
    await engine.commit(edges.finish())
    // The entry fails once it is applied, then each allocation of the first attempt in turn.
    for (let place = 1; ; place += 5) {
      seen.length = 0
      failNext(() => failAllocation(place))
      await engine.commit(frame().vertex('V', 'v1', { n: place }).finish())
      allocationFault.before = null
      const fresh = await openEngine(new MemoryStore(image))
      expect(engine.memory().usedBytes, `allocation ${place}`).toBe(fresh.memory().usedBytes)
      if (!seen.includes('attempt-failed')) break
      expect(seen).toEqual(['begun', 'attempt-failed', 'ended'])
    }
    expect(seen).toEqual(['begun', 'ended'])
  })

  it('makes converted columns once', async () => {
    const image = createMemoryImage()
    const { engine, seen } = await opened({}, new MemoryStore(image))
    await engine.commit(vertices(0, 100))
    // The columns are made beforehand, and put in place before it fails.
    const { reconcile } = Tables.prototype
    vi.spyOn(Tables.prototype, 'reconcile').mockImplementationOnce(function (
      this: Tables,
      ...given
    ) {
      reconcile.apply(this, given)
      throw new Error('half way')
    })
    await engine.changeCatalog(() => converted)
    expect(seen).toEqual(['begun', 'ended'])
    const column = engine.view().vertexTables[0]!.columns[1]!
    expect([stringAt(column, 0), stringAt(column, 99)]).toEqual(['0', '99'])
    const fresh = await openEngine(new MemoryStore(image))
    expect(engine.memory().usedBytes).toBe(fresh.memory().usedBytes)
    await engine.commit(frame(converted).vertex('V', 'v5', { n: 'five' }).finish())
    expect(stringAt(engine.view().vertexTables[0]!.columns[1]!, 5)).toBe('five')
  })

  it('begins no rebuild by itself meanwhile', async () => {
    let due: Promise<unknown> | null = null
    const { engine } = await opened({
      begun: () => {
        due = engine.rebuildIfDue()
        due.catch(() => {})
      },
    })
    const edges = frame()
    for (let i = 0; i < REBUILD_DELTA_COUNT_MIN; i++) edges.edge('E', [`v${i}`, 'v0'], { w: i })
    await engine.commit(edges.finish())
    failNext()
    await engine.commit(vertices(0, 1))
    expect(await due).toBeNull()
    expect(await engine.rebuildIfDue()).toMatchObject({ isCheckpoint: true })
  })

  it('compares no deleted vertices before it is whole', async () => {
    const check = vi.fn(() => {
      expect(() => engine.deletedVertexCheck()).toThrow('is being read again')
    })
    const { engine } = await opened({ begun: check })
    await engine.commit(vertices(0, 1))
    failNext()
    await engine.commit(vertices(1, 1))
    expect(check).toHaveBeenCalledOnce()
    expect(engine.deletedVertexCheck()).toMatchObject({ isPassed: true })
  })

  it('is not waited for when the server stops', async () => {
    const image = createMemoryImage()
    const { engine, seen } = await opened(
      { begun: () => void engine.endRebuilds() },
      new MemoryStore(image),
    )
    await engine.commit(vertices(0, 100))
    await engine.rebuild()
    failNext()
    const commit = engine.commit(vertices(100, 1))
    await expect(commit).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(commit).rejects.toThrow('shutting down')
    expect(seen).toEqual(['begun'])
    await engine.close()
    const again = await openEngine(new MemoryStore(image))
    expect(again.view().vertexTables[0]!.rowCount).toBe(101)
  })

  it('has no rebuilds when the server began to stop before', async () => {
    const { engine } = await opened()
    await engine.commit(vertices(0, 1))
    // Nothing of this graph is read in slices, so that the reading ends in spite of the stop.
    failNext(() => void engine.endRebuilds())
    await engine.commit(vertices(1, 1)).catch(() => {})
    await expect(engine.rebuild({ force: true })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await engine.rebuildIfDue()).toBeNull()
  })

  it('is waited for by a read behind a commit that was answered early', async () => {
    const { engine } = await opened()
    await engine.commit(vertices(0, 1))
    failNext()
    const early = [1, 2].map((from) => engine.commit(vertices(from, 1), { ack: 'none' }))
    expect(await Promise.all(early)).toMatchObject([{ sequence: 3 }, { sequence: 4 }])
    await engine.earlyAnswered
    expect(engine.earlyAnswered).toBeNull()
    expect(engine.view().vertexTables[0]!.rowCount).toBe(3)
  })

  it('may have to be read again a second time', async () => {
    const { engine, seen } = await opened()
    failNext()
    await engine.commit(vertices(0, 10))
    failNext()
    const commits = [10, 20, 30].map((from) => engine.commit(vertices(from, 10)))
    expect((await Promise.all(commits)).map(({ acceptedVertices }) => acceptedVertices)).toEqual([
      10, 10, 10,
    ])
    expect(seen).toEqual(['begun', 'ended', 'begun', 'ended'])
    await engine.commit(vertices(40, 1))
    expect(engine.view().vertexTables[0]!.rowCount).toBe(41)
  })

  it('is whole again before a schema change converts columns', async () => {
    const { engine, seen } = await opened({}, new SlowStore())
    failNext()
    const commits = [0, 50].map((from) => engine.commit(vertices(from, 50)))
    // It waits for the commits, the first of which fails meanwhile.
    expect(await engine.changeCatalog(() => converted)).toMatchObject({ version: 2 })
    expect(await Promise.all(commits)).toMatchObject([{ sequence: 2 }, { sequence: 3 }])
    expect(seen).toEqual(['begun', 'ended'])
    const { rowCount, columns } = engine.view().vertexTables[0]!
    expect([rowCount, stringAt(columns[1]!, 99)]).toEqual([100, '99'])
  })

  it('is read again when no entry is left to be answered', async () => {
    const { engine, seen } = await opened()
    const { logGrew } = Rebuilds.prototype
    vi.spyOn(Rebuilds.prototype, 'logGrew').mockImplementationOnce(function (
      this: Rebuilds,
      bytes,
    ) {
      logGrew.call(this, bytes)
      throw new Error('after it was applied')
    })
    await engine.commit(vertices(0, 5))
    await engine.settled()
    await expect.poll(() => seen).toEqual(['begun', 'ended'])
    expect(engine.view().vertexTables[0]!.rowCount).toBe(5)
  })

  it('is read from the files of a store that keeps taking commits', async () => {
    const harness = await openSqliteHarness()
    try {
      const seen: string[] = []
      const engine = await openEngine(harness.store, { onReload: ({ kind }) => seen.push(kind) })
      await engine.changeCatalog(() => catalog)
      await engine.commit(vertices(0, 5_000))
      await engine.rebuild()
      // More than one block of the log.
      for (let i = 0; i < 6; i++) {
        const texts = frame()
        for (let k = 0; k < 100; k++) texts.vertex('V', `w${i}.${k}`, { s: 'x'.repeat(10_000) })
        await engine.commit(texts.finish())
      }
      failNext()
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, i) => engine.commit(vertices(5_000 + i, 1))),
      )
      expect(outcomes.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 50 }, (_, i) => outcomes[0]!.sequence + i),
      )
      expect(seen).toEqual(['begun', 'ended'])
      await engine.commit(vertices(5_050, 1))
      expect(await engine.rebuild()).toMatchObject({ isCheckpoint: true })
      const expected = idsOf(engine)
      expect(expected).toHaveLength(5_000 + 600 + 51)
      await engine.close()
      const again = await harness.reopenKilled()
      try {
        expect(idsOf(await openEngine(again.store))).toEqual(expected)
      } finally {
        await again.remove()
      }
    } catch (error) {
      await harness.remove()
      throw error
    }
  })
})

describe('a stop', () => {
  it('begins no rebuild that waits behind the one that it ends', async () => {
    const { engine } = await opened()
    await engine.commit(vertices(0, 1_000))
    const [first, second] = [engine.rebuild({ force: true }), engine.rebuild({ force: true })]
    const ends = Promise.allSettled([first, second])
    await realScheduler.yieldToOthers()
    await engine.endRebuilds()
    const { epoch } = engine.versions
    const [, waiting] = await ends
    expect(waiting).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
    expect(engine.versions.epoch).toBe(epoch)
  })
})

/** Entries are durable a turn of the event loop later. */
class SlowStore extends MemoryStore {
  override async append(payload: Uint8Array): Promise<number> {
    const sequence = super.append(payload)
    await realScheduler.yieldToOthers()
    return sequence
  }
}

const [type] = catalog.vertexTypes
const converted: Catalog = {
  ...catalog,
  version: 2,
  vertexTypes: [
    {
      ...type!,
      attributes: [
        type!.attributes[0]!,
        { id: 3, name: 'n', type: { kind: 'STRING' }, convertedFrom: 2 },
      ],
      nextAttributeId: 4,
    },
  ],
}

function failAllocation(number: number): void {
  let left = number
  allocationFault.before = (sizeBytes) => {
    left -= 1
    if (left === 0) throw memoryRefused(sizeBytes)
  }
}

function idsOf(engine: GraphEngine): string[] {
  const { ids, rowCount } = engine.view().vertexTables[0]!
  return Array.from({ length: rowCount }, (_, row) => idText(ids, row))
}
