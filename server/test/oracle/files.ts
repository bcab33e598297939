/** Files of queries: lines that a run writes, and rows of files that it reads (docs/reference/gsql/accumulators.md, docs/reference/gsql/statements.md#output). */
import { posix } from 'node:path'
import { formatDatetime, parseDatetime } from '#kernel/datetime.ts'
import type {
  BoundFilePrint,
  BoundFileSource,
  BoundPrint,
  BoundPrintItem,
  BoundStatement,
} from '#query/ir/bound.ts'
import type { BoundFileColumn } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { appliesTo, evaluate, noRow, type Scope } from './expressions.ts'
import type { Run } from './run.ts'
import type { Folded, State } from './state.ts'
import type { MapState } from './table-states.ts'
import { realText } from './texts.ts'
import { type EdgeValue, fail, Unsupported, type Value, type Vertex } from './values.ts'
import { vertexSet } from './vertex-sets.ts'

/** The text of a file; null: there is none, or it cannot be read. */
export type ReadFile = (path: string) => string | null

/** What a run writes. Nobody sees it before the run has ended well. */
export class PlainFiles {
  /** Lines by path. */
  readonly written = new Map<string, string[]>()
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = read
  }

  open(path: string): void {
    if (path !== '') this.written.set(checked(path), [])
  }

  line(path: string, text: string): void {
    if (path === '') return
    const name = checked(path)
    const known = this.written.get(name)
    if (known === undefined) this.written.set(name, [text])
    else known.push(text)
  }

  lines(path: string): string[] {
    const text = this.#read(checked(path))
    if (text === null) fail('GSQL-5111', `the file '${path}' cannot be read.`)
    const lines = text.split(/\r?\n/)
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines
  }
}

/** Only what lies inside the directory of the graph. */
function checked(path: string): string {
  const name = posix.normalize(path)
  if (name !== '.' && !name.startsWith('..') && !posix.isAbsolute(name)) return name
  return fail(
    'GSQL-5105',
    `access to the file '${path}' is denied; queries of a graph read and write inside its directory (--query-files).`,
  )
}

// Writing

export function runPrintln(
  run: Run,
  { path, values }: Pick<BoundFilePrint, 'path' | 'values'>,
  scope: Scope,
): void {
  const name = evaluate(run, path, scope) as string
  if (name === '') return
  const texts = values.map((value) => lineText(evaluate(run, value, scope), value.type))
  run.files.line(name, texts.join(','))
}

type VertexItem = Exclude<BoundPrintItem, { kind: 'value' }>

/** Values beside each other are one line; items of one set are the columns of a line per vertex. */
export function runPrintToFile(run: Run, { toCsv, items }: BoundPrint): void {
  const path = evaluate(run, toCsv!, noRow) as string
  if (path === '') return
  for (let at = 0; at < items.length; ) {
    const first = items[at]!
    const isOne = (item: BoundPrintItem): boolean =>
      first.kind === 'value' ? item.kind === 'value' : isSameSet(first, item)
    let end = at + 1
    while (end < items.length && isOne(items[end]!)) end++
    const some = items.slice(at, end)
    if (first.kind === 'value') valueLine(run, path, some)
    else vertexLines(run, path, some as VertexItem[])
    at = end
  }
}

function isSameSet(left: VertexItem, right: BoundPrintItem): boolean {
  if (right.kind === 'value') return false
  const [a, b] = [left.set, right.set]
  return a.kind === 'variable' && b.kind === 'variable' && a.slot === b.slot
}

function valueLine(run: Run, path: string, items: readonly BoundPrintItem[]): void {
  const values = items.flatMap((item) => (item.kind === 'value' ? [item] : []))
  const { where } = values[0]!
  if (where !== null && evaluate(run, where, noRow) !== true) return
  const texts = values.map(({ value }) => lineText(evaluate(run, value, noRow), value.type))
  run.files.line(path, texts.join(','))
}

function vertexLines(run: Run, path: string, items: readonly VertexItem[]): void {
  const [first] = items
  for (const vertex of vertexSet(run, first!.set, noRow)) {
    if (!first!.typeIds.includes(vertex.typeId)) continue
    const scope = { row: { vertices: [vertex], edges: [] }, locals: [] }
    if (first!.where !== null && evaluate(run, first!.where, scope) !== true) continue
    const texts = items.flatMap((item) => {
      if (item.kind === 'vertexSet') return [vertex.id]
      return item.columns.map(({ value, applies }) =>
        appliesTo(scope, applies) ? lineText(evaluate(run, value, scope), value.type) : '',
      )
    })
    run.files.line(path, texts.join(','))
  }
}

