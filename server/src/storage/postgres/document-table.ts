/** The documents of a shared store: as they stand, and as part of the transactions of the log. */
import { crc32 } from 'node:zlib'
import { DbError } from '#kernel/errors.ts'
import type { DocumentChange, StoredDocument } from '../documents.ts'
import type { TiedStatement } from './log-table.ts'
import { ConnectionLostError, type Row, type Session } from './session.ts'

/** What a document's frame changes beside the log. */
export function tiedChange({ collection, key, bytes }: DocumentChange): TiedStatement {
  if (bytes === null) {
    return {
      text: `DELETE FROM documents WHERE collection = $3 AND key = $4 AND EXISTS
        (SELECT 1 FROM log WHERE first_sequence = $1 AND part = 0 AND last_crc = $2)`,
      values: [collection, key],
    }
  }
  return {
    text: `INSERT INTO documents SELECT $3::text, $4::text, $5::bigint, $6::bytea FROM log
      WHERE first_sequence = $1 AND part = 0 AND last_crc = $2
      ON CONFLICT (collection, key) DO UPDATE SET crc = excluded.crc, bytes = excluded.bytes`,
    values: [collection, key, crc32(bytes), bufferOf(bytes)],
  }
}

/** Of an own collection. @throws ConnectionLostError also where the server has not confirmed it */
export async function changeOwn(session: Session, change: DocumentChange): Promise<void> {
  const { collection, key, bytes } = change
  const answer =
    bytes === null
      ? await session.query({ text: 'DELETE FROM documents WHERE collection = $1 AND key = $2' }, [
          collection,
          key,
        ])
      : await session.query(
          {
            text: `INSERT INTO documents VALUES ($1, $2, $3, $4)
              ON CONFLICT (collection, key) DO UPDATE SET crc = excluded.crc, bytes = excluded.bytes`,
          },
          [collection, key, crc32(bytes), bufferOf(bytes)],
        )
  if (!answer.isConfirmed) throw new ConnectionLostError('the standby has not confirmed a document')
}

/** @throws DbError CORRUPT_LOG for a document that does not match its checksum */
export async function readDocument(
  session: Session,
  collection: string,
  key: string,
): Promise<Uint8Array | null> {
  const { rows } = await session.query(
    {
      name: 'read-document',
      text: 'SELECT key, crc, bytes FROM documents WHERE collection = $1 AND key = $2',
    },
    [collection, key],
  )
  return rows[0] === undefined ? null : checked(collection, rows[0]).bytes
}

/** In the order of the bytes of their keys. @throws DbError CORRUPT_LOG */
export async function listDocuments(
  session: Session,
  collection: string,
): Promise<readonly StoredDocument[]> {
  const { rows } = await session.query(
    {
      name: 'list-documents',
      text: 'SELECT key, crc, bytes FROM documents WHERE collection = $1',
    },
    [collection],
  )
  return rows
    .map((row) => checked(collection, row))
    .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
}

function checked(collection: string, row: Row): StoredDocument {
  const key = String(row['key'])
  const bytes = new Uint8Array(row['bytes'] as Uint8Array)
  if (crc32(bytes) === Number(row['crc'])) return { key, bytes }
  throw new DbError('CORRUPT_LOG', `document ${collection}/${key} has a wrong checksum`, {
    details: { collection, key },
  })
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
