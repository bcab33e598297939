/**
 * Each allocation of graph memory fails once, with the store in PostgreSQL: the operation is refused and
 * nothing of it is there, or it is durable, and the server starts again with it.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { allocationFault, memoryRefused } from '#graph/memory/allocate.ts'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { newSchema, postgresOptions } from '../conformance/postgres-harness.ts'
import { FrameBuilder, openEngine } from '../fixtures/engine.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { catalog, dumpOf, widerCatalog } from '../fixtures/shared-engines.ts'

const MS_MAX = 300_000
const isSlow = process.env['QUIVER_SLOW'] === '1'
/** In the quick suite, one of so many allocations of a commit or a start fails. */
const STEP = isSlow ? 1 : 5

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())
afterEach(() => {
  allocationFault.before = null
})

interface Server {
  readonly store: PostgresStore
  readonly engine: GraphEngine
  /** Why it has to start again. */
  readonly ends: string[]
}

async function open(schema: string): Promise<Server> {
  const store = await openPostgresStore(postgresOptions(node, schema))
  return openOver(store).catch(async (error: unknown) => {
    await store.abandon()
    throw error
  })
}

async function openOver(store: PostgresStore): Promise<Server> {
  const ends: string[] = []
  const engine = await openEngine(store, {
    shared: store.shared,
    onStartAgain: (reason) => void ends.push(reason),
    inlineMergeSizeMax: 1e9,
  })
  await store.shared.follow(engine.follower({ take: () => {}, roleChanged: () => {} }))
  await until(() => store.shared.role === 'writer')
  return { store, engine, ends }
}

/** @param beforeApply runs before entries of the other one are applied; its fault ends with them */
async function openFollower(schema: string, beforeApply: () => Promise<void>): Promise<Server> {
  const options = { ...postgresOptions(node, schema, 'two'), takeoverAfterMs: MS_MAX }
  const store = await openPostgresStore(options)
  const ends: string[] = []
  const engine = await openEngine(store, {
    shared: store.shared,
    onStartAgain: (reason) => void ends.push(reason),
  })
  const follow = engine.follower({ take: () => {}, roleChanged: () => {} })
  await store.shared.follow({
    apply: async (entries) => {
      await beforeApply()
      await follow.apply(entries).finally(() => {
        allocationFault.before = null
      })
    },
    roleChanged: (role) => follow.roleChanged(role),
    mustStartAgain: (reason) => follow.mustStartAgain(reason),
    digest: () => follow.digest(),
    compare: (digest, name) => follow.compare(digest, name),
  })
  return { store, engine, ends }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** As its end because of a start: nothing is written any more. */
async function end({ store, engine }: Server): Promise<void> {
  await store.abandon()
  await engine.close().catch(() => undefined)
}

/** Lets one allocation fail. @returns whether it has */
function failAt(number: number): () => boolean {
  let left = number
  allocationFault.before = (sizeBytes) => {
    left--
    if (left === 0) throw memoryRefused(sizeBytes)
  }
  return () => left <= 0
}

type Operation = (engine: GraphEngine) => Promise<unknown>

/** Of vertices and edges that are new with each number, so that tables grow. */
function upserts(number: number): Operation {
  const frame = new FrameBuilder(catalog)
  for (let i = 0; i < 80; i++) {
    const id = `person ${number}.${i}`
    frame.vertex('person', id, { age: i, name: `name ${number}.${i}` })
    frame.edge('likes', [id, `person ${number}.${i >> 1}`], { weight: i })
  }
  const bytes = frame.finish()
  return (engine) => engine.commit(bytes)
}

const operations: Readonly<Record<string, (number: number) => Operation>> = {
  upserts,
  rebuild: () => (engine) => engine.rebuild({ force: true }),
}

describe('an allocation that fails', { timeout: MS_MAX }, () => {
  it.each(Object.keys(operations))('in %s is refused, or the server starts again', async (name) => {
    const schema = newSchema()
    let server = await open(schema)
    await server.engine.changeCatalog(() => catalog)
    await upserts(0)(server.engine)
    const outcomes = { refused: 0, again: 0 }
    for (let number = 1; ; number += name === 'rebuild' ? 1 : STEP) {
      if (name === 'rebuild') await upserts(number)(server.engine)
      const operation = operations[name]!(number)
      const before = dumpOf(server.engine)
      const isHit = failAt(number)
      const error: unknown = await operation(server.engine).then(
        () => null,
        (reason: unknown) => reason,
      )
      allocationFault.before = null
      if (!isHit()) break
      if (server.ends.length > 0) {
        outcomes.again++
        await end(server)
        server = await open(schema)
        // The commit was durable before there was no memory for it.
        if (name === 'upserts') expect(dumpOf(server.engine).length).toBeGreaterThan(before.length)
        else expect(dumpOf(server.engine)).toEqual(before)
      } else if (error !== null) {
        outcomes.refused++
        expect(error).toMatchObject({ code: 'MEMORY_LIMIT' })
        expect(dumpOf(server.engine)).toEqual(before)
        await operation(server.engine)
      }
    }
    expect(outcomes.refused + outcomes.again, 'allocations failed').toBeGreaterThan(3)
    const last = dumpOf(server.engine)
    await end(server)
    server = await open(schema)
    expect(dumpOf(server.engine)).toEqual(last)
    await end(server)
  })

  it('while a follower applies makes it start again, with all that was written', async () => {
    const schema = newSchema()
    const writer = await open(schema)
    await writer.engine.changeCatalog(() => catalog)
    const arm = { number: Number.POSITIVE_INFINITY, isHit: () => true }
    let written = Promise.withResolvers<void>()
    written.resolve()
    const beforeApply = async () => {
      await written.promise
      arm.isHit = failAt(arm.number)
    }
    let follower = await openFollower(schema, beforeApply)
    let againCount = 0
    for (arm.number = 1; arm.isHit(); arm.number += STEP) {
      written = Promise.withResolvers()
      await upserts(arm.number)(writer.engine)
      const { position } = writer.store.shared
      written.resolve()
      const { store, engine, ends } = follower
      await until(() => ends.length > 0 || store.shared.position >= position)
      if (ends.length > 0) {
        againCount++
        expect(store.shared.position).toBeLessThan(position)
        expect(() => engine.view()).toThrow('could not be applied')
        await end(follower)
        follower = await openFollower(schema, beforeApply)
      }
      expect(dumpOf(follower.engine)).toEqual(dumpOf(writer.engine))
    }
    expect(againCount).toBeGreaterThan(1)
    await end(follower)
    await end(writer)
  })

  it('in a change of a type, or in the start behind it, loses nothing', async () => {
    const schema = newSchema()
    const first = await open(schema)
    await first.engine.changeCatalog(() => catalog)
    await upserts(0)(first.engine)
    const isHit = failAt(1)
    await expect(first.engine.changeCatalog(() => widerCatalog)).rejects.toMatchObject({
      code: 'MEMORY_LIMIT',
    })
    expect(isHit()).toBe(true)
    allocationFault.before = null
    await first.engine.changeCatalog(() => widerCatalog)
    const last = dumpOf(first.engine)
    await end(first)
    let refusedCount = 0
    for (let number = 1; ; number += 2 * STEP) {
      failAt(number)
      const opened = await open(schema).catch((error: unknown) => error)
      allocationFault.before = null
      if (!(opened instanceof Error)) {
        expect(dumpOf((opened as Server).engine)).toEqual(last)
        await end(opened as Server)
        break
      }
      expect(opened).toMatchObject({ code: 'MEMORY_LIMIT' })
      refusedCount++
    }
    expect(refusedCount).toBeGreaterThan(1)
  })
})
