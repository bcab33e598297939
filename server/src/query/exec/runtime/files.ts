/**
 * Files that a run writes: lines are kept until the query has ended well, then written whole. Only
 * paths that the host allows can be opened at all.
 */
import { DbError, type ErrorCode } from '#kernel/errors.ts'
import type { ValueType } from '#query/bind/types.ts'
import type { Exporter } from './exporter.ts'
import type { MemoryBudget } from './memory.ts'
import type { StringTable } from './strings.ts'
import type { Value } from './value.ts'

export type FileUse = 'read' | 'write'

/** The door to the files of one graph. */
export interface FileAccess {
  /**
   * The file's full path.
   * @throws DbError GSQL-5105 for a path that is not allowed; FORBIDDEN or WRITE_GUARDED when the
   *   caller of the run has no right to this use of files
   */
  resolve(path: string, use: FileUse): string
  write(fullPath: string, bytes: Uint8Array): void
  /** @throws DbError GSQL-5111 when it cannot be read */
  read(fullPath: string): Uint8Array
}

/** Why a use of files is refused, as the error that says so. */
export interface FileRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Of the caller of a run, by use; null: it is allowed. */
export type FileRights = Readonly<Record<FileUse, FileRefusal | null>>

export const allFileRights: FileRights = { read: null, write: null }

/**
 * Files as one caller may use them. The rights count when a file is reached, not when the query
 * begins: a query that declares a file and never names one runs without them.
 */
export function limitedFiles(access: FileAccess, rights: FileRights): FileAccess {
  return {
    ...access,
    resolve: (path, use) => {
      const refusal = rights[use]
      if (refusal === null) return access.resolve(path, use)
      throw new DbError(refusal.code, refusal.message, { details: refusal.details })
    },
  }
}

export const noFiles: FileAccess = {
  resolve: (path) => {
    throw new DbError('QUERY_RUNTIME', `Runtime Error: access to the file '${path}' is denied.`, {
      details: { code: 'GSQL-5105' },
    })
  },
  write: () => undefined,
  read: () => new Uint8Array(),
}

const encoder = new TextEncoder()

export class RunFiles {
  readonly #access: FileAccess
  readonly #memory: MemoryBudget
  readonly #lines = new Map<string, string[]>()

  constructor(access: FileAccess, memory: MemoryBudget) {
    this.#access = access
    this.#memory = memory
  }

  /** Empties the file; the first line of a file that was not opened does so, too. */
  open(path: string): void {
    if (path !== '') this.#lines.set(this.#access.resolve(path, 'write'), [])
  }

  line(path: string, text: string): void {
    const fullPath = this.#access.resolve(path, 'write')
    this.#memory.take(text.length * 2 + 32)
    const lines = this.#lines.get(fullPath)
    if (lines === undefined) this.#lines.set(fullPath, [text])
    else lines.push(text)
  }

  read(path: string): Uint8Array {
    return this.#access.read(this.#access.resolve(path, 'read'))
  }

  finish(): void {
    for (const [path, lines] of this.#lines) {
      this.#access.write(path, encoder.encode(lines.map((line) => `${line}\n`).join('')))
    }
  }
}

/** More lines of one run than this are only counted. */
const LOG_LINES_MAX = 1000

/** What a run says to the server's log, once it has ended well. */
export class RunLog {
  readonly #memory: MemoryBudget
  readonly #lines: string[] = []
  #dropped = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  line(text: string): void {
    if (this.#lines.length === LOG_LINES_MAX) {
      this.#dropped += 1
      return
    }
    this.#memory.take(text.length * 2 + 32)
    this.#lines.push(text)
  }

  finish(): readonly string[] {
    return this.#dropped === 0 ? this.#lines : [...this.#lines, `… and ${this.#dropped} more`]
  }
}

interface FileParts {
  readonly files: RunFiles
  readonly log: RunLog
  readonly strings: StringTable
  readonly exporter: Exporter
}

export function fileFunctions({ files, log, strings, exporter }: FileParts) {
  const joined = (types: readonly ValueType[], values: readonly Value[]): string =>
    values.map((value, i) => exporter.fileText(value, types[i]!)).join(',')
  return {
    openFile: (path: number): void => files.open(strings.text(path)),
    /** Values joined by commas, as they are: nothing is quoted. */
    fileLine: (path: number, types: readonly ValueType[], values: readonly Value[]): void => {
      files.line(strings.text(path), joined(types, values))
    },
    logLine: (types: readonly ValueType[], values: readonly Value[]): void =>
      log.line(joined(types, values)),
  }
}
