/** Instances of several versions over one store: the writer writes nothing that a living one cannot read. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeNote } from '#storage/postgres/store-frames.ts'
import { newSchema, postgresOptions } from '../conformance/postgres-harness.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { becomesWriter, type StartedStore, startStore } from '../fixtures/started-store.ts'

const LIMIT_MS = 300_000
const OLD = 1
const NEW = 2

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres()
}, LIMIT_MS)
afterAll(() => node.remove())

/** An instance of a version that reads formats up to the given one. */
function start(schema: string, name: string, format: number): Promise<StartedStore> {
  return startStore({
    ...postgresOptions(node, schema, name),
    version: `${format}.0`,
    readableFormat: format,
  })
}

/** The first one, which writes. */
async function startWriter(schema: string, name: string, format: number): Promise<StartedStore> {
  const started = await start(schema, name, format)
  await becomesWriter(started)
  return started
}

/** An older instance, and a newer one that has become the writer. */
async function startBoth(schema: string): Promise<{ old: StartedStore; added: StartedStore }> {
  const old = await startWriter(schema, 'old', OLD)
  const added = await start(schema, 'new', NEW)
  await handOver(old, added)
  return { old, added }
}

/** Resigns again where it takes over itself, as long as it has not heard of the other one. */
async function handOver(from: StartedStore, to: StartedStore): Promise<void> {
  while (to.store.shared.role !== 'writer') {
    if (from.store.shared.role === 'writer') await from.store.shared.resign()
    await pause(50)
  }
}

const refusal = /written in format 2 by 'new', version 2\.0; .* start version 2\.0 or a newer one/

describe('instances of two versions', { timeout: LIMIT_MS }, () => {
  it('write the older format, also when the newer one writes', async () => {
    const { old, added } = await startBoth(newSchema())
    const sequence = await added.store.append(new Uint8Array([1]))
    expect(await old.store.shared.reached(sequence, LIMIT_MS)).toBeGreaterThanOrEqual(sequence)
    expect(added.store.shared.chain.writer).toMatchObject({ format: OLD, version: '2.0' })
    await old.store.close()
    await added.store.close()
  })

  it('end, where the older one was taken for dead and meets the newer format: it says why', async () => {
    const { old, added } = await startBoth(newSchema())
    // What the newer one writes when it takes over and sees nobody else.
    const { writer, epoch } = added.store.shared.chain
    const note = { ...writer!, epoch: epoch + 1, format: NEW }
    await added.store.shared.append(encodeNote(note), 'epoch')
    expect(await old.ended).toMatch(refusal)
    await old.store.abandon()
    await added.store.close()
  })
})

describe('an instance of the newer version alone', { timeout: LIMIT_MS }, () => {
  it('writes the newer format, and an older one does not start: it says which version can', async () => {
    const schema = newSchema()
    const added = await startWriter(schema, 'new', NEW)
    expect(added.store.shared.chain.writer).toMatchObject({ format: NEW })
    await expect(start(schema, 'old', OLD)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: expect.stringMatching(refusal),
    })
    await added.store.close()
  })

  it('keeps it out, too, when only a checkpoint still tells of the writer', async () => {
    const schema = newSchema()
    const added = await startWriter(schema, 'new', NEW)
    for (let round = 0; round < 3; round++) {
      const sequence = await added.store.append(new Uint8Array([1]))
      await added.store.beginSegments().publish('', sequence)
      await added.store.settled()
    }
    await expect(start(schema, 'old', OLD)).rejects.toThrow(refusal)
    await added.store.close()
  })
})
