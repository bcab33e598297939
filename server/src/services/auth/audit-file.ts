/** The audit log on disk: one JSON object per line, files of limited size, the newest kept. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import {
  AUDIT_FILE_COUNT,
  AUDIT_FILE_SIZE_BYTES,
  AUDIT_READ_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import type { AuditEntry, AuditSink } from './audit-log.ts'

export interface AuditFileOptions {
  readonly directory: string
  /** An entry that cannot be written must not fail the call it tells of. */
  onError(error: unknown): void
  readonly sizeBytesMax?: number
  /** With the one that is written; the oldest is deleted. */
  readonly fileCount?: number
}

/**
 * Entries are few: each is written before the call it tells of is answered.
 * @throws DbError STORE_FAILED naming the file: without its log the server does not start
 */
export function openAuditFile(options: AuditFileOptions): AuditSink {
  const path = join(options.directory, 'audit.log')
  try {
    return openFile(path, options)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DbError('STORE_FAILED', `the audit log ${path} cannot be opened: ${reason}`, {
      cause,
    })
  }
}

function openFile(path: string, options: AuditFileOptions): AuditSink {
  const { directory, onError } = options
  const { sizeBytesMax = AUDIT_FILE_SIZE_BYTES, fileCount = AUDIT_FILE_COUNT } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const append = (entry: AuditEntry) => {
    const line = `${JSON.stringify(entry)}\n`
    try {
      if (sizeBytes + line.length > sizeBytesMax) {
        turnOver(path, fileCount)
        sizeBytes = 0
      }
      appendFileSync(path, line, { mode: 0o600 })
      sizeBytes += Buffer.byteLength(line)
    } catch (error) {
      onError(error)
    }
  }
  const earlier = [`${path}.1`, path].flatMap(readEntries)
  // What a crash cut off must not spoil the next line.
  if (sizeBytes > 0 && !readTail(path, 1).endsWith('\n')) appendFileSync(path, '\n')
  return { earlier, append }
}

/** `audit.log` becomes `.1`, `.1` becomes `.2`; what is beyond the count is deleted. */
function turnOver(path: string, fileCount: number): void {
  for (let number = fileCount - 1; number > 0; number--) {
    const from = number === 1 ? path : `${path}.${number - 1}`
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number}`)
  }
  if (fileCount === 1) rmSync(path)
  // Also those of a server that was started with a larger count.
  for (let number = fileCount; statSync(`${path}.${number}`, { throwIfNoEntry: false }); number++) {
    rmSync(`${path}.${number}`)
  }
}

/** The newest ones. A line that is not whole is skipped: a crash cut it off, or it begins before. */
function readEntries(path: string): AuditEntry[] {
  if (!statSync(path, { throwIfNoEntry: false })) return []
  return readTail(path, AUDIT_READ_SIZE_BYTES_MAX)
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as AuditEntry]
      } catch {
        return []
      }
    })
}

function readTail(path: string, sizeBytesMax: number): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, sizeBytesMax))
    readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}
