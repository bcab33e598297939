/** Rows of files as values, and vertices by their external ids. */
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { VertexTableView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import type { LoadedShape } from '#query/ir/bound.ts'
import type { BoundFileColumn } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { Codec } from '../cells/codec.ts'
import { MapShape } from '../cells/table-shapes.ts'
import type { Value } from '../cells/value.ts'
import type { QueryEnv } from '../env.ts'
import { tableNamed } from '../graph/query-types.ts'
import { poll } from '../poll.ts'

/** Codes of path and separator, and whether the first line names the columns. */
type Source = readonly [path: number, separator: number, header: boolean]

interface SelectSpec {
  readonly idColumn: BoundFileColumn
  readonly typeColumn: BoundFileColumn | null
  readonly typeName: string | null
}

interface LoadSpec extends LoadedShape {
  readonly columns: readonly BoundFileColumn[]
}

export function fileSources(env: QueryEnv) {
  const { strings, shapes, exporter } = env
  return {
    vertexOfId: (id: number, typeName: number): number => {
      const table = requireTable(env, strings.text(typeName))
      const vertex = vertexIn(env, table, strings.text(id))
      if (vertex >= 0) return vertex
      const message = `Runtime Error: "${strings.text(id)}" is not a valid vertex id of ${table.typeName}.`
      throw new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-4502' } })
    },
    verticesOfIds: (codec: Codec, type: ValueType, ...at: readonly [number, number]): Value => {
      const [ids, typeName] = at
      const element = 'element' in type ? type.element : type
      const table = requireTable(env, strings.text(typeName))
      return exporter.counted(() => {
        const texts = exporter.elements(ids).map((id) => exporter.text(id, element))
        return found(env, codec, { table, texts })
      })
    },
    selectVertex: (codec: Codec, spec: SelectSpec, source: Source): Value => {
      const block = codec.fresh() as number
      const shape = shapes.of(block)
      eachRow(env, source, [spec.idColumn, spec.typeColumn ?? spec.idColumn], ([id, type]) => {
        const vertex = vertexIn(env, requireTable(env, spec.typeName ?? type!), id!)
        if (vertex >= 0) shape.add(block, vertex)
      })
      return block
    },
    loadAccum: (block: number, spec: LoadSpec, source: Source): void => {
      const types = [...spec.key, ...spec.value]
      const { isElement } = spec
      eachRow(env, source, spec.columns, (cells) => {
        const values = cells.map((cell, i) => parsedValue(env, cell, types[i]!))
        if (values.includes(null)) return
        const keys = values.slice(0, spec.key.length) as Value[]
        const rest = values.slice(spec.key.length) as Value[]
        addUnder(env, block, { keys, value: spec.isTuple ? rest : rest[0]!, isElement })
      })
    },
  }
}

interface Row {
  readonly keys: readonly Value[]
  readonly value: Value
  readonly isElement: boolean
}

/** Into the map under the first key, into the one under it by the next, and so on. */
function addUnder(env: QueryEnv, block: number, { keys, value, isElement }: Row): void {
  const shape = env.shapes.of(block)
  const [key, ...inner] = keys
  if (key === undefined) {
    shape.add(block, value)
    return
  }
  assert(shape instanceof MapShape, 'a key without a map')
  if (inner.length === 0 && !isElement) shape.foldEntry(block, key, value)
  else {
    const under = shape.value.read(shape.ensure(block, key)) as number
    addUnder(env, under, { keys: inner, value, isElement })
  }
}

function requireTable({ view, input }: QueryEnv, typeName: string): VertexTableView {
  const table = tableNamed(view, input.types, typeName)
  if (table !== undefined) return table
  const message = `Runtime Error: "${typeName}" is not a valid vertex type.`
  throw new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-4500' } })
}

function vertexIn({ layout }: QueryEnv, table: VertexTableView, id: string): number {
  const row = findVertex(table, id)
  return row < 0 ? -1 : layout.baseOfType(table.typeId) + row
}

/** Ids without a vertex are left out, and told of. */
function found(
  env: QueryEnv,
  codec: Codec,
  { table, texts }: { readonly table: VertexTableView; readonly texts: readonly string[] },
): Value {
  const block = codec.fresh() as number
  const shape = env.shapes.of(block)
  let missing = 0
  for (const text of texts) {
    const vertex = vertexIn(env, table, text)
    if (vertex >= 0) shape.add(block, vertex)
    else missing += 1
  }
  if (missing > 0) {
    env.warnings.add(`Runtime Warning: ${missing} ids are invalid ${table.typeName} vertex ids.`)
  }
  return block
}

function eachRow(
  env: QueryEnv,
  [path, separator, header]: Source,
  ...[columns, see]: readonly [readonly BoundFileColumn[], (cells: readonly string[]) => void]
): void {
  const mark = env.strings.text(separator)
  const placesIn = (names: readonly string[]) =>
    columns.map((column) => (typeof column === 'number' ? column : names.indexOf(column)))
  let places = header ? null : placesIn([])
  for (const line of env.files.lines(env.strings.text(path))) {
    if (places === null) places = placesIn(line.split(mark))
    else if (line !== '') {
      const cells = line.split(mark)
      poll(env.input.control, 0, 1)
      see(places.map((place) => cells[place] ?? ''))
    }
  }
}

/** Null: the text spells no value of the type, and the line is left out. */
function parsedValue(env: QueryEnv, text: string, type: ValueType): Value | null {
  switch (type.kind) {
    case 'STRING':
      return env.strings.intern(text)
    case 'INT':
    case 'UINT':
      return /^\s*-?\d+\s*$/.test(text) ? env.shapes.integer(BigInt(text.trim())) : null
    case 'FLOAT':
    case 'DOUBLE': {
      const value = Number(text)
      if (text.trim() === '' || Number.isNaN(value)) return null
      return type.kind === 'FLOAT' ? Math.fround(value) : value
    }
    case 'BOOL':
      return /^\s*(?:true|1)\s*$/i.test(text)
    case 'DATETIME': {
      const seconds = parseDatetime(text)
      return Number.isNaN(seconds) ? null : seconds
    }
    case 'VERTEX': {
      const table = env.view.vertexTables.find(({ typeId }) => typeId === type.typeIds?.[0])
      const vertex = table === undefined ? -1 : vertexIn(env, table, text)
      return vertex < 0 ? null : vertex
    }
    default:
      return null
  }
}
