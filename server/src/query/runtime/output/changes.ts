/**
 * What a run changes in the graph: one mutation frame, written while the query runs and committed
 * by the main thread when it has ended well. Entries stand in the order of the statements; equal
 * neighbours share a run of the frame. An assignment changes what still exists then: it does not
 * bring back what somebody deleted while the query ran. What the run read of the elements that it
 * changes goes in front (`expectations.ts`).
 */
import { storedKey } from '#catalog/key-parts.ts'
import { valueAt as attributeAt } from '#graph/columns/read.ts'
import { writeValue } from '#graph/mutate/frame-values.ts'
import type { FrameField, FrameWriter } from '#graph/mutate/frame-writer.ts'
import { writeRowKey } from '#graph/mutate/row-key.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type {
  AdjacencyView,
  ColumnView,
  EdgeTableView,
  GraphView,
  VertexTableView,
} from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Value } from '../cells/value.ts'
import type { EdgeHandles, ResolvedEdge } from '../graph/edges.ts'
import type { VertexLayout } from '../graph/layout.ts'
import { type QueryTypes, tableNamed } from '../graph/query-types.ts'
import { type EdgeEnd, Expectations, runTypeOf } from './expectations.ts'
import { type Exporter, tuplesOf } from './exporter.ts'
import { FrameRuns } from './frame-runs.ts'

export type ChangeWriter = (...args: readonly Value[]) => void

export interface ChangeParts {
  readonly view: GraphView
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly strings: StringTable
  readonly memory: MemoryBudget
  readonly exporter: Exporter
  readonly types: QueryTypes
}

interface TypedField {
  readonly attributeId: number
  readonly type: ValueType
}

export interface SetterSpec {
  readonly byType: readonly { readonly typeId: number; readonly attributeId: number }[]
  readonly adds: boolean
  readonly type: ValueType
}

export interface EdgeInsertSpec {
  readonly edgeTypeId: number
  readonly reversed: boolean
  /** Of the FROM and TO values: VERTEX or an external id. */
  readonly ends: readonly [ValueType, ValueType]
  readonly fields: readonly TypedField[]
}

const SET = 0
const ADD = 2

export class Changes {
  readonly #parts: ChangeParts
  readonly #expectations: Expectations
  readonly #runs: FrameRuns

  constructor(parts: ChangeParts) {
    this.#parts = parts
    this.#expectations = new Expectations(parts)
    this.#runs = new FrameRuns(parts.memory)
  }

  /** The frame; null: nothing was changed. */
  finish(): Uint8Array<ArrayBuffer> | null {
    const { writer } = this.#runs
    if (writer === null) return null
    const expected = this.#expectations.writer
    if (expected === null) return writer.finish().slice()
    expected.appendRuns(writer)
    return expected.finish().slice()
  }