/** Elements apart by spaces, fields and pairs by colons; nothing is quoted. */
export function lineText(value: Value, type: ValueType): string {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
    case 'BAG':
    case 'HEAP':
      return (value as State)
        .elements()
        .map((item) => lineText(item, type.element))
        .join(' ')
    case 'MAP':
      return (value as MapState)
        .entries()
        .map(({ key, value: item }) => {
          return `${lineText(key, type.key)}:${lineText(item.read(), type.value)}`
        })
        .join(' ')
    case 'TUPLE':
      return (value as readonly Value[])
        .map((field, i) => lineText(field, type.fields[i]!.type))
        .join(':')
    case 'EDGE': {
      const edge = value as EdgeValue | null
      return edge === null ? '' : `${edge.from.id}:${edge.to.id}`
    }
    case 'VERTEX':
      return (value as Vertex | null)?.id ?? ''
    case 'FLOAT':
      return realText(value as number, 7)
    case 'DOUBLE':
      return realText(value as number, 16)
    case 'DATETIME':
      return formatDatetime(value as number)
    case 'GROUPS':
      throw new Unsupported('groups in a line')
    default:
      return String(value)
  }
}

// Reading

/** The cells of these columns, row by row; rows without text are left out. */
export function rowsOfFile(
  run: Run,
  { path, separator, header }: BoundFileSource,
  columns: readonly BoundFileColumn[],
): readonly (readonly string[])[] {
  const mark = evaluate(run, separator, noRow) as string
  const hasHeader = evaluate(run, header, noRow) === true
  const lines = run.files.lines(evaluate(run, path, noRow) as string)
  const names = hasHeader ? (lines[0] ?? '').split(mark) : []
  const places = columns.map((column) =>
    typeof column === 'number' ? column : names.indexOf(column),
  )
  return lines
    .slice(hasHeader ? 1 : 0)
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split(mark)
      return places.map((place) => cells[place] ?? '')
    })
}

export function runLoadAccum(
  run: Run,
  { slot, sources, shape, resets }: Extract<BoundStatement, { kind: 'loadAccum' }>,
): void {
  const state = run.globals[slot]!
  if (resets) state.clear()
  const types = [...shape.key, ...shape.value]
  for (const { file, columns } of sources) {
    for (const cells of rowsOfFile(run, file, columns)) {
      const values = cells.map((cell, i) => parsed(run, cell, types[i]!))
      if (values.includes(undefined)) continue
      const keys = values.slice(0, shape.key.length) as Value[]
      const rest = values.slice(shape.key.length) as Value[]
      const value = shape.isTuple ? rest : rest[0]!
      const isBare = keys.length === 0 || shape.isElement
      state.fold(underKeys(keys, { kind: isBare ? 'element' : 'scalar', value }))
    }
  }
}

/** Folded into the entry of the first key, in it into that of the next. */
function underKeys(keys: readonly Value[], value: Folded): Folded {
  return keys.reduceRight<Folded>(
    (inner, key) => ({ kind: 'pair', key, value: inner, assign: false }),
    value,
  )
}

/** Undefined: the text spells no value of the type. */
function parsed(run: Run, text: string, type: ValueType): Value | undefined {
  switch (type.kind) {
    case 'STRING':
      return text
    case 'INT':
    case 'UINT': {
      if (!/^\s*-?\d+\s*$/.test(text)) return undefined
      const value = BigInt(text.trim())
      return type.kind === 'INT' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)
    }
    case 'FLOAT':
    case 'DOUBLE': {
      const value = Number(text)
      if (text.trim() === '' || Number.isNaN(value)) return undefined
      return type.kind === 'FLOAT' ? Math.fround(value) : value
    }
    case 'BOOL':
      return /^\s*(?:true|1)\s*$/i.test(text)
    case 'DATETIME': {
      const seconds = parseDatetime(text)
      return Number.isNaN(seconds) ? undefined : seconds
    }
    case 'VERTEX':
      return run.graph.findById(type.typeIds?.[0] ?? -1, text) ?? undefined
    default:
      return undefined
  }
}
