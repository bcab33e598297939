/** The one directory whose files loading jobs may read: a request must not read the machine's. */
import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import { MANIFEST_FILE } from '../transfer/export-manifest.ts'
import { fileReader } from './file-reader.ts'

const TEXT_SIZE_BYTES_MAX = 2 ** 20

/** A file that may be read. */
export interface FoundFile {
  /** The real one: a link that takes its name afterwards is not followed. */
  readonly path: string
  readonly sizeBytes: number
  readonly isPacked: boolean
}

export class FileAccess {
  readonly #root: string | null
  readonly #queryRoot: string | null

  /**
   * @param root null: no file may be read
   * @param queryRoot where queries write, one folder for each graph; null: nowhere
   */
  constructor(root: string | null, queryRoot: string | null = null) {
    this.#root = root
    this.#queryRoot = queryRoot
  }

  /**
   * @param path relative to the folder, or absolute and in it; the machines before it are dropped
   * @param folder of a data source, below the directory; the directory itself unless said
   * @throws DbError INVALID_PARAMETER
   */
  async open(path: string, folder = '.'): Promise<FoundFile> {
    const [found, ...others] = await this.openAll(path, folder)
    if (found === undefined || others.length > 0) {
      throw new DbError('INVALID_PARAMETER', `'${path}' is a folder, not a file.`)
    }
    return found
  }

  /**
   * As `open`; of a folder all files in it that are not hidden, in order of their names.
   * @throws DbError INVALID_PARAMETER, also for a folder without files
   */
  async openAll(path: string, folder = '.', graph: string | null = null): Promise<FoundFile[]> {
    const plain = withoutMachines(path).replace('$sys.data_root', '.')
    const found = (await this.#find(plain, folder)) ?? (await this.#findOfQuery(plain, graph))
    if (found === null) throw this.#unreadable(path, plain, graph)
    const state = await stat(found)
    if (state.isFile()) return [foundFile(found, state.size)]
    if (!state.isDirectory()) throw this.#unreadable(path, plain, graph)
    const entries = await readdir(found, { withFileTypes: true })
    const names = entries
      .flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? entry.name : []))
      .sort()
    if (names.length === 0) {
      throw new DbError('INVALID_PARAMETER', `The folder '${path}' holds no files.`)
    }
    const files = names.map((name) => join(found, name))
    return await Promise.all(files.map(async (file) => foundFile(file, (await stat(file)).size)))
  }

  /** What a query of the graph wrote; null: nothing of that name. */
  async #findOfQuery(path: string, graph: string | null): Promise<string | null> {
    if (this.#queryRoot === null || graph === null) return null
    return await findWithin(join(this.#queryRoot, graph), '.', path)
  }

  /**
   * Says where the file was looked for. Whether one lies elsewhere on the machine is not looked at: the
   * answer would tell which files there are.
   */
  #unreadable(path: string, plain: string, graph: string | null): DbError {
    if (this.#root === null && this.#queryRoot === null) {
      const text = `The file '${path}' cannot be read: the server has no directory for loading (--files).`
      return new DbError('INVALID_PARAMETER', text)
    }
    const ofQueries = `the files of queries of ${graph} (--query-files ${this.#queryRoot})`
    const places = [
      ...(this.#root === null ? [] : [`the directory for loading (--files ${this.#root})`]),
      ...(this.#queryRoot === null || graph === null ? [] : [ofQueries]),
    ].join(' or in ')
    const isOutside =
      isAbsolute(plain) &&
      [this.#root, this.#queryRoot].every(
        (root) => root === null || !isWithin(root, resolve(plain)),
      )
    const what = isOutside ? 'lies outside: files are read' : 'does not exist'
    return new DbError('INVALID_PARAMETER', `The file '${path}' ${what} in ${places}.`)
  }

  /** A small file whole. @throws DbError INVALID_PARAMETER */
  async text(path: string): Promise<string> {
    const { sizeBytes, ...file } = await this.open(path)
    if (sizeBytes > TEXT_SIZE_BYTES_MAX) {
      throw tooLong(path)
    }
    let text = ''
    for await (const chunk of fileReader(file.path, { ...file, shownName: path }).chunks) {
      text += chunk
      if (text.length > TEXT_SIZE_BYTES_MAX) throw tooLong(path)
    }
    return text
  }

  /** @throws DbError INVALID_PARAMETER when it is no folder below the directory */
  async checkFolder(path: string): Promise<void> {
    await this.list(path)
  }

  /** @throws DbError INVALID_PARAMETER */
  async list(folder: string, path = '.'): Promise<{ folders: string[]; files: string[] }> {
    const found = await this.#find(path, folder)
    if (found === null || !(await stat(found)).isDirectory()) {
      const text = `The folder '${path === '.' ? folder : path}' does not exist in the directory for loading (--files).`
      throw new DbError('INVALID_PARAMETER', text)
    }
    const entries = await readdir(found, { withFileTypes: true })
    const named = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
      entries.flatMap((entry) => (isWanted(entry) ? entry.name : [])).sort()
    return {
      folders: named((entry) => entry.isDirectory()),
      files: named((entry) => entry.isFile()),
    }
  }

  #find(path: string, folder: string): Promise<string | null> {
    return this.#root === null ? Promise.resolve(null) : findWithin(this.#root, folder, path)
  }
}

/** @returns null for what is not there, and for what lies outside: they look the same */
async function findWithin(top: string, folder: string, path: string): Promise<string | null> {
  if (path === '' || `${path}${folder}`.includes('\0')) return null
  try {
    const root = await realpath(top)
    const base = await realpath(resolve(root, folder))
    const found = await realpath(resolve(base, path))
    if (!isWithin(root, base) || !isWithin(base, found)) return null
    return isExported(root, found) ? null : found
  } catch {
    return null
  }
}

function foundFile(path: string, sizeBytes: number): FoundFile {
  return { path, sizeBytes, isPacked: /\.gz$/i.test(path) }
}

/** `ANY:`, `ALL:` or names of machines, before a path. */
const MACHINES = '(?:ANY|ALL|m\\d+(?:\\|m\\d+)*):'
const machinesBefore = new RegExp(`^\\s*${MACHINES}`, 'i')
const nextMachines = new RegExp(`,(?=\\s*${MACHINES})`, 'i')

function withoutMachines(path: string): string {
  return path.replace(machinesBefore, '').trim()
}

/** The paths of `m1|m2:/p, m3:/q`. A comma that no machine follows belongs to a path. */
export function pathsOfList(list: string): string[] {
  return list.split(nextMachines).map(withoutMachines)
}

/** A folder with one of these is an export, a backup or a data directory. */
const closedBy = [MANIFEST_FILE, 'log.db', 'segments.db']

/**
 * Earlier versions wrote exports into the directory for loading, and operators may put backups
 * there: with the data of every graph, and with secrets. No loading job reads them, whole or cut
 * short.
 */
function isExported(root: string, path: string): boolean {
  if (
    relative(root, path)
      .split(sep)
      .some((part) => part.endsWith('.partial'))
  )
    return true
  for (let folder = path; isWithin(root, folder); folder = dirname(folder)) {
    if (closedBy.some((name) => existsSync(join(folder, name)))) return true
    if (folder === root) return false
  }
  return false
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function tooLong(path: string): DbError {
  return new DbError('INVALID_PARAMETER', `The file '${path}' is longer than 1 MB.`)
}
