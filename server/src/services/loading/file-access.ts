/** The one directory whose files loading jobs may read: a request must not read the machine's. */
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { DbError } from '#kernel/errors.ts'

export class FileAccess {
  readonly #root: string | null

  /** @param root null: no file may be read */
  constructor(root: string | null) {
    this.#root = root
  }

  /**
   * @param path relative to the directory, or absolute and in it; `ANY:`, `ALL:` and machine names
   *   before it are dropped
   * @throws DbError INVALID_PARAMETER
   */
  async resolve(path: string): Promise<string> {
    const plain = path.replace(/^(ANY|ALL|m\d+(\|m\d+)*):/i, '').replace('$sys.data_root', '.')
    if (this.#root === null || plain === '' || plain.includes('\0')) throw unreadable(path)
    try {
      const root = await realpath(this.#root)
      const found = await realpath(resolve(root, plain))
      const isInside = found.startsWith(root.endsWith(sep) ? root : root + sep)
      if (isInside && (await stat(found)).isFile()) return found
    } catch {
      // Told below: what is not there and what may not be read look the same.
    }
    throw unreadable(path)
  }

  chunks(resolved: string): AsyncIterable<string> {
    return createReadStream(resolved, { encoding: 'utf8', highWaterMark: 256 * 1024 })
  }
}

function unreadable(path: string): DbError {
  const text = `The file '${path}' does not exist in the directory for loading (--files).`
  return new DbError('INVALID_PARAMETER', text)
}
