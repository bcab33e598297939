/**
 * Closes what lies in directories of ours to other users of the machine. New files are closed by the
 * umask that the program sets; these are the files of earlier versions, of backups that were
 * copied back by hand, and of a directory that existed before.
 */
import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

export interface PrivatePlaces {
  /** Its own files are closed, and no folder in it. */
  readonly dataDirectory: string
  /** Closed with everything below them. */
  readonly trees: readonly string[]
}

/**
 * Takes all rights of other users from the files. Symbolic links are not followed.
 * @returns what remains open, in sentences for the operator
 */
export function closeToOthers({ dataDirectory, trees }: PrivatePlaces): readonly string[] {
  const failed: string[] = []
  closeFiles(dataDirectory, 'files', failed)
  for (const tree of trees) closeFiles(tree, 'tree', failed)
  const warnings = failed.map((path) => `${path} belongs to another user and stays open to others`)
  if (!isOpen(dataDirectory)) return warnings
  const mode = (lstatSync(dataDirectory).mode & 0o777).toString(8)
  return [
    `the data directory ${dataDirectory} is open to other users (mode ${mode}); its files are closed to them. Close it, too: chmod 700 ${dataDirectory}`,
    ...warnings,
  ]
}

function closeFiles(directory: string, depth: 'files' | 'tree', failed: string[]): void {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth === 'tree') {
      closePath(path, failed)
      closeFiles(path, depth, failed)
    }
    if (entry.isFile()) closePath(path, failed)
  }
}

function closePath(path: string, failed: string[]): void {
  try {
    const { mode } = lstatSync(path)
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS)
  } catch (error) {
    // A file that went meanwhile is open to nobody.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push(path)
  }
}

function isOpen(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & OTHERS) !== 0
}

/** None of a directory that is not there or cannot be read: then there is nothing of ours. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