  vertexSetter({ byType, adds, type }: SetterSpec): ChangeWriter {
    const { layout } = this.#parts
    return (vertex, value) => {
      if ((vertex as number) < 0) return
      const table = layout.tableOf(vertex as number)
      const entry = byType.find(({ typeId }) => typeId === table.typeId)
      if (entry === undefined) return
      this.#expectations.vertex(table, layout.rowOf(vertex as number))
      const fields = [{ attributeId: entry.attributeId, op: adds ? ADD : SET }]
      const writer = this.#runs.open(`update ${table.typeId} ${JSON.stringify(fields)}`, (frame) =>
        frame.beginVertexUpdates(table.typeId, fields),
      )
      writeRowKey(writer, table.ids, layout.rowOf(vertex as number))
      this.#value(writer, columnNamed(table.columns, entry.attributeId), { value: value!, type })
      this.#runs.end(writer)
    }
  }

  edgeSetter({ byType, adds, type }: SetterSpec): ChangeWriter {
    const { edges } = this.#parts
    return (handle, value) => {
      const edge = edges.resolve(handle as number)
      if (edge === null) return
      const entry = byType.find(({ typeId }) => typeId === edge.table.typeId)
      if (entry === undefined) return
      this.#expectations.edge(edge)
      const own = this.#discriminators(edge)
      const fields = [...own.map(({ attributeId }) => ({ attributeId, op: SET }))]
      fields.push({ attributeId: entry.attributeId, op: adds ? ADD : SET })
      const run = runTypeOf(edge.table, edge.adjacency)
      const writer = this.#runs.open(`update ${JSON.stringify([run, fields])}`, (frame) =>
        frame.beginEdgeUpdates(run, fields),
      )
      this.#storedEnds(writer, edge)
      for (const column of own) copyValue(writer, column, edge.row)
      const column = columnNamed(edge.adjacency.columns, entry.attributeId)
      this.#value(writer, column, { value: value!, type })
      this.#runs.end(writer)
    }
  }

  vertexDeleter(): ChangeWriter {
    const { layout } = this.#parts
    return (vertex) => {
      if ((vertex as number) < 0) return
      const table = layout.tableOf(vertex as number)
      this.#expectations.vertex(table, layout.rowOf(vertex as number))
      const writer = this.#runs.open(`delete ${table.typeId}`, (frame) =>
        frame.beginVertexDeletes(table.typeId),
      )
      writeRowKey(writer, table.ids, layout.rowOf(vertex as number))
      this.#runs.end(writer)
    }
  }

  edgeDeleter(): ChangeWriter {
    const { edges } = this.#parts
    return (handle) => {
      const edge = edges.resolve(handle as number)
      if (edge === null) return
      this.#expectations.edge(edge)
      const type = runTypeOf(edge.table, edge.adjacency)
      const writer = this.#runs.open(`delete ${JSON.stringify(type)}`, (frame) =>
        frame.beginEdgeDeletes(type),
      )
      this.#storedEnds(writer, edge)
      for (const column of this.#discriminators(edge)) copyValue(writer, column, edge.row)
      this.#runs.end(writer)
    }
  }

  vertexInserter(
    typeId: number,
    keyTypes: readonly ValueType[],
    fields: readonly TypedField[],
  ): ChangeWriter {
    const table = this.#parts.layout.tableOfType(typeId)
    const columns = fields.map(({ attributeId }) => columnNamed(table.columns, attributeId))
    const ops = fields.map(({ attributeId }) => ({ attributeId, op: SET }))
    return (...args) => {
      const parts = keyTypes.map((type, i) => this.#parts.exporter.text(args[i]!, type))
      const id = parts.join(',')
      this.#expectations.insertedVertex(table, id, (frame) => this.#key(frame, table, id))
      const writer = this.#vertices(typeId, ops)
      this.#key(writer, table, id)
      fields.forEach(({ type }, i) => {
        this.#value(writer, columns[i]!, { value: args[keyTypes.length + i]!, type })
      })
      this.#runs.end(writer)
    }
  }

  edgeInserter(spec: EdgeInsertSpec): ChangeWriter {
    const table = this.#parts.view.edgeTables.find(({ typeId }) => typeId === spec.edgeTypeId)
    if (table === undefined) throw new Error('an edge type without a table')
    const ops = spec.fields.map(({ attributeId }) => ({ attributeId, op: SET }))
    const possible = endTypes(table)
    const discriminatorCount = this.#parts.types.discriminators.get(table.typeId) ?? 0
    return (...args) => {
      const [from, fromName, to, toName, ...values] = args
      const given = [
        this.#endOf(from!, spec.ends[0], {
          name: fromName!,
          possible: possible[spec.reversed ? 1 : 0],
        }),
        this.#endOf(to!, spec.ends[1], {
          name: toName!,
          possible: possible[spec.reversed ? 0 : 1],
        }),
      ] as const
      const { adjacency, ends } = this.#placeOf(table, spec, given)
      const writeEnds = (frame: FrameWriter) => {
        for (const end of ends) this.#key(frame, end.table, end.id)
      }
      const writeFields = (frame: FrameWriter, count: number) => {
        spec.fields.slice(0, count).forEach(({ attributeId, type }, i) => {
          const column = columnNamed(adjacency.columns, attributeId)
          this.#value(frame, column, { value: values[i]!, type })
        })
      }
      const writeDiscriminator = (frame: FrameWriter) => writeFields(frame, discriminatorCount)
      const inserted = { table, adjacency, ends, writeEnds, writeDiscriminator }
      this.#expectations.insertedEdge(inserted)
      const writer = this.#edges(table, adjacency, ops)
      writeEnds(writer)
      writeFields(writer, spec.fields.length)
      this.#runs.end(writer)
    }
  }

  /** The pair that connects the ends, and the ends as it stores them. */
  #placeOf(
    table: EdgeTableView,
    spec: EdgeInsertSpec,
    given: readonly [EdgeEnd, EdgeEnd],
  ): { readonly adjacency: AdjacencyView; readonly ends: readonly [EdgeEnd, EdgeEnd] } {
    const [left, right] = spec.reversed ? [given[1], given[0]] : given
    const pairOf = (from: EdgeEnd, to: EdgeEnd) =>
      table.adjacencies.find(
        ({ fromTypeId, toTypeId }) =>
          fromTypeId === from.table.typeId && toTypeId === to.table.typeId,
      )
    const straight = pairOf(left, right)
    if (straight !== undefined) return { adjacency: straight, ends: [left, right] }
    const turned = table.directed ? undefined : pairOf(right, left)
    if (turned !== undefined) return { adjacency: turned, ends: [right, left] }
    const names = `${left.table.typeName} to ${right.table.typeName}`
    throw runtimeError('GSQL-4525', `no edge of type ${table.typeName} goes from ${names}`)
  }

  #endOf(
    value: Value,
    type: ValueType,
    at: { readonly name: Value; readonly possible: readonly number[] },
  ): EdgeEnd {
    const { layout, exporter, strings, view, types } = this.#parts
    if (type.kind === 'VERTEX') {
      if ((value as number) < 0) throw runtimeError('GSQL-4523', 'an end of the edge is unknown')
      const table = layout.tableOf(value as number)
      return { table, id: exporter.text(value, type) }
    }
    const name = strings.text(at.name as number)
    const id = exporter.text(value, type)
    const named =
      name === ''
        ? at.possible.length === 1
          ? view.vertexTables.find(({ typeId }) => typeId === at.possible[0])
          : this.#typeHolding(id, at.possible)
        : tableNamed(view, types, name)
    if (named !== undefined) return { table: named, id }
    const message =
      name === '' ? 'the type of an edge end is needed' : `"${name}" is not a valid vertex type`
    throw runtimeError(name === '' ? 'GSQL-4523' : 'GSQL-4500', message)
  }

  /** An id without a type, where several fit: the only one that has it. */
  #typeHolding(id: string, possible: readonly number[]): VertexTableView | undefined {
    const tables = this.#parts.view.vertexTables.filter(
      (table) => possible.includes(table.typeId) && findVertex(table, id) >= 0,
    )
    return tables.length === 1 ? tables[0] : undefined
  }

  #discriminators({ table, adjacency }: ResolvedEdge): readonly ColumnView[] {
    const count = this.#parts.types.discriminators.get(table.typeId) ?? 0
    return adjacency.columns.slice(0, count)
  }

  #storedEnds(writer: FrameWriter, edge: ResolvedEdge): void {
    const { layout, edges } = this.#parts
    const { from, to } = edges.storedEnds(edge)
    writeRowKey(writer, layout.tableOf(from).ids, layout.rowOf(from))
    writeRowKey(writer, layout.tableOf(to).ids, layout.rowOf(to))
  }

  #key(writer: FrameWriter, table: VertexTableView, id: string): void {
    if (table.ids.type === 'STRING') {
      if (id === '') throw runtimeError('GSQL-4502', 'a vertex id cannot be empty')
      const stored = table.keyKinds === null ? id : storedKey(id, table.keyKinds)
      if (stored === null) throw notAnId(table, id)
      writer.textKey(stored)
      return
    }
    if (!/^-?\d+$/.test(id)) {
      throw notAnId(table, id)
    }
    writer.bigintKey(BigInt.asIntN(64, BigInt(id)))
  }

  #value(
    writer: FrameWriter,
    column: ColumnView,
    { value, type }: { readonly value: Value; readonly type: ValueType },
  ): void {
    const { exporter } = this.#parts
    exporter.counted(() => {
      const plain = exporter.attribute(value, type, column.type)
      writeValue(writer, column.type, plain, tuplesOf(column))
    })
  }

  #vertices(typeId: number, fields: readonly FrameField[]): FrameWriter {
    return this.#runs.open(`vertices ${typeId} ${JSON.stringify(fields)}`, (writer) =>
      writer.beginVertices(typeId, fields),
    )
  }

  #edges(
    table: EdgeTableView,
    adjacency: AdjacencyView,
    fields: readonly FrameField[],
  ): FrameWriter {
    const type = runTypeOf(table, adjacency)
    return this.#runs.open(`edges ${JSON.stringify([type, fields])}`, (writer) =>
      writer.beginEdges(type, fields),
    )
  }
}

/** Types that edges of a table can come from, and go to. */
function endTypes({ directed, adjacencies }: EdgeTableView): readonly [number[], number[]] {
  const from = adjacencies.map(({ fromTypeId }) => fromTypeId)
  const to = adjacencies.map(({ toTypeId }) => toTypeId)
  const unique = (ids: readonly number[]) => [...new Set(ids)]
  return directed
    ? [unique(from), unique(to)]
    : [unique([...from, ...to]), unique([...from, ...to])]
}

function columnNamed(columns: readonly ColumnView[], attributeId: number): ColumnView {
  const column = columns.find((candidate) => candidate.attributeId === attributeId)
  if (column === undefined) throw new Error('an attribute without a column')
  return column
}

function copyValue(writer: FrameWriter, column: ColumnView, row: number): void {
  writeValue(writer, column.type, attributeAt(column, row), tuplesOf(column))
}

function notAnId({ typeName }: VertexTableView, id: string): DbError {
  return runtimeError('GSQL-4502', `'${id}' is not a valid id of ${typeName}`)
}

function runtimeError(code: string, message: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${message}.`, { details: { code } })
}
