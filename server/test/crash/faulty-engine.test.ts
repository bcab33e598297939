/** The engine over a store whose n-th write fails, for every n of a fixed load of counters. */
import { describe, expect, it } from 'vitest'
import { forEachOut } from '#graph/adjacency/read.ts'
import { numberAt } from '#graph/columns/read.ts'
import type { GraphEngine } from '#graph/engine.ts'
import { findRow } from '#graph/ids/read.ts'
import { isDbError } from '#kernel/errors.ts'
import { type Fault, FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../fixtures/engine.ts'

const CLIENTS = 4
const ROUNDS = 5
const ADD = 2
const counter = vertexType(1, 'Counter', { attributes: attributes({ value: 'INT' }) })
const touched = edgeType(2, 'Touched', [1, 1], { attributes: attributes({ times: 'INT' }) })
const catalog = catalogOf([counter], [touched])

/** What happens beside the clients. */
type Amid = (engine: GraphEngine) => Promise<void>

interface Client {
  sent: number
  acknowledged: number
}

describe('an engine whose store fails at its n-th write', () => {
  for (const moment of ['before', 'after'] as const) {
    for (const code of ['STORE_FAILED', 'DISK_FULL'] as const) {
      it(`${moment} it is done, with ${code}, answers, reads on and loses nothing`, async () => {
        const writes = 1 + CLIENTS * ROUNDS
        for (let operation = 1; operation <= writes; operation++) {
          await failAndCheck({ operation, moment, code })
        }
      })
    }
  }

  for (const moment of ['before', 'torn', 'after'] as const) {
    it(`${moment} it is done, while it rebuilds, loses nothing`, async () => {
      const store = new FaultyStore(new MemoryStore(), null)
      const engine = await openEngine(store)
      await runLoad(engine, [], rebuildAmid)
      await engine.rebuild()
      expect(store.writeCount).toBeGreaterThan(1 + CLIENTS * ROUNDS)
      expect(engine.view().vertexTables[0]!.rowCount).toBe(CLIENTS)
      for (let operation = 1; operation <= store.writeCount; operation++) {
        await failAndCheck({ operation, moment, code: 'STORE_FAILED' }, rebuildAmid)
      }
    }, 120_000)
  }

  it('meets every write of the load', async () => {
    const store = new FaultyStore(new MemoryStore(), null)
    const clients = await runLoad(await openEngine(store), [])
    expect(clients.every((client) => client.acknowledged === ROUNDS)).toBe(true)
    expect(store.writeCount).toBe(1 + CLIENTS * ROUNDS)
  })
})

async function failAndCheck(fault: Fault, amid: Amid = nothing): Promise<void> {
  const image = createMemoryImage()
  const engine = await openEngine(new FaultyStore(new MemoryStore(image), fault))
  const failures: unknown[] = []
  const clients = await runLoad(engine, failures, amid)
  const codes = failures.map((error) => (isDbError(error) ? error.code : String(error)))
  expect(codes).toContain(fault.code)
  expect(codes.filter((code) => code !== fault.code && code !== 'STORE_READ_ONLY')).toEqual([])
  // Memory never runs ahead of what was acknowledged, and is still there to be read.
  for (const [index, client] of clients.entries()) {
    expect(counterValue(engine, index)).toBe(client.acknowledged)
  }
  const restarted = await openEngine(new MemoryStore(image))
  for (const [index, client] of clients.entries()) {
    const value = counterValue(restarted, index)
    expect(value, `write ${fault.operation}`).toBeGreaterThanOrEqual(client.acknowledged)
    expect(value, `write ${fault.operation}`).toBeLessThanOrEqual(client.sent)
    expect(edgeValue(restarted, index)).toBe(value)
  }
  expect(restarted.deletedVertexCheck().isPassed).toBe(true)
}

async function runLoad(
  engine: GraphEngine,
  failures: unknown[],
  amid: Amid = nothing,
): Promise<readonly Client[]> {
  const clients = Array.from({ length: CLIENTS }, () => ({ sent: 0, acknowledged: 0 }))
  await engine.changeCatalog(() => catalog).catch((error: unknown) => failures.push(error))
  const runs = clients.map(async (client, index) => {
    for (let round = 0; round < ROUNDS; round++) {
      const frame = engine.catalog.vertexTypes.length === 0 ? null : raise(index)
      if (frame === null) return
      client.sent++
      await engine.commit(frame).then(
        () => client.acknowledged++,
        (error: unknown) => failures.push(error),
      )
    }
  })
  await amid(engine).catch((error: unknown) => failures.push(error))
  await Promise.all(runs)
  return clients
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

/** Folds what is there while the clients go on, and what is there when it has ended. */
async function rebuildAmid(engine: GraphEngine): Promise<void> {
  await engine.rebuild()
  await engine.rebuild()
}

/**
 * Raises a counter and the loop at it by one, in one batch. A vertex comes and goes with it, so that
 * rebuilds leave rows out.
 */
function raise(index: number): Uint8Array {
  const id = `c${index}`
  return new FrameBuilder(catalog)
    .vertex('Counter', id, { value: 1 }, ADD)
    .edge('Touched', ['passing', id])
    .edge('Touched', [id, id], { times: 1 }, ADD)
    .deleteVertex('Counter', 'passing')
    .finish()
}

function counterValue(engine: GraphEngine, index: number): number {
  const table = engine.view().vertexTables[0]
  const row = table === undefined ? -1 : findRow(table, `c${index}`)
  return row === -1 ? 0 : numberAt(table!.columns[0]!, row)
}

function edgeValue(engine: GraphEngine, index: number): number {
  const view = engine.view()
  const table = view.vertexTables[0]
  const row = table === undefined ? -1 : findRow(table, `c${index}`)
  if (row === -1) return 0
  const adjacency = view.edgeTables[0]!.adjacencies[0]!
  let times = 0
  forEachOut(adjacency, row, (_other, edge) => {
    times += numberAt(adjacency.columns[0]!, edge)
  })
  return times
}
