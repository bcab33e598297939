/** The folders of queries' files, one for each graph, in the directory of `--query-files`. */
import { mkdirSync, renameSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { PRIVATE_FOLDER_MODE } from '#storage/files/contained.ts'

/** No graph has a name with a dot, so that no query reaches what lies there. */
const DROPPED = '.dropped'

export class QueryFiles {
  readonly #directory: string | null
  readonly #clock: Clock
  #count = 0

  /** @param directory null: queries have no files */
  constructor(directory: string | null, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  /**
   * Moves the files of a graph that is dropped to a place that no query reaches: a later graph of
   * the name does not get them.
   * @throws DbError UNAVAILABLE when they cannot be moved
   */
  async forgetGraph(graph: string): Promise<void> {
    if (this.#directory === null) return
    const folder = join(this.#directory, graph)
    if (!(await isThere(folder))) return
    this.#count += 1
    const stamp = new Date(this.#clock.nowMs()).toISOString().replaceAll(/[-:.]/g, '')
    const dropped = join(this.#directory, DROPPED)
    try {
      mkdirSync(dropped, { recursive: true, mode: PRIVATE_FOLDER_MODE })
      renameSync(folder, join(dropped, `${graph}-${stamp}-${this.#count}`))
    } catch (cause) {
      const text = `The files of queries of an earlier graph ${graph} cannot be moved away from ${folder}.`
      throw new DbError('UNAVAILABLE', text, { cause })
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}
