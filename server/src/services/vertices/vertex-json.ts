/** Vertex rows as JSON, from columns to bytes. */
import type { VertexTableView } from '#graph/view.ts'
import { attributesWriter, type ReadableAttribute } from '../read/attributes.ts'
import type { JsonSink } from '../read/json-sink.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'
import { idWriter, type RowWriter } from '../read/value-writers.ts'

const encoder = new TextEncoder()
const head = encoder.encode('{"v_id":')

/** Writes `{"v_id":…,"v_type":…,"attributes":{…}}` of a row. */
export function vertexWriter(
  table: VertexTableView,
  attributes: readonly ReadableAttribute[],
): RowWriter {
  const writeId = idWriter(table.ids)
  const writeAttributes = attributesWriter(attributes, table)
  const middle = encoder.encode(`,"v_type":${JSON.stringify(table.typeName)},"attributes":`)
  return (sink, row) => {
    sink.raw(head)
    writeId(sink, row)
    sink.raw(middle)
    writeAttributes(sink, row)
    sink.byte(0x7d)
  }
}

/** Writes `[row,row,…]`. */
export function* writeRows(
  sink: JsonSink,
  rows: ArrayLike<number>,
  write: RowWriter,
  scope: ReadScope,
): Sliced<void> {
  sink.byte(0x5b)
  for (let index = 0; index < rows.length; index++) {
    if ((index & (ROWS_PER_LOOK - 1)) === ROWS_PER_LOOK - 1) {
      yield* sink.moreRoom()
      if (scope.isDue) yield
    }
    if (index > 0) sink.byte(0x2c)
    write(sink, rows[index]!)
  }
  sink.byte(0x5d)
}
