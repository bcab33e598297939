/** Loading jobs and their runs (docs/reference/gsql/loading.md). */

import type { Cursor } from '../cursor.ts'
import type {
  Command,
  EndSyntax,
  FileDefinition,
  LoadingJobSyntax,
  LoadingRunSyntax,
  LoadSource,
  LoadSyntax,
  LoadTarget,
  Options,
  ValueSyntax,
} from './ast-script.ts'
import { parseCondition } from './parse-load-condition.ts'
import { parseValueSyntax } from './parse-load-value.ts'
import { parseLiteral, parseName, parseNames, parseOptions } from './parse-schema.ts'

/** Behind CREATE LOADING; `start` is the offset of CREATE. */
export function parseLoadingJob(cursor: Cursor, start: number): LoadingJobSyntax {
  cursor.expectWord('JOB')
  const name = parseName(cursor)
  let graph: string | null = null
  if (cursor.acceptWord('FOR')) {
    cursor.expectWord('GRAPH')
    graph = parseName(cursor)
  }
  const files: FileDefinition[] = []
  const headers = new Map<string, readonly string[]>()
  const filters: Map<string, ReturnType<typeof parseCondition>> = new Map()
  const loads: LoadSyntax[] = []
  cursor.expectSymbol('{')
  while (!cursor.acceptSymbol('}')) {
    if (cursor.acceptSymbol(';')) continue
    if (cursor.acceptWord('LOAD')) loads.push(parseLoad(cursor))
    else if (cursor.acceptWord('DELETE')) loads.push(parseDelete(cursor))
    else parseDefinition(cursor, { files, headers, filters })
  }
  const text = cursor.text.slice(start, cursor.rangeFrom(start).end)
  return { name, graph, files, headers, filters, loads, text }
}

interface Definitions {
  readonly files: FileDefinition[]
  readonly headers: Map<string, readonly string[]>
  readonly filters: Map<string, ReturnType<typeof parseCondition>>
}

function parseDefinition(cursor: Cursor, { files, headers, filters }: Definitions): void {
  cursor.expectWord('DEFINE')
  if (cursor.acceptWord('FILENAME')) {
    const name = parseNewName(
      cursor,
      files.map((file) => file.name),
    )
    files.push({ name, path: cursor.acceptSymbol('=') ? parseLiteral(cursor) : null })
  } else if (cursor.acceptWord('HEADER')) {
    const name = parseNewName(cursor, [...headers.keys()])
    cursor.expectSymbol('=')
    const columns = [parseLiteral(cursor)]
    while (cursor.acceptSymbol(',')) columns.push(parseLiteral(cursor))
    headers.set(name, columns)
  } else {
    cursor.expectWord('INPUT_LINE_FILTER')
    const name = parseNewName(cursor, [...filters.keys()])
    cursor.expectSymbol('=')
    filters.set(name, parseCondition(cursor))
  }
}

function parseNewName(cursor: Cursor, known: readonly string[]): string {
  const { text } = cursor.token
  if (known.includes(text)) cursor.fail(`${text} is defined twice`)
  return parseName(cursor)
}

function parseLoad(cursor: Cursor): LoadSyntax {
  const source = parseSource(cursor)
  const targets = [parseTarget(cursor)]
  while (cursor.acceptSymbol(',')) targets.push(parseTarget(cursor))
  const options: Options = cursor.acceptWord('USING') ? parseOptions(cursor) : new Map()
  return { source, targets, options }
}

/** `VERTEX T (PRIMARY_ID $0) FROM f WHERE …`, `EDGE E (FROM $0 A, TO $1 B) FROM f`. */
function parseDelete(cursor: Cursor): LoadSyntax {
  const { start } = cursor.token
  const target = cursor.acceptWord('VERTEX') ? parseVertexDelete(cursor) : parseEdgeDelete(cursor)
  cursor.expectWord('FROM')
  const source = parseSource(cursor)
  const condition = cursor.acceptWord('WHERE') ? parseCondition(cursor) : null
  const options: Options = cursor.acceptWord('USING') ? parseOptions(cursor) : new Map()
  const targets = [{ ...target, condition, range: cursor.rangeFrom(start) }]
  return { source, targets, options }
}

function parseVertexDelete(cursor: Cursor) {
  const type = parseName(cursor)
  cursor.expectSymbol('(')
  cursor.expectWord('PRIMARY_ID')
  const id = parseValueSyntax(cursor)
  cursor.expectSymbol(')')
  return { kind: 'deleteVertex', type, id } as const
}

