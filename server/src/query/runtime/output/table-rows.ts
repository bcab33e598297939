/** Rows of a table from the rows a SELECT has collected: sorted, cut, without their sort keys. */
import { assert } from '#kernel/assert.ts'
import type { BlockParts } from '../block-functions.ts'
import { type Codec, TupleCodec } from '../cells/codec.ts'
import { ListShape } from '../cells/list.ts'
import { SetShape } from '../cells/table-shapes.ts'
import type { Value } from '../cells/value.ts'
import { checkRowRange } from '../row-range.ts'

interface RowOrder {
  readonly field: number
  readonly descending: boolean
}

type Row = readonly Value[]

/** Bytes of one row that is held as an array while rows are sorted, about. */
const ROW_SIZE_BYTES = 64
const FIELD_SIZE_BYTES = 16

export function tableRows({ shapes, budget }: BlockParts) {
  return (
    codec: Codec,
    block: number,
    ...[order, offset, limit]: readonly [readonly RowOrder[], number, number]
  ): Value => {
    checkRowRange(offset, limit)
    const source = shapes.of(block)
    assert(source instanceof ListShape || source instanceof SetShape, 'rows are a list or a set')
    const tuple = source instanceof ListShape ? source.element : source.key
    assert(tuple instanceof TupleCodec, 'rows are tuples')
    const size = source.size(block)
    const heldBytes = size * (ROW_SIZE_BYTES + tuple.fields.length * FIELD_SIZE_BYTES)
    budget.takeHeap(heldBytes)
    const rows = Array.from({ length: size }, (_, i) => source.elementAt(block, i) as Row)
    if (order.length > 0) rows.sort(comparator(tuple, order))
    const from = Math.max(0, Math.trunc(offset))
    const table = codec.fresh() as number
    const target = shapes.of(table)
    for (const row of rows.slice(from, from + Math.max(0, limit))) target.add(table, row)
    budget.giveHeap(heldBytes)
    return table
  }
}

function comparator(tuple: TupleCodec, order: readonly RowOrder[]) {
  return (left: Row, right: Row): number => {
    for (const { field, descending } of order) {
      const difference = tuple.fields[field]!.codec.compare(left[field]!, right[field]!)
      if (difference !== 0) return descending ? -difference : difference
    }
    return 0
  }
}
