/** The audit log on disk: one JSON object per line, files of limited size, the newest kept. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import type { AuditEntry, AuditSink } from './audit-log.ts'

const FILE_SIZE_BYTES_MAX = 10 * 2 ** 20
/** Beside the one that is written. */
const OLD_FILES_MAX = 4

export interface AuditFileOptions {
  readonly directory: string
  /** An entry that cannot be written must not fail the call it tells of. */
  onError(error: unknown): void
  readonly sizeBytesMax?: number
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
  const { directory, onError, sizeBytesMax = FILE_SIZE_BYTES_MAX } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const append = (entry: AuditEntry) => {
    const line = `${JSON.stringify(entry)}\n`
    try {
      if (sizeBytes + line.length > sizeBytesMax) {
        turnOver(path)
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
  if (sizeBytes > 0 && !readFileSync(path, 'utf8').endsWith('\n')) appendFileSync(path, '\n')
  return { earlier, append }
}

/** `audit.log` becomes `.1`, `.1` becomes `.2`; the last one is written over. */
function turnOver(path: string): void {
  for (let number = OLD_FILES_MAX; number > 0; number--) {
    const from = number === 1 ? path : `${path}.${number - 1}`
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number}`)
  }
}

/** A line that a crash cut off is skipped. */
function readEntries(path: string): AuditEntry[] {
  if (!statSync(path, { throwIfNoEntry: false })) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as AuditEntry]
      } catch {
        return []
      }
    })
}
