/**
 * Neighbours in the order of an attribute: of the edge, or else of the vertex at its other end, whose
 * id counts as one. Equal values go by the other end's ordinal, then by discriminator.
 *
 * A page looks through all edges of its kind and keeps the first. The cursor holds the value of the
 * last of them, so its place is found though that edge is gone; an edge whose value changes between
 * two pages may be met twice or not at all.
 */
import type { VertexType } from '#catalog/types.ts'
import { ordinalOf } from '#graph/ids/read.ts'
import type { VertexTableView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { foreignCursor } from '../read/cursor.ts'
import { discriminatorTexts, joinDiscriminator } from '../read/discriminator.ts'
import {
  compareValues,
  keyText,
  type SortValue,
  singleKey,
  type ValueReader,
  valueReader,
  vertexAttribute,
} from '../read/value-order.ts'
import { discriminatorColumns } from './edge-find.ts'
import type { EdgeStrip } from './edge-path.ts'

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
  placeOf(strip: number, otherRow: number, edgeRow: number): PlacedEdge
  compare(left: Place, right: Place): number
  /** By the value alone: nothing is made for an edge that is none of the first. */
  compareValue(strip: number, otherRow: number, edgeRow: number, value: SortValue): number
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
  const key = singleKey(sort, 'Neighbours')
  if (key === null || kind.strips.length === 0) return null
  const values = edgeValues(key.name, kind)
  const sign = key.isDescending ? -1 : 1
  const text = keyText(key)
  const columns = kind.strips.map(discriminatorColumns)
  return {
    placeOf: (strip, otherRow, edgeRow) => ({
      ...{ strip, otherRow, edgeRow },
      value: values.read(strip, otherRow, edgeRow),
      ordinal: ordinalOf(kind.target, otherRow),
      discriminator: joinDiscriminator(discriminatorTexts(columns[strip]!, edgeRow)),
    }),
    compare: (left, right) =>
      sign * compareValues(left.value, right.value) ||
      left.ordinal - right.ordinal ||
      compareValues(left.discriminator, right.discriminator),
    compareValue: (strip, otherRow, edgeRow, value) =>
      sign * values.compare(strip, otherRow, edgeRow, value),
    cursorParts: ({ value, ordinal, discriminator }) => [
      ...[text, String(value), ordinal, discriminator],
    ],
    placeIn: (parts) => {
      const [of, value = '', ordinal, discriminator = ''] = parts
      if (of !== text || typeof ordinal !== 'number' || parts.length > 4) throw foreignCursor()
      return { value: values.parse(String(value)), ordinal, discriminator: String(discriminator) }
    },
  }
}

/** As the values of rows, of edges. */
interface EdgeValues extends Pick<ValueReader, 'parse'> {
  read(strip: number, otherRow: number, edgeRow: number): SortValue
  compare(strip: number, otherRow: number, edgeRow: number, value: SortValue): number
}

function edgeValues(name: string, kind: NeighbourKind): EdgeValues {
  const ofEdge = kind.strips.map(({ readable }) =>
    readable.attributes.find((attribute) => attribute.name === name),
  )
  if (ofEdge[0] !== undefined) {
    const readers = ofEdge.map((attribute) => valueReader(attribute!, kind.target))
    return {
      parse: readers[0]!.parse,
      read: (strip, _otherRow, edgeRow) => readers[strip]!.read(edgeRow),
      compare: (strip, _otherRow, edgeRow, value) => readers[strip]!.compare(edgeRow, value),
    }
  }
  const attribute = vertexAttribute(name, kind.targetType, kind.target)
  if (attribute === undefined) throw unknownOfKind(name, kind)
  const { parse, read, compare } = valueReader(attribute, kind.target)
  return {
    parse,
    read: (_strip, otherRow) => read(otherRow),
    compare: (_strip, otherRow, _edgeRow, value) => compare(otherRow, value),
  }
}

export function unknownOfKind(name: string, { edgeType, targetType }: NeighbourKind): DbError {
  return new DbError(
    'ATTRIBUTE_NOT_FOUND',
    `The attribute '${name}' is not an attribute of type ${edgeType}, nor of type ${targetType.name}.`,
  )
}
