/**
 * The elements of one type as the text of an export, in pieces: straight from the columns of a
 * pinned view, on whatever thread. Deleted rows are left out; vertices come in the order in which
 * they were made, edges by their ends, so that an import puts them into the same order.
 */
import { forEachOut } from '#graph/adjacency/read.ts'
import { columnOf } from '#graph/columns/read.ts'
import { idText } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { AdjacencyView, ColumnView, GraphView, VertexTableView } from '#graph/view.ts'
import { csvCell, csvHead } from './csv.ts'
import {
  type EdgeFile,
  type ElementFile,
  type ExportFormat,
  isPayload,
  type VertexFile,
} from './element-files.ts'
import { exactValue, type ValueForm } from './exact-value.ts'

/** About so many characters make a line of the upsert form: one commit or two. */
const LINE_CHARS = 200_000
/** Of the other forms, how many go to the file at once. */
const PIECE_CHARS = 500_000

export interface WrittenFile {
  readonly count: number
}

/** Rows between two stops of one that takes piece by piece: rows without edges give none. */
const ROWS_PER_STOP = 16_384

/** Stops after each piece, and now and then without one; nothing is held from one to the next. */
export type Pieces = Generator<string, WrittenFile>

/** @param write takes the next piece of the file */
export function writeElements(
  view: GraphView,
  file: ElementFile,
  format: ExportFormat,
  write: (text: string) => void,
): WrittenFile {
  const pieces = elementPieces(view, file, format)
  let piece = pieces.next()
  while (!piece.done) {
    if (piece.value !== '') write(piece.value)
    piece = pieces.next()
  }
  return piece.value
}

/** The text of the file; pieces may be empty. */
export function elementPieces(view: GraphView, file: ElementFile, format: ExportFormat): Pieces {
  return file.kind === 'vertices'
    ? vertexPieces(view, file, format)
    : edgePieces(view, file, format)
}

interface Writer {
  add(id: string, attributes: readonly Named[], ends?: EdgeEnds): void
  finish(): void
}

interface Named {
  readonly name: string
  /** JSON text; null: none. */
  readonly value: string | null
}

interface EdgeEnds {
  readonly to: string
}

/** What a writer has written since the last look. */
class Outlet {
  #text = ''

