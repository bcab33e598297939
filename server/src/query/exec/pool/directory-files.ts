/**
 * Files of queries: those of one graph, all in one directory, whatever their paths say. A relative
 * path begins there; an absolute one has to lead into it. Links are not followed.
 */
import { closeSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { DbError } from '#kernel/errors.ts'
import {
  containedPath,
  createContained,
  LinkInPath,
  openContained,
} from '#storage/files/contained.ts'
import type { FileAccess } from '../runtime/files.ts'

/** @param directory of all graphs. @param graph whose files are meant */
export function directoryFiles(directory: string, graph: string): FileAccess {
  const home = join(resolve(directory), graph)
  const nameOf = (fullPath: string) => relative(home, fullPath)
  return {
    resolve: (path) => {
      const fullPath = containedPath(home, path)
      if (fullPath === null) throw denied(path)
      return fullPath
    },
    write: (fullPath, bytes) =>
      opened('GSQL-5101', nameOf(fullPath), () => {
        const partial = partialOf(fullPath)
        const descriptor = createContained(directory, partial)
        try {
          checkHome(home, graph)
          writeFileSync(descriptor, bytes)
          renameSync(partial, fullPath)
        } catch (error) {
          rmSync(partial, { force: true })
          throw error
        } finally {
          closeSync(descriptor)
        }
      }),
    read: (fullPath) =>
      opened('GSQL-5111', nameOf(fullPath), () => {
        const descriptor = openContained(directory, fullPath)
        try {
          checkHome(home, graph)
          return readFileSync(descriptor)
        } finally {
          closeSync(descriptor)
        }
      }),
  }
}

let partialCount = 0

/** Two runs may write a file of the same name: the one that ends last replaces the other's. */
function partialOf(fullPath: string): string {
  partialCount += 1
  return `${fullPath}.${threadId}-${partialCount}.partial`
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