function parseEdgeDelete(cursor: Cursor) {
  cursor.expectWord('EDGE')
  const type = cursor.acceptSymbol('*') ? '*' : parseName(cursor)
  cursor.expectSymbol('(')
  cursor.expectWord('FROM')
  const from = parseEnd(cursor)
  let to: EndSyntax | null = null
  const discriminator: ValueSyntax[] = []
  if (cursor.acceptSymbol(',')) {
    cursor.expectWord('TO')
    to = parseEnd(cursor)
    if (cursor.acceptSymbol(',')) discriminator.push(...parseDiscriminator(cursor))
  }
  cursor.expectSymbol(')')
  return { kind: 'deleteEdge', type, from, to, discriminator } as const
}

function parseDiscriminator(cursor: Cursor): ValueSyntax[] {
  cursor.expectWord('DISCRIMINATOR')
  cursor.expectSymbol('(')
  const values = [parseValueSyntax(cursor)]
  while (cursor.acceptSymbol(',')) values.push(parseValueSyntax(cursor))
  cursor.expectSymbol(')')
  return values
}

function parseSource(cursor: Cursor): LoadSource {
  if (cursor.acceptWord('TEMP_TABLE')) return { kind: 'table', name: parseName(cursor) }
  if (cursor.atKind('string')) return { kind: 'path', path: cursor.advance().text }
  return { kind: 'file', name: parseName(cursor) }
}

function parseTarget(cursor: Cursor): LoadTarget {
  const { start } = cursor.expectWord('TO')
  const target = parseTargetValues(cursor)
  const condition = cursor.acceptWord('WHERE') ? parseCondition(cursor) : null
  return { ...target, condition, range: cursor.rangeFrom(start) }
}

function parseTargetValues(cursor: Cursor) {
  if (cursor.acceptWord('VERTEX')) {
    const type = parseName(cursor)
    return { kind: 'vertex', type, values: parseValues(cursor) } as const
  }
  if (cursor.acceptWord('VECTOR')) {
    cursor.expectWord('ATTRIBUTE')
    const attribute = parseName(cursor)
    cursor.expectWord('ON')
    cursor.expectWord('VERTEX')
    const type = parseName(cursor)
    return { kind: 'vector', type, attribute, values: parseValues(cursor) } as const
  }
  if (cursor.acceptWord('TEMP_TABLE')) {
    const name = parseName(cursor)
    cursor.expectSymbol('(')
    const columns = parseNames(cursor)
    cursor.expectSymbol(')')
    return { kind: 'table', name, columns, values: parseValues(cursor) } as const
  }
  cursor.expectWord('EDGE')
  const type = parseName(cursor)
  cursor.expectWord('VALUES')
  cursor.expectSymbol('(')
  const from = parseEnd(cursor)
  cursor.expectSymbol(',')
  const to = parseEnd(cursor)
  const values: ValueSyntax[] = []
  while (cursor.acceptSymbol(',')) values.push(parseValueSyntax(cursor))
  cursor.expectSymbol(')')
  return { kind: 'edge', type, from, to, values } as const
}

/** Behind UPSERT: a vertex, or an edge between the two types around it. */
export function parseUpsert(cursor: Cursor): LoadTarget {
  const { start } = cursor.token
  const type = parseName(cursor)
  if (!cursor.acceptSymbol('-')) {
    const values = parseValues(cursor)
    return { kind: 'vertex', type, values, condition: null, range: cursor.rangeFrom(start) }
  }
  cursor.expectSymbol('(')
  const edge = parseName(cursor)
  cursor.expectSymbol(')')
  if (!cursor.acceptSymbol('->')) cursor.expectSymbol('-')
  const other = parseName(cursor)
  const [from, to, ...values] = parseValues(cursor)
  if (from === undefined || to === undefined) cursor.fail('an edge needs two ids')
  return {
    kind: 'edge',
    type: edge,
    from: { id: [from], type: { kind: 'constant', text: type } },
    to: { id: [to], type: { kind: 'constant', text: other } },
    values,
    condition: null,
    range: cursor.rangeFrom(start),
  }
}

function parseValues(cursor: Cursor): ValueSyntax[] {
  cursor.expectWord('VALUES')
  cursor.expectSymbol('(')
  const values = [parseValueSyntax(cursor)]
  while (cursor.acceptSymbol(',')) values.push(parseValueSyntax(cursor))
  cursor.expectSymbol(')')
  return values
}

