/**
 * Files that a run writes. Lines go to a new file through an open descriptor, a chunk at a time, so
 * that their number does not matter to memory; when the query has ended well, the new file takes
 * the place of the old one. Only paths that the host allows can be opened at all.
 */
import { DbError, type ErrorCode } from '#kernel/errors.ts'
import {
  QUERY_FILE_CHUNK_BYTES,
  QUERY_FILES_COUNT_MAX,
  QUERY_FILES_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Value } from '../cells/value.ts'
import type { Exporter } from './exporter.ts'
import type { RunLog } from './run-log.ts'

/** A file that is being written; nobody sees it before it is complete. */
export interface NewFile {
  write(bytes: Uint8Array): void
  /** Puts it in the place of the file of that name. */
  complete(): void
  /** Removes it. Does not fail. */
  discard(): void
}

export type FileUse = 'read' | 'write'

/** The door to the files of one graph. */
export interface FileAccess {
  /**
   * The file's full path.
   * @throws DbError GSQL-5105 for a path that is not allowed; FORBIDDEN or WRITE_GUARDED when the
   *   caller of the run has no right to this use of files
   */
  resolve(path: string, use: FileUse): string
  /** @throws DbError GSQL-5101 when it cannot be opened */
  create(fullPath: string): NewFile
  /** Its bytes, a chunk at a time. @throws DbError GSQL-5111 when it cannot be read */
  read(fullPath: string): Iterable<Uint8Array>
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
  create: () => ({ write: () => undefined, complete: () => undefined, discard: () => undefined }),
  read: () => [],
}

const encoder = new TextEncoder()
/** Most lines of most files fit; the chunk grows when they do not. */
const FIRST_CHUNK_BYTES = 4 * 1024
const LINE_END = /\r?\n/
/** A line and the texts that it is taken apart into. */
const LINE_SIZE_FACTOR = 16
/** The longest character of UTF-8. */
const CHARACTER_BYTES_MAX = 4

/** One file and the chunk of it that is not written yet. */
class OpenFile {
  readonly file: NewFile
  readonly #memory: MemoryBudget
  #chunk: Uint8Array
  #used = 0

  constructor(file: NewFile, memory: MemoryBudget) {
    this.file = file
    this.#memory = memory
    memory.take(FIRST_CHUNK_BYTES)
    this.#chunk = new Uint8Array(FIRST_CHUNK_BYTES)
  }

  /** @returns the bytes that it added */
  text(text: string): number {
    let added = 0
    for (let at = 0; at < text.length; ) {
      if (this.#chunk.length - this.#used < CHARACTER_BYTES_MAX) this.#makeRoom()
      // A part of the text: what the encoder is given it may flatten.
      const part = text.slice(at, at + this.#chunk.length - this.#used)
      const { read, written } = encoder.encodeInto(part, this.#chunk.subarray(this.#used))
      this.#used += written
      added += written
      at += read
    }
    return added
  }

  complete(): void {
    this.#flush()
    this.file.complete()
  }

  free(): void {
    this.#memory.give(this.#chunk.length)
  }

  #makeRoom(): void {
    if (this.#chunk.length >= QUERY_FILE_CHUNK_BYTES) {
      this.#flush()
      return
    }
    const length = Math.min(this.#chunk.length * 4, QUERY_FILE_CHUNK_BYTES)
    this.#memory.take(length)
    const grown = new Uint8Array(length)
    grown.set(this.#chunk.subarray(0, this.#used))
    this.#memory.give(this.#chunk.length)
    this.#chunk = grown
  }

  #flush(): void {
    this.file.write(this.#chunk.subarray(0, this.#used))
    this.#used = 0
  }
}

export class RunFiles {
  readonly #access: FileAccess
  readonly #memory: MemoryBudget
  readonly #open = new Map<string, OpenFile>()
  #writtenBytes = 0

  constructor(access: FileAccess, memory: MemoryBudget) {
    this.#access = access
    this.#memory = memory
  }

  /** Empties the file; the first line of a file that was not opened does so, too. */
  open(path: string): void {
    if (path !== '') this.#begin(this.#access.resolve(path, 'write'))
  }

  /** @param write passes the line on, piece by piece */
  line(path: string, write: (out: (text: string) => void) => void): void {
    const fullPath = this.#access.resolve(path, 'write')
    const file = this.#open.get(fullPath) ?? this.#begin(fullPath)
    const out = (text: string) => this.#count(file.text(text))
    write(out)
    out('\n')
  }

  /** The lines of a file, without their ends. @throws DbError GSQL-5111, QUERY_MEMORY_LIMIT */
  *lines(path: string): Iterable<string> {
    const decoder = new TextDecoder()
    let rest = ''
    for (const bytes of this.#access.read(this.#access.resolve(path, 'read'))) {
      rest += decoder.decode(bytes, { stream: true })
      const lines = rest.split(LINE_END)
      rest = lines.pop()!
      this.#memory.checkOperation(rest.length * LINE_SIZE_FACTOR)
      yield* lines
    }
    const last = rest + decoder.decode()
    if (last !== '') yield* last.split(LINE_END)
  }

  /** The query has ended well. */
  finish(): void {
    for (const file of this.#open.values()) file.complete()
    this.#forget()
  }

  /** Whatever is not finished is removed. Does not fail. */
  discard(): void {
    for (const { file } of this.#open.values()) file.discard()
    this.#forget()
  }

  #begin(fullPath: string): OpenFile {
    const known = this.#open.get(fullPath)
    if (known === undefined && this.#open.size >= QUERY_FILES_COUNT_MAX) {
      throw failure(`a query writes to at most ${QUERY_FILES_COUNT_MAX} files`)
    }
    known?.file.discard()
    known?.free()
    this.#open.delete(fullPath)
    const file = new OpenFile(this.#access.create(fullPath), this.#memory)
    this.#open.set(fullPath, file)
    return file
  }

  #count(bytes: number): void {
    this.#writtenBytes += bytes
    if (this.#writtenBytes <= QUERY_FILES_SIZE_BYTES_MAX) return
    throw failure(`a query writes at most ${QUERY_FILES_SIZE_BYTES_MAX / 2 ** 20} MB to files`)
  }

  #forget(): void {
    for (const file of this.#open.values()) file.free()
    this.#open.clear()
  }
}

function failure(message: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${message}.`, {
    details: { code: 'GSQL-5101' },
  })
}

interface FileParts {
  readonly files: RunFiles
  readonly log: RunLog
  readonly strings: StringTable
  readonly exporter: Exporter
}

export function fileFunctions({ files, log, strings, exporter }: FileParts) {
  /** Values joined by commas, as they are: nothing is quoted. */
  const joined =
    (types: readonly ValueType[], values: readonly Value[]) =>
    (out: (text: string) => void): void => {
      values.forEach((value, i) => {
        if (i > 0) out(',')
        exporter.fileText(value, types[i]!, out)
      })
    }
  return {
    openFile: (path: number): void => files.open(strings.text(path)),
    fileLine: (path: number, types: readonly ValueType[], values: readonly Value[]): void =>
      files.line(strings.text(path), joined(types, values)),
    logLine: (types: readonly ValueType[], values: readonly Value[]): void =>
      log.line(joined(types, values)),
  }
}
