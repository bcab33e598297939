/** What a run of a loading job reads: its files, or data that came with the request. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { allocateShared } from '#graph/memory/allocate.ts'
import { DbError } from '#kernel/errors.ts'
import type { LoadingJobSyntax } from '#query/syntax/script/ast-script.ts'
import type { RequestKey } from '../instances/request-key.ts'
import { checkSeparator, unescaped } from './line-tokens.ts'
import type { PlannedLoad } from './load-plan.ts'
import type { LinePosition, LoadFile } from './load-protocol.ts'
import type { LoadPlace, StoredRequest } from './load-run-store.ts'
import type { LoadRequest } from './loading-service.ts'

/** What `SET sys.data_root = "…"` gives a value to. */
const DATA_ROOT = '$sys.data_root'

/** Whether the run, and not its job, says where files are. */
export function choosesFiles(
  { files, dataRoot }: LoadRequest,
  paths: ReadonlyMap<string, string>,
): boolean {
  if ([...files.values()].some((path) => path !== null)) return true
  return dataRoot !== undefined && [...paths.values()].some((path) => path.includes(DATA_ROOT))
}

export function namesFiles({ files, loads }: LoadingJobSyntax): boolean {
  return (
    files.some(({ path }) => path !== null) || loads.some(({ source }) => source.kind === 'path')
  )
}

export function withDataRoot(text: string, root: string | undefined): string {
  return root === undefined ? text : text.replaceAll(DATA_ROOT, () => root)
}

/** Data that came with the request, for one file variable. */
export interface GivenData {
  readonly variable: string
  /** As UTF-8. */
  readonly bytes: Uint8Array
  /** Instead of what the job says; undefined: as it says. */
  readonly separator: string | undefined
  readonly eol: string | undefined
  /** Whose data it is. */
  readonly user: string | null
  /** Under which its batches are made once. */
  readonly key?: RequestKey | undefined
}

export function storedRequest(
  request: LoadRequest,
  {
    choosesFiles,
    jobSum,
    filesSum,
  }: Pick<Required<StoredRequest>, 'choosesFiles' | 'jobSum' | 'filesSum'>,
): StoredRequest {
  const { files, lines, isDryRun, dataRoot = null, errorLimits = null } = request
  return {
    files: [...files],
    lines,
    isDryRun,
    dataRoot,
    errorLimits,
    choosesFiles,
    jobSum,
    filesSum,
  }
}

export function loadRequestOf(
  stored: StoredRequest,
): Omit<LoadRequest, 'requireReadFile' | 'user'> {
  const { files, lines, isDryRun, dataRoot, errorLimits } = stored
  return {
    files: new Map(files),
    lines,
    isDryRun,
    ...(dataRoot !== null && { dataRoot }),
    ...(errorLimits !== null && { errorLimits }),
  }
}

export function fillsTable({ source, targets }: PlannedLoad): boolean {
  return source.kind === 'table' || targets.some(({ target }) => target.kind === 'table')
}

export function sizeOf(files: readonly LoadFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Where a stored place lies among the files; null: at the beginning. */
export function positionOf(
  files: readonly LoadFile[],
  place: LoadPlace | null,
): LinePosition | null {
  if (place === null) return null
  const { source, fileName, line } = place
  const input = files.findIndex((file) => file.source === source && file.fileName === fileName)
  return input < 0 ? null : { input, line }
}

/** @returns null for a row of a table: what tables hold is lost with their thread */
export function placeOf(
  files: readonly LoadFile[],
  { input, line }: LinePosition,
): LoadPlace | null {
  const file = files[input]
  return file === undefined ? null : { source: file.source, fileName: file.fileName, line }
}

/** What is copied in one turn of the event loop. */
const COPIED_SIZE_BYTES = 512 * 1024

export async function sharedFile(
  source: string,
  fileName: string,
  given: Uint8Array,
): Promise<LoadFile> {
  const bytes = await inSharedMemory(given)
  return { source, fileName, sizeBytes: bytes.length, from: { kind: 'bytes', bytes } }
}

/**
 * In memory that another thread shares: it reads what came with a request without a copy of its own.
 * @throws DbError MEMORY_LIMIT
 */
export async function inSharedMemory(given: Uint8Array): Promise<Uint8Array<SharedArrayBuffer>> {
  const bytes = new Uint8Array(allocateShared(given.length))
  for (let at = 0; at < given.length; at += COPIED_SIZE_BYTES) {
    if (at > 0) await nextTurn()
    bytes.set(given.subarray(at, at + COPIED_SIZE_BYTES), at)
  }
  return bytes
}

export function givenFile(source: string, fileName: string, text: string): LoadFile {
  return { source, fileName, sizeBytes: text.length, from: { kind: 'text', text } }
}

/** Behind `$name:` stands a path, or JSON that names one as `file.uris`. */
export function placeIn(text: string, source: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const config = JSON.parse(text) as Readonly<Record<string, unknown>>
    const path = config['file.uris'] ?? config['path']
    if (typeof path === 'string') return path
  } catch {
    // Told below.
  }
  const wanted = `$${source}:{"file.uris": "path"}`
  throw new DbError('INVALID_PARAMETER', `The place in a data source must be written as ${wanted}.`)
}

/** What statements call their source; tables have none of their own. */
export function sourceKey({ source }: PlannedLoad): string | null {
  if (source.kind === 'file') return source.name
  return source.kind === 'path' ? source.path : null
}

/** A variable, a path, or `__GSQL_FILENAME_0__` for the first. */
export function sourceNamed(job: LoadingJobSyntax, name: string): string {
  const position = /^__GSQL_FILENAME_(\d+)__$/.exec(name)?.[1]
  const sources = job.loads.flatMap(({ source }) => {
    if (source.kind === 'table') return []
    return [source.kind === 'file' ? source.name : source.path]
  })
  const known = [...new Set(sources)]
  const found = position === undefined ? known.find((one) => one === name) : known[Number(position)]
  const byPath = job.files.find(({ path }) => path === name)?.name
  if (found !== undefined) return found
  if (byPath !== undefined) return byPath
  throw new DbError('INVALID_PARAMETER', `The file variable '${name}' does not exist in the job.`)
}

export function pathsOf(
  job: LoadingJobSyntax,
  wanted: ReadonlyMap<string, string | null>,
): Map<string, string> {
  const defined = new Map(
    job.files.flatMap(({ name, path }) => (path === null ? [] : [[name, path]])),
  )
  for (const { source } of job.loads) {
    if (source.kind === 'path') defined.set(source.path, source.path)
  }
  if (wanted.size === 0) {
    if (defined.size > 0) return defined as Map<string, string>
    throw new DbError('INVALID_PARAMETER', 'No file is given: RUN LOADING JOB … USING name="path".')
  }
  const paths = new Map<string, string>()
  for (const [name, given] of wanted) {
    const path = given ?? defined.get(sourceNamed(job, name))
    if (path === undefined)
      throw new DbError('INVALID_PARAMETER', `The file of ${name} is not given.`)
    paths.set(sourceNamed(job, name), path)
  }
  return paths
}

export function withFormat(
  load: PlannedLoad,
  { separator, eol }: Pick<GivenData, 'separator' | 'eol'>,
): PlannedLoad {
  if (load.source.kind === 'table') return load
  const { format } = load
  const isSeparated = separator !== undefined && !format.isJson
  const given = {
    ...format,
    ...(isSeparated && { separator: unescaped(separator) }),
    ...(eol !== undefined && { eol: unescaped(eol) || '\n' }),
  }
  checkSeparator(given)
  return { ...load, format: given }
}
