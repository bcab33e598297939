/**
 * Files of queries: all in one directory, whatever their paths say. A relative path begins there;
 * an absolute one has to lead into it, and so has the real place of every folder on the way.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import type { FileAccess } from '../runtime/files.ts'

export function directoryFiles(directory: string): FileAccess {
  const root = resolve(directory)
  return {
    resolve: (path) => allowed(root, path),
    write: (fullPath, bytes) =>
      opened('GSQL-5101', relative(root, fullPath), () => {
        mkdirSync(dirname(fullPath), { recursive: true })
        checkPlace(root, fullPath)
        const partial = `${fullPath}.partial`
        writeFileSync(partial, bytes)
        renameSync(partial, fullPath)
      }),
    read: (fullPath) =>
      opened('GSQL-5111', relative(root, fullPath), () => {
        checkPlace(root, fullPath)
        return readFileSync(fullPath)
      }),
  }
}

function allowed(root: string, path: string): string {
  const fullPath = isAbsolute(path) ? resolve(path) : resolve(join(root, path))
  if (path.includes('\0') || !fullPath.startsWith(root + sep)) throw denied(path)
  return fullPath
}

/** A link on the way may lead outside. */
function checkPlace(root: string, fullPath: string): void {
  const place = realpathSync(dirname(fullPath))
  const home = realpathSync(root)
  if (place !== home && !place.startsWith(home + sep)) throw denied(relative(root, fullPath))
}

function denied(path: string): DbError {
  const text = `Runtime Error: access to the file '${path}' is denied; queries read and write inside the directory for files (--files).`
  return new DbError('QUERY_RUNTIME', text, { details: { code: 'GSQL-5105' } })
}

function opened<T>(code: string, path: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    if (cause instanceof DbError) throw cause
    const verb = code === 'GSQL-5111' ? 'read' : 'opened'
    throw new DbError('QUERY_RUNTIME', `Runtime Error: the file '${path}' cannot be ${verb}.`, {
      details: { code },
      cause,
    })
  }
}
