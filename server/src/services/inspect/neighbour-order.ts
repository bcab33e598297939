/**
 * Neighbours in the order of an attribute: of the edge, or else of the vertex at its other end, whose
 * id counts as one. Equal values go by the other end's ordinal, then by discriminator.
 *
 * A page looks through all edges of its kind and keeps the first. The cursor holds the value of the
 * last of them, so its place is found though that edge is gone; an edge whose value changes between
 * two pages may be met twice or not at all.
 */
import type { VertexType } from '#catalog/types.ts'
import { bytesAt, integerAt, numberAt } from '#graph/columns/read.ts'
import { idText, idValue, ordinalOf } from '#graph/ids/read.ts'
import type { VertexTableView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { type ReadableAttribute, readableVertexType } from './attributes.ts'
import { foreignCursor } from './cursor.ts'
import { discriminatorTexts, joinDiscriminator } from './discriminator.ts'
import { discriminatorColumns } from './edge-find.ts'
import type { EdgeStrip } from './edge-path.ts'
import { parseSort, unsortable } from './sort.ts'

/** A text is its first bytes, a character each, so that characters stand in the order of bytes. */
type SortValue = number | bigint | string

/** Longer texts are alike when they begin alike: a cursor travels in an address. */
const SORTED_TEXT_BYTES_MAX = 256

/** Where an edge stands among its kind. */
interface Place {
  readonly value: SortValue
  readonly ordinal: number
  readonly discriminator: string
}

export interface PlacedEdge extends Place {
  readonly strip: number
  readonly otherRow: number
  readonly edgeRow: number
}

export interface NeighbourOrder {
  valueOf(strip: number, otherRow: number, edgeRow: number): SortValue
  placeOf(strip: number, otherRow: number, edgeRow: number, value: SortValue): PlacedEdge
  compare(left: Place, right: Place): number
  compareValues(left: SortValue, right: SortValue): number
  /** Begin with the order itself: a cursor holds for no other. */
  cursorParts(place: Place): readonly (string | number)[]
  /** @throws DbError INVALID_PARAMETER for those of another order */
  placeIn(cursorParts: readonly (string | number)[]): Place
}

export interface NeighbourKind {
  readonly edgeType: string
  readonly strips: readonly EdgeStrip[]
  readonly target: VertexTableView
  readonly targetType: VertexType
}

/**
 * @param sort `since` or `-since`; absent: null
 * @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER for several or what has no order
 */
export function neighbourOrder(
  sort: string | undefined,
  kind: NeighbourKind,
): NeighbourOrder | null {
  const [key, second] = parseSort(sort)
  if (key === undefined || kind.strips.length === 0) return null
  if (second !== undefined) {
    throw new DbError('INVALID_PARAMETER', `Neighbours are sorted by one attribute, not '${sort}'.`)
  }
  const { isText, readValue } = valueReader(key.name, kind)
  const sign = key.isDescending ? -1 : 1
  const text = `${key.isDescending ? '-' : ''}${key.name}`
  const columns = kind.strips.map(discriminatorColumns)
  return {
    valueOf: readValue,
    placeOf: (strip, otherRow, edgeRow, value) => ({
      ...{ strip, otherRow, edgeRow, value },
      ordinal: ordinalOf(kind.target, otherRow),
      discriminator: joinDiscriminator(discriminatorTexts(columns[strip]!, edgeRow)),
    }),
    compare: (left, right) =>
      sign * compareValues(left.value, right.value) ||
      left.ordinal - right.ordinal ||
      compareValues(left.discriminator, right.discriminator),
    compareValues: (left, right) => sign * compareValues(left, right),
    cursorParts: ({ value, ordinal, discriminator }) => [
      ...[text, String(value), ordinal, discriminator],
    ],
    placeIn: ([of, value = '', ordinal, discriminator = '']) => {
      if (of !== text) throw foreignCursor()
      return {
        value: isText ? String(value) : numberIn(String(value)),
        ordinal: Number(ordinal),
        discriminator: String(discriminator),
      }
    },
  }
}

type EdgeValue = (strip: number, otherRow: number, edgeRow: number) => SortValue

function valueReader(
  name: string,
  kind: NeighbourKind,
): { readonly isText: boolean; readonly readValue: EdgeValue } {
  const ofEdge = kind.strips.map(({ readable }) =>
    readable.attributes.find((attribute) => attribute.name === name),
  )
  const [first] = ofEdge
  if (first !== undefined) {
    const readers = ofEdge.map((attribute) => rowReader(attribute!, kind.target))
    const readValue: EdgeValue = (strip, _otherRow, edgeRow) => readers[strip]!(edgeRow)
    return { isText: first.type.kind === 'STRING', readValue }
  }
  const attribute = targetAttribute(name, kind)
  const read = rowReader(attribute, kind.target)
  return {
    isText: attribute.type.kind === 'STRING',
    readValue: (_strip, otherRow) => read(otherRow),
  }
}

/** The id of a vertex has a name, whether or not it is read as an attribute. */
function targetAttribute(name: string, kind: NeighbourKind): ReadableAttribute {
  const { target, targetType } = kind
  const known = readableVertexType(targetType, target).attributes.find((one) => one.name === name)
  if (known !== undefined) return known
  const { primaryId } = targetType
  if (primaryId.names.length === 1 && primaryId.names[0] === name) {
    return { name, type: { kind: primaryId.type }, attributeId: -1, column: null }
  }
  throw unknownOfKind(name, kind)
}

export function unknownOfKind(name: string, { edgeType, targetType }: NeighbourKind): DbError {
  return new DbError(
    'ATTRIBUTE_NOT_FOUND',
    `The attribute '${name}' is not an attribute of type ${edgeType}, nor of type ${targetType.name}.`,
  )
}

/** @throws DbError INVALID_PARAMETER for a type without an order */
function rowReader(
  { name, type, column }: ReadableAttribute,
  { ids }: VertexTableView,
): (row: number) => SortValue {
  switch (type.kind) {
    case 'STRING':
      if (column === null) return (row) => firstBytes(Buffer.from(idText(ids, row)))
      return (row) => firstBytes(bytesAt(column, row))
    case 'INT':
    case 'UINT':
      if (column === null) return (row) => idValue(ids, row)
      return (row) => integerAt(column, row)
    case 'FLOAT':
    case 'DOUBLE':
    case 'BOOL':
    case 'DATETIME':
      if (column === null) return (row) => idValue(ids, row)
      return (row) => ordered(numberAt(column, row))
    default:
      throw unsortable(name, type.kind)
  }
}

const firstBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, SORTED_TEXT_BYTES_MAX)).toString('latin1')