/** `$0`, `$0 Person`, `$2 $1`, `($"a", $"b") Person`. */
function parseEnd(cursor: Cursor): EndSyntax {
  const id: ValueSyntax[] = []
  if (cursor.acceptSymbol('(')) {
    id.push(parseValueSyntax(cursor))
    while (cursor.acceptSymbol(',')) id.push(parseValueSyntax(cursor))
    cursor.expectSymbol(')')
  } else id.push(parseValueSyntax(cursor))
  if (cursor.atKind('name')) {
    return { id, type: { kind: 'constant', text: cursor.advance().text } }
  }
  const type = cursor.atKind('column') ? parseValueSyntax(cursor) : null
  return { id, type }
}

/** Behind RUN LOADING. */
export function parseLoadingRun(cursor: Cursor): LoadingRunSyntax {
  cursor.expectWord('JOB')
  const before = parseFlags(cursor)
  const name = parseName(cursor)
  const flags = parseFlags(cursor, before)
  const files = new Map<string, string | null>()
  if (cursor.acceptWord('USING')) {
    do {
      const key = parseName(cursor)
      const value = cursor.acceptSymbol('=') ? parseLiteral(cursor) : null
      if (!RUN_OPTIONS.includes(key.toUpperCase())) files.set(key, value)
    } while (cursor.acceptSymbol(','))
  }
  return { name, files, ...flags }
}

/** They shape how the work is cut; the outcome is the same. */
const RUN_OPTIONS = ['CONCURRENCY', 'BATCH_SIZE', 'EOF']

type Flags = Pick<LoadingRunSyntax, 'isDryRun' | 'isQuiet' | 'lines' | 'errorLimits'>

const noFlags: Flags = {
  isDryRun: false,
  isQuiet: false,
  lines: null,
  errorLimits: { countMax: null, percentMax: null },
}

/** They stand before the name of the job and behind it. */
function parseFlags(cursor: Cursor, before = noFlags): Flags {
  let { isDryRun, isQuiet, lines, errorLimits } = before
  const limit = () => Number(cursor.expectKind('int').text)
  const share = () => (cursor.atKind('real') ? Number(cursor.advance().text) : limit())
  while (cursor.acceptSymbol('-')) {
    if (cursor.acceptWord('DRYRUN')) isDryRun = true
    else if (cursor.acceptWord('NOPRINT')) isQuiet = true
    else if (cursor.acceptWord('MAX_NUM_ERROR')) errorLimits = { ...errorLimits, countMax: limit() }
    else if (cursor.acceptWord('MAX_PERCENT_ERROR')) {
      errorLimits = { ...errorLimits, percentMax: share() }
    } else {
      cursor.expectWord('N')
      lines = parseLines(cursor)
    }
  }
  return { isDryRun, isQuiet, lines, errorLimits }
}

/** `n`, `i,j`, or `i,$`: from there to the end. */
function parseLines(cursor: Cursor): { from: number; to: number } {
  const first = Number(cursor.expectKind('int').text)
  if (!cursor.acceptSymbol(',')) return { from: 1, to: first }
  if (cursor.acceptSymbol('$')) return { from: first, to: Number.POSITIVE_INFINITY }
  return { from: first, to: Number(cursor.expectKind('int').text) }
}

/** Behind SHOW LOADING, or ABORT LOADING: the id of a run; null: all of them. */
export function parseLoadingId(cursor: Cursor, before: 'STATUS' | 'ERROR' | 'JOB'): string | null {
  cursor.expectWord(before)
  return cursor.acceptWord('ALL') ? null : parseAdjacent(cursor)
}

/** `SHOW LOADING STATUS id`, `SHOW LOADING ERROR id [LIMIT n]`; the two words are passed. */
export function parseShowLoading(cursor: Cursor): Command {
  if (!cursor.atWord('ERROR')) return { kind: 'showLoading', id: parseLoadingId(cursor, 'STATUS') }
  const id = parseLoadingId(cursor, 'ERROR')
  const limit = cursor.acceptWord('LIMIT') ? Number(cursor.expectKind('int').text) : null
  return { kind: 'showLoadingErrors', id, limit }
}

/** A word with dots and digits inside, such as a job id, to the next blank; or a quoted one. */
function parseAdjacent(cursor: Cursor): string {
  if (cursor.atKind('string')) return cursor.advance().text
  const { start } = cursor.token
  let { end } = cursor.expectKind('name')
  while (cursor.token.start === end && !cursor.atSymbol(';') && !cursor.atKind('end')) {
    end = cursor.advance().end
  }
  return cursor.text.slice(start, end)
}
