/** Instances of several versions over one store: the writer writes nothing that a living one cannot read. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { encodeNote } from '#storage/postgres/store-frames.ts'
import { newSchema, postgresOptions } from '../conformance/postgres-harness.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'

const LIMIT_MS = 300_000
const OLD = 1
const NEW = 2

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres()
}, LIMIT_MS)
afterAll(() => node.remove())

interface Started {
  readonly store: PostgresStore
  /** Resolves with why the instance has to end. */
  readonly ended: Promise<string>
}

/** An instance of a version that reads formats up to the given one. */
async function start(schema: string, name: string, format: number): Promise<Started> {
  const store = await openPostgresStore({
    ...postgresOptions(node, schema, name),
    version: `${format}.0`,
    readableFormat: format,
  })
  const ended = Promise.withResolvers<string>()
  try {
    await store.shared.follow({ ...idleFollower, mustStartAgain: ended.resolve })
  } catch (error) {
    await store.abandon()
    throw error
  }
  return { store, ended: ended.promise }
}

async function becomesWriter({ store }: Started): Promise<void> {
  while (store.shared.role !== 'writer') await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Resigns again where it takes over itself, as long as it has not heard of the other one. */
async function handOver(from: Started, to: Started): Promise<void> {
  while (to.store.shared.role !== 'writer') {
    if (from.store.shared.role === 'writer') await from.store.shared.resign()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const refusal = /written in format 2 by 'new', version 2\.0; .* start version 2\.0 or a newer one/

it(
  'beside an older instance the newer one writes the older format',
  async () => {
    const schema = newSchema()
    const old = await start(schema, 'old', OLD)
    await becomesWriter(old)
    const added = await start(schema, 'new', NEW)
    await handOver(old, added)
    const sequence = await added.store.append(new Uint8Array([1]))
    expect(await old.store.shared.reached(sequence, LIMIT_MS)).toBeGreaterThanOrEqual(sequence)
    expect(added.store.shared.chain.writer).toMatchObject({ format: OLD, version: '2.0' })
    await old.store.close()
    await added.store.close()
  },
  LIMIT_MS,
)

it(
  'alone it writes the newer one, and an older instance does not start: it says which version can',
  async () => {
    const schema = newSchema()
    const added = await start(schema, 'new', NEW)
    await becomesWriter(added)
    expect(added.store.shared.chain.writer).toMatchObject({ format: NEW })
    await expect(start(schema, 'old', OLD)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: expect.stringMatching(refusal),
    })
    await added.store.close()
  },
  LIMIT_MS,
)

it(
  'also when only a checkpoint still tells of the writer',
  async () => {
    const schema = newSchema()
    const added = await start(schema, 'new', NEW)
    await becomesWriter(added)
    for (let round = 0; round < 3; round++) {
      const sequence = await added.store.append(new Uint8Array([1]))
      await added.store.beginSegments().publish('', sequence)
      await added.store.settled()
    }
    await expect(start(schema, 'old', OLD)).rejects.toThrow(refusal)
    await added.store.close()
  },
  LIMIT_MS,
)

it(
  'an older instance that was taken for dead meets the newer format, ends, and says why',
  async () => {
    const schema = newSchema()
    const old = await start(schema, 'old', OLD)
    await becomesWriter(old)
    const added = await start(schema, 'new', NEW)
    await handOver(old, added)
    // What the newer one writes when it takes over and sees nobody else.
    const { writer, epoch } = added.store.shared.chain
    const note = { ...writer!, epoch: epoch + 1, format: NEW }
    await added.store.shared.append(encodeNote(note), 'epoch')
    expect(await old.ended).toMatch(refusal)
    await old.store.abandon()
    await added.store.close()
  },
  LIMIT_MS,
)
