/**
 * Files of queries: those of one graph, all in one directory, whatever their paths say. A relative
 * path begins there; an absolute one has to lead into it. Links are not followed.
 *
 * A file that is being written lies in a folder that no graph can be called, under the number of
 * the worker that writes it: what a worker that has ended leaves there is removed before the next
 * one starts.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import { QUERY_FILE_CHUNK_BYTES } from '#kernel/limits.ts'
import type { FileAccess, NewFile } from '#query/runtime/output/files.ts'
import {
  checkFolders,
  containedPath,
  createContained,
  LinkInPath,
  makeFolders,
  openContained,
} from '#storage/files/contained.ts'

/** The folder of files that are being written. */
export const PARTIAL_FOLDER = '.partial'

/** Of all graphs: where it is, and who writes there; no two writers have one name. */
export interface FileDirectory {
  readonly path: string
  readonly writer: string
}

/** @param graph whose files are meant */
export function directoryFiles(directory: FileDirectory, graph: string): FileAccess {
  const home = join(resolve(directory.path), graph)
  const nameOf = (fullPath: string) => relative(home, fullPath)
  return {
    resolve: (path) => {
      const fullPath = containedPath(home, path)
      if (fullPath === null) throw denied(path)
      return fullPath
    },
    create: (fullPath) =>
      opened('GSQL-5101', nameOf(fullPath), () => {
        makeFolders(directory.path, dirname(fullPath))
        checkHome(home, graph)
        return newFile(directory, fullPath, nameOf(fullPath))
      }),
    read: (fullPath) =>
      opened('GSQL-5111', nameOf(fullPath), () => {
        const descriptor = openContained(directory.path, fullPath)
        try {
          checkHome(home, graph)
        } catch (error) {
          closeSync(descriptor)
          throw error
        }
        return chunksOf(descriptor, nameOf(fullPath))
      }),
  }
}

/** Removes what a writer that is gone has not completed. */
export function removePartialFiles({ path, writer }: FileDirectory): void {
  const folder = join(resolve(path), PARTIAL_FOLDER)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${writer}-`)) rmSync(join(folder, name), { force: true })
  }
}

/** The descriptor is closed when the last chunk was read, or the reader stops. */
function* chunksOf(descriptor: number, name: string): Iterable<Uint8Array> {
  try {
    for (;;) {
      const chunk = new Uint8Array(QUERY_FILE_CHUNK_BYTES)
      const count = opened('GSQL-5111', name, () => readSync(descriptor, chunk))
      if (count === 0) return
      yield chunk.subarray(0, count)
    }
  } finally {
    closeSync(descriptor)
  }
}

let partialCount = 0

/** Two runs may write a file of the same name: the one that ends last replaces the other's. */
function newFile({ path, writer }: FileDirectory, fullPath: string, name: string): NewFile {
  partialCount += 1
  const partial = join(resolve(path), PARTIAL_FOLDER, `${writer}-${partialCount}`)
  const descriptor = createContained(path, partial)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return {
    write: (bytes) =>
      opened('GSQL-5101', name, () => {
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      }),
    complete: () =>
      opened('GSQL-5101', name, () => {
        close()
        checkFolders(path, dirname(fullPath))
        moveFile(partial, fullPath)
      }),
    discard: () => {
      try {
        close()
        rmSync(partial, { force: true })
      } catch {
        // Removed with the other files of this writer when the next one starts.
      }
    },
  }
}

/** A folder may be the root of another file system. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause
    const beside = `${to}.${basename(from)}.partial`
    copyFileSync(from, beside, constants.COPYFILE_EXCL)
    renameSync(beside, to)
    rmSync(from, { force: true })
  }
}

/** On a file system that ignores letter case, `g` and `G` would be one directory. */
function checkHome(home: string, graph: string): void {
  if (basename(realpathSync.native(home)) !== graph) throw denied(graph)
}

function denied(path: string): DbError {
  const text = `Runtime Error: access to the file '${path}' is denied; queries of a graph read and write inside its directory (--query-files).`
  return new DbError('QUERY_RUNTIME', text, { details: { code: 'GSQL-5105' } })
}

function opened<T>(code: string, path: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    if (cause instanceof DbError) throw cause
    if (cause instanceof LinkInPath) throw denied(path)
    const verb = code === 'GSQL-5111' ? 'read' : 'opened'
    throw new DbError('QUERY_RUNTIME', `Runtime Error: the file '${path}' cannot be ${verb}.`, {
      details: { code },
      cause,
    })
  }
}
