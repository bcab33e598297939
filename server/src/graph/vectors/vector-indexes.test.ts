import process from 'node:process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import { VECTOR_INDEX_FROM_NUMBERS } from '#kernel/limits.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { indexedRows } from '#query/runtime/graph/index-candidates.ts'
import {
  catalogOf,
  engineWith,
  FrameBuilder,
  realClock,
  realScheduler,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { vectorAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { isSet } from '../memory/bits.ts'
import { FrameApplication } from '../mutate/apply.ts'
import type { GraphView, VertexTableView } from '../view.ts'
import { vectorDistance } from './distance.ts'
import { VectorIndexes } from './vector-indexes.ts'

// Graphs are filled in another process, which a busy machine keeps waiting.
vi.setConfig({ testTimeout: 120_000 })

const DIMENSION = 8
const K = 10
const place = { typeId: 1, attributeId: 1 }
const emb = {
  id: 1,
  name: 'emb',
  type: { kind: 'VECTOR', dimension: DIMENSION, metric: 'L2' },
} as const
const catalog = catalogOf([vertexType(1, 'V', { vectors: [emb], nextAttributeId: 2 })])
const frame = () => new FrameBuilder(catalog)
const some = (random: Random) => Array.from({ length: DIMENSION }, () => random.next() * 2 - 1)

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

interface Options {
  readonly fromNumbers?: number
  readonly memoryLeft?: number
  readonly given?: Catalog
}

async function indexed({ fromNumbers = 1_000, memoryLeft, given = catalog }: Options = {}) {
  const engine = await engineWith(given)
  const troubles: string[] = []
  let nowMs = 0
  const limit = { bytes: memoryLeft ?? 2 ** 40 }
  const memory = () => ({ usedBytes: engine.memory().usedBytes, limitBytes: limit.bytes })
  const graph = {
    get catalog() {
      return engine.catalog
    },
    tables: engine.tables,
    get sequence() {
      return engine.sequence
    },
    get isApplying() {
      return engine.isApplying
    },
    view: () => engine.view(),
    memory,
  }
  const indexes = new VectorIndexes({
    graph,
    scheduler: realScheduler,
    nowMs: () => nowMs,
    after: (ms, call) => {
      const timer = setTimeout(call, ms).unref()
      return () => clearTimeout(timer)
    },
    fromNumbers,
    onTrouble: (text) => troubles.push(text),
  })
  open.push(indexes, engine)
  const later = (ms: number) => {
    nowMs += ms
  }
  return { engine, indexes, troubles, later, limit }
}

async function fill(engine: GraphEngine, count: number, random: Random): Promise<void> {
  const all = frame()
  for (let i = 0; i < count; i++) all.vertex('V', `v${i}`, { emb: some(random) })
  await engine.commit(all.finish())
}

async function ready(indexes: VectorIndexes): Promise<void> {
  const deadline = realClock.monotonicMs() + 60_000
  while (indexes.status().length === 0 || indexes.status().some((one) => !one.isReady)) {
    if (realClock.monotonicMs() > deadline) throw new Error('the index is not ready')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function distanceOf(table: VertexTableView, row: number, query: readonly number[]): number {
  const span = (values: readonly number[]) => {
    const data = Float64Array.from(values)
    return { data, start: 0, length: data.length }
  }
  return vectorDistance('L2', span(query), span(vectorAt(table.columns[0]!, row)))
}

function livingRows(table: VertexTableView): number[] {
  return Array.from({ length: table.rowCount }, (_, row) => row).filter(
    (row) => !isSet(table.deleted, row) && vectorAt(table.columns[0]!, row).length > 0,
  )
}

function nearest(table: VertexTableView, rows: readonly number[], query: readonly number[]) {
  return rows
    .map((row) => ({ row, distance: distanceOf(table, row, query) }))
    .sort((a, b) => a.distance - b.distance || a.row - b.row)
    .slice(0, K)
}

/** What a search finds with the index, or null when the index does not serve the version. */
async function searched(indexes: VectorIndexes, view: GraphView, query: readonly number[]) {
  const vector = Float32Array.from(query)
  // So many candidates that nothing is missed: what is tested is which version is answered.
  const asked = { ...place, version: view.version, vector, count: 4_000 }
  const answer = await indexes.search(asked)
  if (answer === null) return null
  const table = view.vertexTables[0]!
  const rows = new Uint32Array(Math.ceil(table.rowCount / 32)).fill(0xffffffff)
  for (let row = 0; row < table.rowCount; row++) {
    if (isSet(table.deleted, row)) rows[row >>> 5]! &= ~(1 << (row & 31))
  }
  const found = indexedRows(answer, { table, column: table.columns[0]!, rows })
  return nearest(
    table,
    found.map(({ row }) => row),
    query,
  )
}

async function unsureCount(engine: GraphEngine, indexes: VectorIndexes): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 10))
  const { version } = engine.view()
  const vector = new Float32Array(DIMENSION)
  const answer = await indexes.search({ ...place, version, vector, count: 1 })
  return answer?.unsure.length ?? 0
}

function exact(view: GraphView, query: readonly number[]) {
  const table = view.vertexTables[0]!
  return nearest(table, livingRows(table), query)
}

describe('vector indexes', () => {
  it('answer every pinned version as it is, while vertices are changed and deleted', async () => {
    const random = createRandom(11)
    const { engine, indexes } = await indexed()
    await fill(engine, 600, random)
    await ready(indexes)
    let answered = 0
    const old = [engine.pin()]
    for (let round = 0; round < 12; round++) {
      const changes = frame()
      for (let i = 0; i < 60; i++) {
        const id = `v${random.below(800)}`
        if (random.next() < 0.25) changes.deleteVertex('V', id)
        else changes.vertex('V', id, random.next() < 0.1 ? {} : { emb: some(random) })
      }
      await engine.commit(changes.finish())
      if (round === 6) await engine.rebuild({ force: true })
      if (round % 3 === 0) old.push(engine.pin())
      for (const pin of [...old, engine.pin()]) {
        const query = some(random)
        const found = await searched(indexes, pin.view, query)
        if (found !== null) answered += 1
        expect(found ?? exact(pin.view, query)).toEqual(exact(pin.view, query))
        if (!old.includes(pin)) pin.release()
      }
    }
    expect(answered).toBeGreaterThan(30)
    for (const pin of old) pin.release()
  })

  it('follow a table whose dead rows a rebuild leaves out', async () => {
    const random = createRandom(12)
    const { engine, indexes } = await indexed()
    await fill(engine, 900, random)
    await ready(indexes)
    const { processId } = indexes
    const deletes = frame()
    for (let i = 0; i < 900; i += 2) deletes.deleteVertex('V', `v${i}`)
    await engine.commit(deletes.finish())
    await engine.rebuild({ force: true })
    expect(engine.view().vertexTables[0]!.rowCount).toBe(450)
    await ready(indexes)
    const query = some(random)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
    expect(indexes.processId).toBe(processId)
  })

  it('answer nothing about a graph that was read again before they are made anew', async () => {
    const random = createRandom(22)
    const { engine, indexes } = await indexed()
    await fill(engine, 600, random)
    await ready(indexes)
    const { step } = FrameApplication.prototype
    using _failing = vi.spyOn(FrameApplication.prototype, 'step').mockImplementationOnce(function (
      this: FrameApplication,
      isLate,
    ) {
      step.call(this, isLate)
      throw new Error('half way')
    })
    const query = some(random)
    await engine.commit(frame().vertex('V', 'v1', {}).finish())
    const changes = frame().vertex('V', 'v0', { emb: query }).vertex('V', 'new', { emb: query })
    await engine.commit(changes.finish())
    const nearestNow = exact(engine.view(), query)
    expect(nearestNow.slice(0, 2).map(({ row }) => row)).toEqual([0, 600])
    expect((await searched(indexes, engine.view(), query)) ?? nearestNow).toEqual(nearestNow)
    await ready(indexes)
    expect(await searched(indexes, engine.view(), query)).toEqual(nearestNow)
  })

  it('are made anew when too much of one was replaced, and serve meanwhile', async () => {
    const random = createRandom(13)
    const { engine, indexes } = await indexed()
    await fill(engine, 1_500, random)
    await ready(indexes)
    for (let round = 0; round < 4; round++) {
      await fill(engine, 1_500, random)
      const query = some(random)
      const found = await searched(indexes, engine.view(), query)
      expect(found).toEqual(exact(engine.view(), query))
      await ready(indexes)
    }
    const query = some(random)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
    // 6,000 vectors were replaced, the last of them perhaps not taken in yet.
    const isStale = () => indexes.status()[0]!.staleCount >= 4_096
    while ((await unsureCount(engine, indexes)) > 0 || isStale()) indexes.check()
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
  })

  it('are kept from so many numbers on, and dropped at less than half', async () => {
    const random = createRandom(14)
    const { engine, indexes } = await indexed({ fromNumbers: 100 * DIMENSION })
    await fill(engine, 99, random)
    expect(indexes.status()).toEqual([])
    expect(indexes.processId).toBeNull()
    await engine.commit(frame().vertex('V', 'one more', {}).finish())
    expect(indexes.status()).toHaveLength(1)
    await ready(indexes)
    const deletes = frame()
    for (let i = 0; i < 50; i++) deletes.deleteVertex('V', `v${i}`)
    await engine.commit(deletes.finish())
    expect(indexes.status()).toHaveLength(1)
    await engine.commit(frame().deleteVertex('V', 'one more').finish())
    expect(indexes.status()).toEqual([])
    expect(indexes.processId).toBeNull()
    expect(VECTOR_INDEX_FROM_NUMBERS).toBe(4_000_000)
  })

  it('survive the death of their process: searches are exact until another is there', async () => {
    const random = createRandom(15)
    const { engine, indexes, troubles, later } = await indexed()
    await fill(engine, 400, random)
    await ready(indexes)
    const first = indexes.processId!
    process.kill(first, 'SIGKILL')
    const query = some(random)
    // The search that is under way is let go, and so are those that follow.
    expect(await searched(indexes, engine.view(), query)).toBeNull()
    expect(indexes.status().map(({ isReady }) => isReady)).toEqual([false])
    expect(troubles.join()).toContain('SIGKILL')
    expect(indexes.processId).toBeNull()
    later(1_000)
    await ready(indexes)
    expect(indexes.processId).not.toBe(first)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
  })

  it('promise nothing where their process does not live', async () => {
    const random = createRandom(21)
    const { engine, indexes, troubles, later } = await indexed()
    await fill(engine, 3_000, random)
    for (let losses = 1; losses <= 4; losses++) {
      expect(indexes.status().map(({ isReady }) => isReady)).toEqual([false])
      process.kill(indexes.processId!, 'SIGKILL')
      while (indexes.processId !== null) await new Promise((resolve) => setTimeout(resolve, 5))
      // It is not started again at once.
      indexes.check()
      expect(indexes.processId).toBeNull()
      later(1_000 * 4 ** (losses - 1) - 1)
      indexes.check()
      expect(indexes.processId).toBeNull()
      later(1)
    }
    expect(troubles).toHaveLength(4)
    expect(indexes.status()).toEqual([])
    expect(indexes.processId).not.toBeNull()
    await ready(indexes)
    expect(indexes.status()).toHaveLength(1)
  })

  it('count as memory of the graph, and are not made where there is none left', async () => {
    const random = createRandom(16)
    const { engine, indexes } = await indexed()
    await fill(engine, 400, random)
    const before = engine.memory().usedBytes
    await ready(indexes)
    expect(indexes.memoryBytes).toBeGreaterThan(10_000_000)
    expect(engine.memory().usedBytes - before).toBeGreaterThanOrEqual(indexes.memoryBytes)
    await indexes.close()
    expect(engine.memory().usedBytes).toBe(before)

    const poor = await indexed({ memoryLeft: 64 * 1024 * 1024 })
    await fill(poor.engine, 400, random)
    expect(poor.indexes.status()).toEqual([])
    expect(poor.indexes.processId).toBeNull()
    poor.indexes.check()
    expect(poor.troubles).toEqual(['no memory for a vector index of 400 vectors'])
  })

  it('go when the memory of writes is used up, and come back when there is room', async () => {
    const random = createRandom(20)
    const { engine, indexes, troubles, limit } = await indexed()
    await fill(engine, 400, random)
    await ready(indexes)
    limit.bytes = engine.memory().usedBytes - 1
    indexes.check()
    expect(indexes.processId).toBeNull()
    expect(indexes.status()).toEqual([])
    expect(troubles).toHaveLength(1)
    expect(engine.memory().usedBytes).toBeLessThan(10_000_000)
    const query = some(random)
    expect(await searched(indexes, engine.view(), query)).toBeNull()
    limit.bytes = 2 ** 40
    await ready(indexes)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
  })

  it('go with their attribute', async () => {
    const random = createRandom(17)
    const { engine, indexes } = await indexed()
    await fill(engine, 400, random)
    await ready(indexes)
    await engine.changeCatalog((now) => ({
      ...now,
      vertexTypes: [vertexType(1, 'V', { vectors: [], nextAttributeId: 2 })],
    }))
    expect(indexes.status()).toEqual([])
    expect(indexes.processId).toBeNull()
  })

  it('look one by one at vectors beyond what the library can measure', async () => {
    const random = createRandom(18)
    const { engine, indexes } = await indexed()
    await fill(engine, 400, random)
    const far = frame()
    for (let i = 0; i < 5; i++)
      far.vertex('V', `far${i}`, { emb: some(random).map((x) => x * 1e30) })
    await engine.commit(far.finish())
    await ready(indexes)
    const answer = await indexes.search({
      ...place,
      version: engine.view().version,
      vector: Float32Array.from(some(random)),
      count: 4_000,
    })
    expect([...answer!.unsure]).toEqual([400, 401, 402, 403, 404])
    expect(answer!.found).toHaveLength(400)
  })

  it('miss nothing of a batch that is applied in slices', async () => {
    const random = createRandom(19)
    const { engine, indexes } = await indexed()
    await fill(engine, 200, random)
    await ready(indexes)
    const large = frame()
    // Long ids make the batch large enough for slices.
    const id = (i: number) => `${i % 200 < 100 ? 'v' : 'w'}${i}${i < 200 ? '' : '-'.repeat(1_000)}`
    for (let i = 0; i < 3_000; i++) large.vertex('V', id(i), { emb: some(random) })
    const committed = engine.commit(large.finish())
    // On every turn of the loop, while the batch is half applied.
    const looks: boolean[] = []
    const watch = setInterval(() => {
      looks.push(engine.isApplying)
      indexes.check()
    }, 0)
    await committed
    clearInterval(watch)
    expect(looks).toContain(true)
    const query = some(random)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
    // And when the index has taken all of it in.
    while ((await unsureCount(engine, indexes)) > 0) await ready(indexes)
    expect(await searched(indexes, engine.view(), query)).toEqual(exact(engine.view(), query))
  })
})
