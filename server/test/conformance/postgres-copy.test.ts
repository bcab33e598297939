/** Copies between directories and PostgreSQL: every entry keeps its number and its bytes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CopySource, type CopyTarget, copyStore } from '#storage/copy/copy.ts'
import { openTableSource, openTableTarget } from '#storage/postgres/copy-tables.ts'
import { openPostgresStore } from '#storage/postgres/postgres-store.ts'
import { openDirectorySource, openDirectoryTarget } from '#storage/sqlite/copy-directory.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { newSchema, postgresOptions } from './postgres-harness.ts'
import { clock } from './postgres-options.ts'

let node: PostgresNode
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiver-copy-'))
  node = await startPostgres({ settings: { fsync: 'off' } })
}, 300_000)
afterAll(async () => {
  await node.remove()
  rmSync(folder, { recursive: true })
})

describe('a copy', { timeout: 300_000 }, () => {
  it('moves a directory into PostgreSQL and out again', async () => {
    const first = join(folder, 'first')
    const store = await openSqliteStore({ directory: first, clock })
    await fill(store)
    const before = await contentOf(store)
    await store.close()
    const options = postgresOptions(node, newSchema())
    await copy(openDirectorySource(first, clock), await openTableTarget(options))
    await expect(openTableTarget(options)).rejects.toThrow('is not empty')

    const shared = await openPostgresStore(options)
    await shared.shared.follow(idleFollower)
    expect(await contentOf(shared)).toEqual(before)
    const sequence = await shared.append(bytesOf('shared'))
    expect(sequence).toBe(Number(before.log.at(-1)?.split(' ')[0]) + 2)
    await shared.putDocument('users', 'bo', bytesOf('3'))
    const later = await contentOf(shared)

    const second = join(folder, 'second')
    await copy(await openTableSource(options), openDirectoryTarget(second))
    await shared.close()
    const restored = await openSqliteStore({ directory: second, clock })
    expect(await contentOf(restored)).toEqual(later)
    expect(await restored.append(bytesOf('next'))).toBe(sequence + 2)
    await restored.close()
  })

  it('of a damaged directory leaves nothing', async () => {
    const target = openDirectoryTarget(join(folder, 'third'))
    await target.close()
    expect(() => openDirectorySource(join(folder, 'third'), clock)).toThrow('holds no Quiver data')
  })
})

async function copy(source: CopySource, target: CopyTarget): Promise<void> {
  await copyStore(source, target)
  await target.close()
  await source.close()
}

async function fill(store: Store): Promise<void> {
  for (const text of ['a', 'b', 'c']) await store.append(bytesOf(text))
  const writer = store.beginSegments()
  await writer.writeBlob('blob', new Uint8Array(5_000_000).fill(7))
  await writer.writeBlob('empty', new Uint8Array(0))
  await writer.publish('described', 2)
  await store.append(new Uint8Array(3_000_000).fill(97))
  await store.putDocument('users', 'ada', bytesOf('1'))
  await store.putDocument('queries', 'ada', new Uint8Array(0))
}

async function contentOf(store: Store) {
  const manifest = await store.readManifest()
  const log: string[] = []
  for await (const { sequence, payload } of store.readLog(manifest?.foldedSequence ?? 0)) {
    log.push(`${sequence} ${payload.length} ${payload[0]}`)
  }
  const blobs: string[] = []
  for (const { key } of manifest?.blobs ?? []) {
    const bytes = await store.readBlob(key)
    blobs.push(`${key} ${bytes.length} ${bytes.at(-1)}`)
  }
  const documents = [await store.listDocuments('users'), await store.listDocuments('queries')]
  return { description: manifest?.description, log, blobs, documents }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