/** What is not a number would be neither before nor behind any. */
const ordered = (value: number): number => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value)

const numberIn = (text: string): number | bigint =>
  /^-?\d+$/.test(text) ? BigInt(text) : ordered(Number(text))

const compareValues = (left: SortValue, right: SortValue): number =>
  left < right ? -1 : left > right ? 1 : 0

/** Keeps the first of many, by an order. */
export class FirstEdges {
  readonly #count: number
  readonly #order: NeighbourOrder
  #kept: PlacedEdge[] = []
  /** Once there are enough: what stands behind it is none of the first. */
  #last: PlacedEdge | null = null

  constructor(count: number, order: NeighbourOrder) {
    this.#count = count
    this.#order = order
  }

  /** Whether an edge of such a value stands behind enough others: nothing is made for most edges. */
  isPast(value: SortValue): boolean {
    return this.#last !== null && this.#order.compareValues(value, this.#last.value) > 0
  }

  offer(edge: PlacedEdge): void {
    if (this.#last !== null && this.#order.compare(edge, this.#last) >= 0) return
    this.#kept.push(edge)
    if (this.#kept.length >= 2 * this.#count) this.#trim()
  }

  inOrder(): readonly PlacedEdge[] {
    this.#trim()
    return this.#kept
  }

  #trim(): void {
    this.#kept = this.#kept.sort(this.#order.compare).slice(0, this.#count)
    this.#last = this.#kept.length < this.#count ? null : this.#kept.at(-1)!
  }
}
