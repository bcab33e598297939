/** What a run of a loading job reads: its files, or data that came with the request. */
import { DbError } from '#kernel/errors.ts'
import type { LoadingJobSyntax } from '#query/syntax/script/ast-script.ts'
import { checkSeparator, unescaped } from './line-tokens.ts'
import type { PlannedLoad } from './load-plan.ts'
import type { LoadPlace, StoredRequest } from './load-run-store.ts'
import type { LoadInput } from './load-runner.ts'
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
  readonly text: string
  /** Instead of what the job says; undefined: as it says. */
  readonly separator: string | undefined
  readonly eol: string | undefined
}

/** The files of each source. */
export type Inputs = ReadonlyMap<string, readonly LoadInput[]>

export function storedRequest(request: LoadRequest, choosesFiles: boolean): StoredRequest {
  const { files, lines, isDryRun, dataRoot = null, errorLimits = null } = request
  return { files: [...files], lines, isDryRun, dataRoot, errorLimits, choosesFiles }
}

export function loadRequestOf(stored: StoredRequest): Omit<LoadRequest, 'requireReadFile'> {
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

export function sizeOf(inputs: Inputs): number {
  return [...inputs.values()].flat().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

export interface Unread {
  readonly source: string
  readonly input: LoadInput
  readonly skippedLines: number
}

/** The files from the one of the place on, in the order in which they are read. */
export function unread(inputs: Inputs, place: LoadPlace | null): readonly Unread[] {
  const all = [...inputs].flatMap(([source, files]) =>
    files.map((input) => ({ source, input, skippedLines: 0 })),
  )
  const at = all.findIndex(
    ({ source, input }) => source === place?.source && input.fileName === place.fileName,
  )
  if (place === null || at < 0) return all
  return all
    .slice(at)
    .map((one, index) => (index === 0 ? { ...one, skippedLines: place.line } : one))
}

/** Data that came with a request is read in pieces, as a file is. */
const GIVEN_CHUNK_CHARS = 256 * 1024

export function givenInput(fileName: string, text: string): LoadInput {
  let readChars = 0
  const chunks = (function* () {
    while (readChars < text.length) {
      const chunk = text.slice(readChars, readChars + GIVEN_CHUNK_CHARS)
      readChars += chunk.length
      yield chunk
    }
  })()
  return { fileName, chunks, sizeBytes: text.length, readBytes: () => readChars }
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

export function withFormat(load: PlannedLoad, { separator, eol }: GivenData): PlannedLoad {
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
