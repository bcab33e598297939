/**
 * Checkpoints of a shared store. A checkpoint becomes current with its frame in the log. What the one
 * before it needs stays, for instances that are still reading it; what is older the writer deletes.
 */
import { crc32 } from 'node:zlib'
import {
  blobsByKey,
  currentBlob,
  parseManifest,
  type StoredBlob,
  type StoredManifest,
} from '../segment/blob.ts'
import type { Link } from './link.ts'
import type { TiedStatement } from './log-table.ts'
import type { Session } from './session.ts'

export interface CurrentManifest {
  readonly generation: number
  readonly manifest: StoredManifest
}

/** Blob numbers of an epoch begin here, so that those of two writers never meet. */
export const NUMBERS_PER_EPOCH = 2 ** 32
const GROUPS_PER_SLICE = 500
const PARTS_PER_SLICE = 16
const SLICE_PAUSE_MS = 20

/** Null: there is no checkpoint yet. @throws DbError CORRUPT_SEGMENT */
export async function readManifest(session: Session): Promise<CurrentManifest | null> {
  const { rows } = await session.query({
    text: 'SELECT generation, crc, json FROM manifest ORDER BY generation DESC LIMIT 1',
  })
  const [row] = rows
  if (row === undefined) return null
  return {
    generation: Number(row['generation']),
    manifest: parseManifest(String(row['json']), Number(row['crc'])),
  }
}

export function tiedManifest({ generation, manifest }: CurrentManifest): TiedStatement {
  const json = JSON.stringify(manifest)
  return {
    text: `INSERT INTO manifest SELECT $3::bigint, $4::bigint, $5::bigint, $6::text FROM log
      WHERE first_sequence = $1 AND part = 0 AND last_crc = $2`,
    values: [generation, manifest.foldedSequence, crc32(json), json],
  }
}

/** @throws DbError CORRUPT_SEGMENT */
export function blobOf(current: CurrentManifest | null, key: string): StoredBlob {
  return currentBlob(blobsByKey(current?.manifest ?? null), key)
}

export interface Cleaning {
  readonly link: Link
  readonly current: CurrentManifest
  /** Blobs from here on were begun after the checkpoint, or by a later writer: others own them. */
  readonly numbersBelow: number
  /** Of checkpoints that were being written when this one became current. */
  readonly openNumbers: ReadonlySet<number>
  readonly mayGoOn: () => boolean
}

/** Deletes what neither the current checkpoint nor the one before it needs, in slices. */
export async function cleanUp(cleaning: Cleaning): Promise<void> {
  const { link, current } = cleaning
  await link.repeat((session) =>
    session.query({ text: 'DELETE FROM manifest WHERE generation < $1' }, [current.generation - 1]),
  )
  const { rows } = await link.repeat((session) =>
    session.query({ text: 'SELECT crc, json FROM manifest WHERE generation < $1' }, [
      current.generation,
    ]),
  )
  const before = rows.map((row) => parseManifest(String(row['json']), Number(row['crc'])))
  // Of the first checkpoint: the one before it is none, and needs the whole log.
  const folded = current.generation === 1 ? 0 : (before[0]?.foldedSequence ?? 0)
  await trimLog(cleaning, folded)
  const named = [current.manifest, ...before].flatMap(({ blobs }) => blobs)
  await deleteBlobs(cleaning, new Set(named.map(({ number }) => number)))
}

/** Groups are deleted from the front, and the last one at or below the fold stays. */
async function trimLog({ link, mayGoOn }: Cleaning, folded: number): Promise<void> {
  const { rows } = await link.repeat((session) =>
    session.query(
      {
        text: `SELECT first_sequence FROM log WHERE part = 0 AND first_sequence <= $1
          AND last_sequence <= $1 ORDER BY first_sequence DESC LIMIT 1`,
      },
      [folded],
    ),
  )
  const kept = Number(rows[0]?.['first_sequence'] ?? 0)
  while (mayGoOn()) {
    const { count } = await link.repeat((session) =>
      session.query(
        {
          text: `DELETE FROM log WHERE first_sequence < $1 AND first_sequence IN
            (SELECT first_sequence FROM log WHERE first_sequence < $1 AND part = 0
             ORDER BY first_sequence LIMIT ${GROUPS_PER_SLICE})`,
        },
        [kept],
      ),
    )
    if (count === 0) return
    await link.nodes.pause(SLICE_PAUSE_MS)
  }
}

async function deleteBlobs(cleaning: Cleaning, named: ReadonlySet<number>): Promise<void> {
  const { link, numbersBelow, openNumbers, mayGoOn } = cleaning
  const { rows } = await link.repeat((session) =>
    session.query({ text: 'SELECT DISTINCT blob FROM parts WHERE blob < $1' }, [numbersBelow]),
  )
  for (const row of rows) {
    const blob = Number(row['blob'])
    if (named.has(blob) || openNumbers.has(blob)) continue
    while (mayGoOn()) {
      const { count } = await link.repeat((session) =>
        session.query(
          {
            text: `DELETE FROM parts WHERE blob = $1 AND part IN
              (SELECT part FROM parts WHERE blob = $1 ORDER BY part LIMIT ${PARTS_PER_SLICE})`,
          },
          [blob],
        ),
      )
      if (count === 0) break
      await link.nodes.pause(SLICE_PAUSE_MS)
    }
  }
}
