/**
 * Where exports go and imports come from: directories inside one of their own (`--exports`), which
 * neither queries nor loading jobs can open. A request must not choose where else the server writes.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import {
  checkFolders,
  containedPath,
  LinkInPath,
  makeFolders,
  PRIVATE_FOLDER_MODE,
} from '#storage/files/contained.ts'
import { MANIFEST_FILE } from './export-manifest.ts'

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
  readonly #formerRoot: string | null

  /**
   * @param root null: nothing can be exported or imported
   * @param formerRoot the directory for loading, where earlier versions wrote exports; null: none
   */
  constructor(root: string | null, formerRoot: string | null = null) {
    this.#root = root
    this.#formerRoot = formerRoot
  }

  /** @throws DbError INVALID_PARAMETER outside of the root, or when the name is taken */
  async create(path: string): Promise<NewDirectory> {
    const { root, place: target } = this.#inside(path)
    if (target.endsWith(PARTIAL)) {
      throw invalid(`The name of a directory must not end with '${PARTIAL}'.`)
    }
    makeParent(root, target, path)
    if (!(await isFree(target))) {
      throw invalid(`The directory '${path}' exists and is not empty: choose another name.`)
    }
    const partial = `${target}${PARTIAL}`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { mode: PRIVATE_FOLDER_MODE })
    return {
      path: target,
      partial,
      commit: () => rename(partial, target),
      discard: () => rm(partial, { recursive: true, force: true }),
    }
  }

  /** Removes what exports have left that were cut short. @returns the directories, absolute */
  async removePartial(): Promise<readonly string[]> {
    if (this.#root === null) return []
    const found = await partialsIn(this.#root)
    for (const path of found) await rm(path, { recursive: true, force: true })
    return found
  }

  /** @throws DbError INVALID_PARAMETER for what is no directory inside of the root */
  async find(path: string): Promise<string> {
    const { root, place } = this.#inside(path)
    try {
      checkFolders(root, place)
      if ((await stat(place)).isDirectory()) return place
    } catch {
      // Refused below: a missing directory and an unreadable one get the same answer.
    }
    const text = `The directory '${path}' does not exist in the directory for exports (--exports).`
    throw invalid(this.#isFormer(path) ? `${text} ${moved}` : text)
  }

  /** An export of an earlier version, in the directory for loading. */
  #isFormer(path: string): boolean {
    const place = this.#formerRoot === null ? null : containedPath(this.#formerRoot, path)
    return place !== null && existsSync(join(place, MANIFEST_FILE))
  }

  #inside(path: string): { readonly root: string; readonly place: string } {
    if (this.#root === null) throw invalid('This server has no directory for exports (--exports).')
    const place = path.length <= PATH_SIZE_CHARS_MAX ? containedPath(this.#root, path) : null
    if (place !== null) return { root: this.#root, place }
    throw outside(path)
  }
}

/** Ends the name of a directory that is being written. */
const PARTIAL = '.partial'

/** Links are not followed, and nothing is looked for inside of a whole export. */
async function partialsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (entries.some(({ name }) => name === MANIFEST_FILE)) return []
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const path = join(folder, entry.name)
    if (entry.name.endsWith(PARTIAL)) found.push(path)
    else found.push(...(await partialsIn(path)))
  }
  return found
}

const moved =
  'An export of this name lies in the directory for files (--files), where earlier versions wrote exports: move it into the directory for exports first.'

function makeParent(root: string, target: string, path: string): void {
  try {
    makeFolders(root, dirname(target))
  } catch (cause) {
    if (cause instanceof LinkInPath) throw outside(path)
    const { code } = cause as { code?: string }
    throw invalid(`The directory '${path}' cannot be made (${code}).`, cause)
  }
}

function outside(path: string): DbError {
  const text = `The path '${path.slice(0, 100)}' must lie inside the directory for exports (--exports).`
  return invalid(text)
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