  readonly write = (text: string): void => {
    this.#text += text
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  get isFilled(): boolean {
    return this.#text !== ''
  }
}

function* vertexPieces(view: GraphView, file: VertexFile, format: ExportFormat): Pieces {
  const table = tableOf(view, file.typeId)
  const outlet = new Outlet()
  const writer = writerOf(file, format, outlet.write)
  let count = 0
  if (table !== undefined) {
    const read = attributeReader(file, table.columns, format)
    for (let row = 0; row < table.rowCount; row++) {
      if (isSet(table.deleted, row)) continue
      writer.add(idText(table.ids, row), read(row))
      count++
      if (outlet.isFilled) yield outlet.take()
    }
  }
  writer.finish()
  yield outlet.take()
  return { count }
}

function* edgePieces(view: GraphView, file: EdgeFile, format: ExportFormat): Pieces {
  const from = tableOf(view, file.fromTypeId)
  const to = tableOf(view, file.toTypeId)
  const adjacency = adjacencyOf(view, file)
  const outlet = new Outlet()
  const writer = writerOf(file, format, outlet.write)
  let count = 0
  if (from !== undefined && to !== undefined && adjacency !== undefined) {
    const read = attributeReader(file, adjacency.columns, format)
    for (let row = 0; row < from.rowCount; row++) {
      if (outlet.isFilled || row % ROWS_PER_STOP === 0) yield outlet.take()
      if (isSet(from.deleted, row)) continue
      const id = idText(from.ids, row)
      forEachOut(adjacency, row, (otherRow, edgeRow) => {
        writer.add(id, read(edgeRow), { to: idText(to.ids, otherRow) })
        count++
      })
    }
  }
  writer.finish()
  yield outlet.take()
  return { count }
}

/** Undefined for a type younger than the view: it holds nothing yet. */
function tableOf(view: GraphView, typeId: number): VertexTableView | undefined {
  return view.vertexTables.find((one) => one.typeId === typeId)
}

function adjacencyOf(view: GraphView, file: EdgeFile): AdjacencyView | undefined {
  const table = view.edgeTables.find((one) => one.typeId === file.typeId)
  return table?.adjacencies.find(
    (one) => one.fromTypeId === file.fromTypeId && one.toTypeId === file.toTypeId,
  )
}

function attributeReader(
  { attributes }: ElementFile,
  columns: readonly ColumnView[],
  format: ExportFormat,
): (row: number) => Named[] {
  const form: ValueForm = isPayload(format) ? format : 'plain'
  const read = attributes.flatMap(({ id, name }) => {
    const column = columnOf(columns, id)
    return column === undefined ? [] : [{ name, column }]
  })
  return (row) => read.map(({ name, column }) => ({ name, value: exactValue(column, row, form) }))
}

function writerOf(file: ElementFile, format: ExportFormat, write: (text: string) => void): Writer {
  if (isPayload(format)) return upsertWriter(file, write)
  const head = format === 'csv' ? csvHead(file) : ''
  const lineOf = format === 'csv' ? csvLine : jsonLine(file)
  let piece = head
  return {
    add: (id, attributes, ends) => {
      piece += `${lineOf(id, attributes, ends)}\n`
      if (piece.length < PIECE_CHARS) return
      write(piece)
      piece = ''
    },
    finish: () => {
      if (piece !== '') write(piece)
    },
  }
}

function csvLine(id: string, attributes: readonly Named[], ends?: EdgeEnds): string {
  const cells = [JSON.stringify(id), ...(ends ? [JSON.stringify(ends.to)] : [])]
  for (const { value } of attributes) cells.push(value ?? '')
  return cells.map(csvCell).join(',')
}

/** The rows of contracts 2.2 and 2.3, one per line. */
function jsonLine(file: ElementFile): (id: string, a: readonly Named[], e?: EdgeEnds) => string {
  const type = JSON.stringify(file.type)
  if (file.kind === 'vertices') {
    return (id, attributes) =>
      `{"v_id":${JSON.stringify(id)},"v_type":${type},"attributes":${objectOf(attributes)}}`
  }
  const [from, to] = [JSON.stringify(file.from), JSON.stringify(file.to)]
  const head = `{"e_type":${type},"directed":${file.directed},"from_id":`
  return (id, attributes, ends) =>
    `${head}${JSON.stringify(id)},"from_type":${from},"to_id":${JSON.stringify(ends?.to)},"to_type":${to},"attributes":${objectOf(attributes)}}`
}

function objectOf(attributes: readonly Named[]): string {
  const members = attributes
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => `${JSON.stringify(name)}:${value}`)
  return `{${members.join(',')}}`
}

/** Each line is a payload of docs/reference/rest.md by itself. */
function upsertWriter(file: ElementFile, write: (text: string) => void): Writer {
  const type = JSON.stringify(file.type)
  const [head, tail] =
    file.kind === 'vertices'
      ? [`{"vertices":{${type}:{`, '}}}\n']
      : [`{"edges":{${JSON.stringify(file.from)}:{`, '}}}\n']
  const target = file.kind === 'edges' ? `{${type}:{${JSON.stringify(file.to)}:{` : ''
  let line = ''
  let source: string | null = null
  const closeSource = () => {
    if (source !== null) line += '}}}'
    source = null
  }
  const flush = () => {
    closeSource()
    if (line !== '') write(`${head}${line}${tail}`)
    line = ''
  }
  return {
    add: (id, attributes, ends) => {
      const values = valuesOf(attributes)
      if (ends === undefined) {
        line += `${line === '' ? '' : ','}${JSON.stringify(id)}:${values}`
      } else {
        if (source !== id) {
          closeSource()
          line += `${line === '' ? '' : ','}${JSON.stringify(id)}:${target}`
        } else line += ','
        source = id
        line += `${JSON.stringify(ends.to)}:${values}`
      }
      if (line.length >= LINE_CHARS) flush()
    },
    finish: flush,
  }
}

function valuesOf(attributes: readonly Named[]): string {
  const members = attributes
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => `${JSON.stringify(name)}:{"value":${value}}`)
  return `{${members.join(',')}}`
}
