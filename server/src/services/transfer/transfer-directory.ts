/**
 * Where exports go and imports come from: directories inside the one that loading jobs read
 * (`--files`). A request must not choose where else the server writes.
 */
import { mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { DbError } from '#kernel/errors.ts'

const DIRECTORY_MODE = 0o700
const PATH_SIZE_CHARS_MAX = 1_000

/** A directory that takes its name only when it is whole. */
export interface NewDirectory {
  /** What the caller asked for, absolute. */
  readonly path: string
  /** Where its files are written meanwhile. */
  readonly partial: string
  /** Gives it its name. */
  commit(): Promise<void>
  /** Removes what there is of it. */
  discard(): Promise<void>
}

export class TransferDirectory {
  readonly #root: string | null

  /** @param root null: nothing can be exported or imported */
  constructor(root: string | null) {
    this.#root = root
  }

  /** @throws DbError INVALID_PARAMETER outside of the root, or when the name is taken */
  async create(path: string): Promise<NewDirectory> {
    const wanted = this.#inside(path)
    await mkdir(this.#root!, { recursive: true, mode: DIRECTORY_MODE })
    const parent = await this.#makeParent(dirname(wanted), path)
    const target = join(parent, wanted.slice(dirname(wanted).length + 1))
    if (!(await isFree(target))) {
      throw invalid(`The directory '${path}' exists and is not empty: choose another name.`)
    }
    const partial = `${target}.partial`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { mode: DIRECTORY_MODE })
    return {
      path: target,
      partial,
      commit: () => rename(partial, target),
      discard: () => rm(partial, { recursive: true, force: true }),
    }
  }

  /** @throws DbError INVALID_PARAMETER for what is no directory inside of the root */
  async find(path: string): Promise<string> {
    const wanted = this.#inside(path)
    try {
      const found = await realpath(wanted)
      if (isInside(await realpath(this.#root!), found) && (await stat(found)).isDirectory()) {
        return found
      }
    } catch {
      // Told below: what is not there and what may not be read look the same.
    }
    throw invalid(`The directory '${path}' does not exist in the directory for files (--files).`)
  }

  #inside(path: string): string {
    if (this.#root === null) throw invalid('This server has no directory for files (--files).')
    const isName = path !== '' && path.length <= PATH_SIZE_CHARS_MAX && !path.includes('\0')
    const wanted = isName ? resolve(this.#root, path) : ''
    if (isInside(resolve(this.#root), wanted)) return wanted
    const text = `The path '${path.slice(0, 100)}' must lie inside the directory for files (--files).`
    throw invalid(text)
  }

  /** Links on the way must not lead out. */
  async #makeParent(parent: string, path: string): Promise<string> {
    const root = await realpath(this.#root!)
    let existing = parent
    while (!(await exists(existing))) existing = dirname(existing)
    const real = await realpath(existing)
    if (real !== root && !isInside(root, real)) {
      throw invalid(`The path '${path}' must lie inside the directory for files (--files).`)
    }
    try {
      await mkdir(parent, { recursive: true, mode: DIRECTORY_MODE })
      return await realpath(parent)
    } catch (cause) {
      const { code } = cause as { code?: string }
      throw invalid(`The directory '${path}' cannot be made (${code}).`, cause)
    }
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep)
}

async function exists(path: string): Promise<boolean> {
  try {
    await realpath(path)
    return true
  } catch {
    return false
  }
}

async function isFree(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT'
  }
}

function invalid(message: string, cause?: unknown): DbError {
  return new DbError('INVALID_PARAMETER', message, cause === undefined ? {} : { cause })
}
