/** Columns of attributes that get a wider type: looked through for what would be lost, then made. */
import { typeText } from '#catalog/attribute-type.ts'
import { schemaError } from '#catalog/rule.ts'
import type { Attribute, AttributeType, Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { Addition } from './additions.ts'
import { sourceOf, targetOf } from './adjacency/read.ts'
import type { Column } from './columns/column.ts'
import type { TableRows } from './columns/columns-of.ts'
import { convertInPieces } from './columns/convert.ts'
import type { MadeColumns } from './columns/made-columns.ts'
import { columnOf } from './columns/read.ts'
import { UNKEPT_ROWS_MAX, type UnkeptValue, unkeptValues } from './columns/unkept.ts'
import { idText } from './ids/read.ts'
import { HEAP_SIZE_BYTES_MAX } from './memory/heap.ts'
import type { Tables } from './tables/tables.ts'
import type { AdjacencyView, GraphView, PinnedView } from './view.ts'

/** One attribute of one type. */
export interface Conversion {
  readonly typeId: number
  readonly typeName: string
  readonly from: Attribute
  readonly to: Attribute
}

/** What a conversion would lose. */
export interface Losses {
  /** Vertices or edges. */
  readonly count: number
  /** The first of them: ids of vertices, `from -> to` of edges. */
  readonly ids: readonly string[]
  readonly example: number | bigint | null
}

export interface ConversionHost {
  readonly tables: Tables
  /** What is left of the memory limit. */
  readonly roomBytes: () => number
  pin(): PinnedView
  /** A clock that strikes when the slice beginning now is over. */
  deadline(): () => boolean
  yieldToOthers(): Promise<void>
  /** @throws DbError UNAVAILABLE when the engine has closed or failed */
  checkAble(): void
}

/** What `after` has in the place of attributes of `before`. */
export function conversionsOf(before: Catalog, after: Catalog): Conversion[] {
  const known = new Set<VertexType | EdgeType>([...before.vertexTypes, ...before.edgeTypes])
  const changed = [...after.vertexTypes, ...after.edgeTypes].filter((type) => !known.has(type))
  if (changed.length === 0) return []
  const types = new Map([...known].map((type) => [type.id, type]))
  return changed.flatMap((type) => {
    const old = types.get(type.id)
    if (old === undefined) return []
    return type.attributes.flatMap((to): Conversion[] => {
      const from = old.attributes.find(({ id }) => id === to.convertedFrom)
      const isThere = from === undefined || old.attributes.some(({ id }) => id === to.id)
      return isThere ? [] : [{ typeId: type.id, typeName: old.name, from, to }]
    })
  })
}

/** What is made before a change of the schema is applied. */
export interface Preparation {
  readonly conversions: readonly Conversion[]
  readonly additions: readonly Addition[]
}

/**
 * @param made gets each new column, also when this fails later
 * @throws DbError SCHEMA_RULE naming a value that would be lost, MEMORY_LIMIT, UNAVAILABLE
 */
export async function convertAll(
  host: ConversionHost,
  { conversions, additions }: Preparation,
  made: MadeColumns,
): Promise<void> {
  checkRoom(host, conversions)
  const { view, release } = host.pin()
  try {
    for (const conversion of conversions) await checkLosses(host, view, conversion)
  } finally {
    release()
  }
  await makeColumns(host, { conversions, additions }, made)
}

/** As `convertAll`, of a change that is in the log: it was looked through before. */
export async function makeColumns(
  host: ConversionHost,
  { conversions, additions }: Preparation,
  made: MadeColumns,
): Promise<void> {
  for (const add of additions) await inSlices(host, add(made))
  for (const { typeId, from, to } of conversions) {
    for (const { column, rows } of columnsAt(host.tables, typeId, from.id)) {
      made.convert(column, await inSlices(host, convertInPieces(column, to, rows)))
    }
  }
}

async function checkLosses(
  host: ConversionHost,
  view: GraphView,
  conversion: Conversion,
): Promise<void> {
  const { typeId, from, to } = conversion
  const place = { typeId, attributeId: from.id }
  const losses = await inSlices(host, lossesOf(view, place, to.type))
  if (losses.count > 0) throw lossError(conversion, losses)
}

async function inSlices<T>(host: ConversionHost, pieces: Generator<undefined, T>): Promise<T> {
  try {
    let isLate = host.deadline()
    for (;;) {
      const { done, value } = pieces.next()
      if (done === true) return value
      if (!isLate()) continue
      await host.yieldToOthers()
      host.checkAble()
      isLate = host.deadline()
    }
  } finally {
    pieces.return(undefined as T)
  }
}

/** A vertex type has one column of an attribute, an edge type one for each pair. */
function columnsAt(
  tables: Tables,
  typeId: number,
  attributeId: number,
): { readonly column: Column; readonly rows: TableRows }[] {
  const vertices = tables.vertexTable(typeId)
  const owners = vertices ? [vertices] : (tables.edgeTable(typeId)?.adjacencies ?? [])
  return owners.flatMap((owner) => {
    const column = owner.columns.find(({ attribute }) => attribute.id === attributeId)
    if (column === undefined) return []
    const { deleted, rowCount } = owner
    const isDead = (row: number) => deleted.has(row)
    return [{ column, rows: { memory: tables.memory, rowCount, isDead } }]
  })
}

/** A number as text, with its place in the dictionary that a column of texts begins with. */
const TEXT_SIZE_BYTES = 48
const NUMBER_SIZE_BYTES = 8

/** The old columns stay until the new ones are in place. */
function checkRoom(host: ConversionHost, conversions: readonly Conversion[]): void {
  const { tables } = host
  let neededBytes = 0
  for (const { typeId, from, to } of conversions) {
    for (const { column, rows } of columnsAt(tables, typeId, from.id)) {
      const isText = to.type.kind === 'STRING'
      if (isText && rows.rowCount * TEXT_SIZE_BYTES > HEAP_SIZE_BYTES_MAX) {
        throw new DbError('MEMORY_LIMIT', `${from.name} has too many values to become texts.`)
      }
      const size = isText ? TEXT_SIZE_BYTES : NUMBER_SIZE_BYTES
      neededBytes += rows.rowCount * size + column.heapUse().byteCount
    }
  }
  const roomBytes = host.roomBytes()
  if (neededBytes <= roomBytes) return
  throw new DbError('MEMORY_LIMIT', 'There is not enough memory to convert the attribute.', {
    details: { neededBytes, roomBytes },
  })
}

/** In pieces: what an attribute of a view would lose as another type. */
export function* lossesOf(
  view: GraphView,
  { typeId, attributeId }: { readonly typeId: number; readonly attributeId: number },
  to: AttributeType,
): Generator<undefined, Losses> {
  let count = 0
  const ids: string[] = []
  let example: number | bigint | null = null
  for (const { owner, idOf } of rowsOf(view, typeId)) {
    const column = columnOf(owner.columns, attributeId)
    if (column === undefined) continue
    const found = yield* unkeptValues(column, owner, to)
    count += found.count
    const names = found.first.map(({ row }: UnkeptValue) => idOf(row))
    ids.push(...names.slice(0, UNKEPT_ROWS_MAX - ids.length))
    example ??= found.first[0]?.value ?? null
  }
  return { count, ids, example }
}

function rowsOf(view: GraphView, typeId: number) {
  const tableOf = (id: number) => view.vertexTables.find((table) => table.typeId === id)
  const vertices = tableOf(typeId)
  if (vertices !== undefined) {
    return [{ owner: vertices, idOf: (row: number) => idText(vertices.ids, row) }]
  }
  const edges = view.edgeTables.find((table) => table.typeId === typeId)?.adjacencies ?? []
  return edges.map((adjacency: AdjacencyView) => {
    const { baseCount, deltaCount, deleted, columns } = adjacency
    const from = tableOf(adjacency.fromTypeId)!.ids
    const to = tableOf(adjacency.toTypeId)!.ids
    const idOf = (row: number) =>
      `${idText(from, sourceOf(adjacency, row))} -> ${idText(to, targetOf(adjacency, row))}`
    return { owner: { rowCount: baseCount + deltaCount, deleted, columns }, idOf }
  })
}

/** With a value and its place; `details.plain` is the message without, for who may not read them. */
export function lossError({ typeId, typeName, from, to }: Conversion, losses: Losses): DbError {
  const { count, ids, example } = losses
  const many = count === 1 ? '1 value' : `${count.toLocaleString('en-US')} values`
  const [at, type] = [`${typeName}.${from.name}`, typeText(to.type)]
  const { code, message } = schemaError(
    `The value ${example} of ${at} ('${ids[0]}') cannot be kept as ${type}; ${many} cannot.`,
  )
  const plain = schemaError(`${many} of ${at} cannot be kept as ${type}.`).message
  return new DbError(code, message, {
    details: { detail: from.name, typeId, unkept: { count, ids }, plain },
  })
}
