/** PRINT: values, vertices and edges as JSON (docs/reference/gsql/expressions.md#how-values-are-printed). */
import { jsonAt } from '#graph/columns/json.ts'
import { idText } from '#graph/ids/read.ts'
import type { ColumnView } from '#graph/view.ts'
import type { Codec } from '../cells/codec.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Printer, Value } from '../cells/value.ts'
import type { EdgeHandles } from '../graph/edges.ts'
import type { VertexLayout } from '../graph/layout.ts'
import type { QueryTypes } from '../graph/query-types.ts'
import type { JsonWriter } from './json-writer.ts'

export interface PrintParts {
  readonly writer: JsonWriter
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly strings: StringTable
  readonly types: QueryTypes
}

const encoder = new TextEncoder()
const vId = encoder.encode('v_id')
const vType = encoder.encode('v_type')
const attributesKey = encoder.encode('attributes')
const embeddingsKey = encoder.encode('Embeddings')

export function makePrinter(parts: PrintParts): Printer {
  const { writer, strings } = parts
  return {
    raw: (json) => writer.raw(json),
    utf8: (json) => writer.utf8(json),
    string: (code) => writer.string(strings.view(code)),
    key: (utf8) => writer.key(utf8),
    open: (bracket) => writer.open(bracket),
    close: (bracket) => writer.close(bracket),
    vertexId: (vertex) => writer.text(idOf(parts, vertex)),
    vertexIdBytes: (vertex) => encoder.encode(idOf(parts, vertex)),
    edge: (handle) => printEdge(parts, handle),
    stringBytes: (code) => strings.view(code),
  }
}

function idOf({ layout }: PrintParts, vertex: number): string {
  return vertex < 0 ? '' : idText(layout.tableOf(vertex).ids, layout.rowOf(vertex))
}

function printEdge(parts: PrintParts, handle: number): void {
  const { writer, edges, layout, types } = parts
  writer.open('{')
  const edge = edges.resolve(handle)
  if (edge !== null) {
    const { from, to } = edges.ends(edge)
    const members: readonly (readonly [string, string])[] = [
      ['e_type', edges.typeName(edge)],
      ['from_id', idOf(parts, from)],
      ['from_type', layout.tableOf(from).typeName],
      ['to_id', idOf(parts, to)],
      ['to_type', layout.tableOf(to).typeName],
    ]
    for (const [name, text] of members) {
      writer.keyText(name)
      writer.text(text)
    }
    writer.keyText('directed')
    writer.raw(String(edge.table.directed))
    const { columns } = edge.adjacency
    const count = types.discriminators.get(edge.table.typeId) ?? 0
    if (count > 0) printDiscriminator(writer, columns.slice(0, count), edge.row)
    writer.key(attributesKey)
    writer.open('{')
    printColumns(writer, columns, edge.row)
    writer.close('}')
  }
  writer.close('}')
}

function printDiscriminator(writer: JsonWriter, columns: readonly ColumnView[], row: number): void {
  const values = columns.map((column) => {
    const json = jsonAt(column, row)
    return json.startsWith('"') ? (JSON.parse(json) as string) : json
  })
  writer.keyText('discriminator')
  writer.text(values.join(','))
}

function printColumns(writer: JsonWriter, columns: readonly ColumnView[], row: number): void {
  for (const column of columns) {
    if (column.type.kind === 'VECTOR') continue
    writer.keyText(column.name)
    writer.utf8(jsonAt(column, row))
  }
}

export function printFunctions(parts: PrintParts, printer: Printer) {
  const { writer, layout, types } = parts
  return {
    openObject: (): void => writer.begin(),
    closeObject: (): void => writer.end(),
    openArray: (): void => writer.open('['),
    closeArray: (): void => writer.close(']'),
    printKey: (name: Uint8Array): void => writer.key(name),
    printValue: (codec: Codec, value: Value): void => codec.print(value, printer, false),
    openVertex: (vertex: number): void => {
      const table = layout.tableOf(vertex)
      writer.open('{')
      writer.key(vId)
      writer.text(idOf(parts, vertex))
      writer.key(vType)
      writer.text(table.typeName)
      writer.key(attributesKey)
      writer.open('{')
    },
    closeVertex: (): void => {
      writer.close('}')
      writer.close('}')
    },
    /** WITH VECTOR: a fourth member, one entry per vector attribute. */
    closeVertexWithVectors: (vertex: number): void => {
      writer.close('}')
      writer.key(embeddingsKey)
      writer.open('{')
      for (const column of layout.tableOf(vertex).columns) {
        if (column.type.kind !== 'VECTOR') continue
        writer.keyText(column.name)
        writer.utf8(jsonAt(column, layout.rowOf(vertex)))
      }
      writer.close('}')
      writer.close('}')
    },
    printAttributes: (vertex: number): void => {
      const table = layout.tableOf(vertex)
      const idName = types.idAttributes.get(table.typeId)
      if (idName !== undefined) {
        writer.keyText(idName)
        if (table.ids.type === 'STRING' || table.ids.type === 'DATETIME') {
          writer.text(idOf(parts, vertex))
        } else writer.raw(idOf(parts, vertex))
      }
      printColumns(writer, table.columns, layout.rowOf(vertex))
    },
  }
}
