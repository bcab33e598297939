/** Which edges of a vertex a path, `filter`, `sort` and `limit` leave, found in slices. */
import { bytesAt, integerAt } from '#graph/columns/read.ts'
import { compareBytes } from '#graph/memory/compare.ts'
import type { ColumnView } from '#graph/view.ts'
import { compareNumbers } from '#kernel/order.ts'
import { selectedNames, unknownAttribute } from '../read/attributes.ts'
import { discriminatorTexts } from '../read/discriminator.ts'
import {
  bindFilter,
  type FilterTerm,
  parseFilter,
  predicateOf,
  type RowPredicate,
} from '../read/filter.ts'
import { limitOf, type ReadOptions } from '../read/read-options.ts'
import type { ReadScope, Sliced } from '../read/read-scope.ts'
import { parseSort, type SortKey, sortInSlices, unsortable } from '../read/sort.ts'
import { EdgeList } from './edge-list.ts'
import type { EdgeStrip, ResolvedPath } from './edge-path.ts'
import { type VisitEdge, walkBetween, walkStrip } from './edge-walk.ts'

/** Edges in their order: `order[i]` is an index into `edges`. */
export interface FoundEdges {
  readonly edges: EdgeList
  readonly order: Uint32Array
}

/** @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER */
export function* findEdges(
  path: ResolvedPath,
  options: ReadOptions,
  scope: ReadScope,
): Sliced<FoundEdges> {
  const keys = parseSort(options.sort)
  checkNames(
    path,
    keys.map(({ name }) => name),
  )
  const limit = limitOf(options)
  const enough = keys.length === 0 ? limit : Number.POSITIVE_INFINITY
  const edges = new EdgeList(path.strips)
  const terms = parseFilter(options.filter)
  checkNames(
    path,
    terms.map(({ name }) => name),
  )
  for (const [index, strip] of path.strips.entries()) {
    const predicate = stripPredicate(path, strip, terms)
    if (predicate === noRow || edges.length >= enough) continue
    const visit: VisitEdge = (otherRow, edgeRow) => {
      if (predicate === null || predicate(edgeRow)) edges.push(index, otherRow, edgeRow)
      return edges.length < enough
    }
    yield* walk(path, strip, visit, scope)
  }
  const order = new Uint32Array(edges.length)
  for (let index = 0; index < order.length; index++) order[index] = index
  if (keys.length > 0) yield* sortInSlices(order, edgeOrder(edges, keys), scope)
  return { edges, order: order.subarray(0, limit) }
}

/** Walks everything the path asks of one strip. */
export function* walk(
  path: ResolvedPath,
  strip: EdgeStrip,
  visit: VisitEdge,
  scope: ReadScope,
): Sliced<void> {
  if (path.targetRow === null) yield* walkStrip(strip, path.sourceRow, visit, scope)
  else walkBetween(strip, path.sourceRow, path.targetRow, visit)
}

/** A predicate that no row passes: the strip's type lacks an attribute of the filter. */
export const noRow: RowPredicate = () => false

/**
 * Filter and discriminator as one test. A type without one of the filter's attributes has no
 * matching edge; `checkNames` has seen to it that some type has them.
 */
export function stripPredicate(
  path: ResolvedPath,
  strip: EdgeStrip,
  terms: readonly FilterTerm[],
): RowPredicate | null {
  const { attributes } = strip.readable
  const lacksOne = terms.some((term) => !attributes.some(({ name }) => name === term.name))
  if (lacksOne) return noRow
  const filter = predicateOf(bindFilter(terms, strip.readable), null)
  const { discriminator } = path
  if (discriminator === null) return filter
  const columns = discriminatorColumns(strip)
  return (row) => {
    const texts = discriminatorTexts(columns, row)
    return (filter === null || filter(row)) && texts.every((text, at) => text === discriminator[at])
  }
}

export function discriminatorColumns({
  type,
  readable,
}: EdgeStrip): readonly (ColumnView | null)[] {
  return type.attributes
    .slice(0, type.discriminatorCount)
    .map(
      ({ id }) => readable.attributes.find(({ attributeId }) => attributeId === id)?.column ?? null,
    )
}

/** Under a wildcard a name need only be known to one type. @throws DbError ATTRIBUTE_NOT_FOUND */
export function checkNames(path: ResolvedPath, names: readonly string[]): void {
  if (path.strips.length === 0) return
  for (const name of names) {
    const isKnown = path.strips.some(({ type }) =>
      type.attributes.some((attribute) => attribute.name === name),
    )
    if (!isKnown) throw unknownAttribute(name, path.isWildcard ? '_' : path.names[0]!)
  }
}

/** The attributes of each strip that `select` leaves. */
export function selectedOf(path: ResolvedPath, select: string | undefined) {
  const names = selectedNames(select)
  if (names !== null) checkNames(path, names)
  return path.strips.map(({ readable }) =>
    names === null
      ? readable.attributes
      : names.flatMap((name) => readable.attributes.find((one) => one.name === name) ?? []),
  )
}

function edgeOrder(
  edges: EdgeList,
  keys: readonly SortKey[],
): (left: number, right: number) => number {
  const columns = keys.map(({ name }) =>
    edges.strips.map(({ readable }) => sortColumn(readable.attributes, name)),
  )
  return (left, right) => {
    for (const [index, key] of keys.entries()) {
      const leftColumn = columns[index]![edges.stripIndexAt(left)]!
      const rightColumn = columns[index]![edges.stripIndexAt(right)]!
      const result = compareCells(
        { column: leftColumn, row: edges.edgeRowAt(left) },
        { column: rightColumn, row: edges.edgeRowAt(right) },
      )
      if (result !== 0) return key.isDescending ? -result : result
    }
    return left - right
  }
}

const sortable: ReadonlySet<string> = new Set([
  'INT',
  'UINT',
  'FLOAT',
  'DOUBLE',
  'BOOL',
  'STRING',
  'DATETIME',
])

function sortColumn(
  attributes: EdgeStrip['readable']['attributes'],
  name: string,
): ColumnView | null {
  const column = attributes.find((attribute) => attribute.name === name)?.column ?? null
  if (column === null || sortable.has(column.type.kind)) return column
  throw unsortable(name, column.type.kind)
}

interface Cell {
  readonly column: ColumnView | null
  readonly row: number
}

/** Types without the attribute stand behind the others; texts behind numbers. */
function compareCells(left: Cell, right: Cell): number {
  const rank = rankOf(left.column) - rankOf(right.column)
  if (rank !== 0 || left.column === null || right.column === null) return rank
  if (left.column.type.kind === 'STRING') {
    return compareBytes(bytesAt(left.column, left.row), bytesAt(right.column, right.row))
  }
  return compareNumbers(integerAt(left.column, left.row), integerAt(right.column, right.row))
}

function rankOf(column: ColumnView | null): number {
  if (column === null) return 2
  return column.type.kind === 'STRING' ? 1 : 0
}
