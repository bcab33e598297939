/** A shared store as the source and as the target of a copy (`storage/copy/copy.ts`). */
import { crc32 } from 'node:zlib'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { CopiedDocument, CopySource, CopyTarget } from '../copy/copy.ts'
import { type LogFrame, sealFrames } from '../frame/frame.ts'
import {
  blobsByKey,
  currentBlob,
  cutIntoParts,
  publicManifest,
  type StoredBlob,
} from '../segment/blob.ts'
import { describeAddress, type StoreAddress } from './address.ts'
import { BlobRows } from './blob-rows.ts'
import { framesOf } from './chain.ts'
import { readManifest } from './checkpoints.ts'
import { Link, Nodes, type StoreTimers } from './link.ts'
import { type LogEnd, readGroups } from './log-rows.ts'
import { partsOf, readAnchor } from './log-table.ts'
import { prepareSchema } from './schema.ts'
import type { Session } from './session.ts'

export interface CopyOptions {
  readonly address: StoreAddress
  readonly clock: Clock
  readonly timers: StoreTimers
}

const DOCUMENTS_PER_READ = 100
const copyGroup = {
  name: 'copy-group',
  text: 'INSERT INTO log VALUES ($1, $2, $3, $4, $5, $6)',
}

/** As of one moment, beside the servers. @throws DbError STORE_FAILED, CORRUPT_SEGMENT */
export async function openTableSource(options: CopyOptions): Promise<CopySource> {
  const { session, close } = await connect(options)
  await session.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' })
  const current = await readManifest(session)
  const folded = current?.manifest.foldedSequence ?? 0
  const anchor = await readAnchor(session, folded)
  if (anchor === null) throw new DbError('CORRUPT_LOG', 'commit log: its beginning is missing')
  const blobs = blobsByKey(current?.manifest ?? null)
  return {
    anchor,
    manifest: current === null ? null : publicManifest(current.manifest),
    readBlob: (key) => readBlob(session, currentBlob(blobs, key)),
    documents: () => documentsOf(session),
    frames: () => framesBehind(session, anchor),
    close,
  }
}

/** @throws DbError INVALID_PARAMETER for a store that is not empty */
export async function openTableTarget(options: CopyOptions): Promise<CopyTarget> {
  const { session, close } = await connect(options)
  await session.query({ text: 'BEGIN' })
  // The lock of one that is refused must not stay.
  await checkEmpty(session, options.address).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const blobs: StoredBlob[] = []
  let end: LogEnd = { first: 0, sequence: 0, crc: 0 }
  return {
    begin: async ({ sequence, crc }) => {
      end = { first: sequence, sequence, crc }
      await session.query(
        { text: 'UPDATE log SET first_sequence = $1, last_sequence = $1, last_crc = $2' },
        [sequence, crc],
      )
    },
    writeBlob: async (key, bytes) => {
      const blob = { number: blobs.length + 1, sizeBytes: 0, crc32: 0, partCount: 0 }
      for (const { place, crc, codec, bytes: stored } of cutIntoParts(blob, bytes)) {
        await session.query(
          { name: 'copy-part', text: 'INSERT INTO parts VALUES ($1, $2, $3, $4, $5)' },
          [...[blob.number, place, crc, codec, bufferOf(stored)]],
        )
      }
      blobs.push({ key, number: blob.number, sizeBytes: blob.sizeBytes, crc32: blob.crc32 })
    },
    publish: async (description, foldedSequence) => {
      const json = JSON.stringify({ foldedSequence, description, blobs })
      await session.query({ text: 'INSERT INTO manifest VALUES (1, $1, $2, $3)' }, [
        ...[foldedSequence, crc32(json), json],
      ])
    },
    putDocument: async ({ collection, key, bytes }) => {
      await session.query(
        { name: 'copy-document', text: 'INSERT INTO documents VALUES ($1, $2, $3, $4)' },
        [...[collection, key, crc32(bytes), bufferOf(bytes)]],
      )
    },
    appendGroup: async (bytes) => {
      end = { first: end.sequence + 1, ...sealFrames(bytes, end) }
      const parts = partsOf(bytes)
      for (const [part, cut] of parts.entries()) {
        const numbers = [end.first, part, parts.length, end.sequence, end.crc]
        await session.write({ statement: copyGroup, numbers, bytes: [cut] })
      }
    },
    finish: async () => {
      if (await session.commit()) return
      throw new DbError('STORE_FAILED', 'the shared store has not confirmed the copy')
    },
    close,
  }
}

interface Connected {
  readonly session: Session
  close(): Promise<void>
}

async function connect({ address, clock, timers }: CopyOptions): Promise<Connected> {
  const nodes = new Nodes({ address, clock, timers })
  const link = new Link(nodes)
  try {
    await link.first()
    await link.use((session) => prepareSchema(session, address.schema))
    const session = await link.use(async (found) => found)
    const close = async () => {
      await link.close()
      nodes.close()
    }
    return { session, close }
  } catch (error) {
    await link.close()
    nodes.close()
    throw error
  }
}

/** The lock keeps out an instance that starts meanwhile. */
async function checkEmpty(session: Session, address: StoreAddress): Promise<void> {
  const first = await session.query({ text: 'SELECT 1 FROM log FOR UPDATE' })
  const documents = await session.query({ text: 'SELECT 1 FROM documents LIMIT 1' })
  if (first.count === 1 && documents.count === 0) return
  const where = describeAddress(address)
  throw new DbError('INVALID_PARAMETER', `the shared store (${where}) is not empty`)
}

async function readBlob(session: Session, blob: StoredBlob): Promise<Uint8Array> {
  const rows = new BlobRows(blob)
  await rows.read(session)
  return rows.whole()
}

async function* documentsOf(session: Session): AsyncIterable<CopiedDocument> {
  let last: readonly unknown[] = ['', '']
  for (;;) {
    const { rows } = await session.query(
      {
        name: 'copied-documents',
        text: `SELECT collection, key, crc, bytes FROM documents WHERE (collection, key) > ($1, $2)
          ORDER BY collection, key LIMIT ${DOCUMENTS_PER_READ}`,
      },
      last,
    )
    for (const row of rows) {
      const [collection, key] = [String(row['collection']), String(row['key'])]
      const bytes = new Uint8Array(row['bytes'] as Uint8Array)
      if (crc32(bytes) !== Number(row['crc'])) {
        throw new DbError('CORRUPT_LOG', `document ${collection}/${key} has a wrong checksum`)
      }
      yield { collection, key, bytes }
      last = [collection, key]
    }
    if (rows.length < DOCUMENTS_PER_READ) return
  }
}

async function* framesBehind(session: Session, anchor: LogEnd): AsyncIterable<LogFrame> {
  let position = anchor
  for (;;) {
    const groups = await readGroups(session, position)
    if (groups === null) throw new DbError('CORRUPT_LOG', 'commit log: a group is missing')
    if (groups.length === 0) return
    for (const group of groups) {
      yield* framesOf(group, position)
      position = group.end
    }
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
