/** Edge rows as JSON, from columns to bytes. */
import { attributesWriter, type ReadableAttribute } from '../read/attributes.ts'
import { discriminatorTexts, joinDiscriminator } from '../read/discriminator.ts'
import { JsonSink } from '../read/json-sink.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'
import { idWriter } from '../read/value-writers.ts'
import { discriminatorColumns } from './edge-find.ts'
import type { EdgeList } from './edge-list.ts'
import type { EdgeStrip, ResolvedPath } from './edge-path.ts'

const encoder = new TextEncoder()

export type EdgeWriter = (sink: JsonSink, otherRow: number, edgeRow: number) => void

/** Writes one row; the vertex of the URL is its `from` side. */
export function edgeWriter(
  path: Pick<ResolvedPath, 'source' | 'sourceRow'>,
  strip: EdgeStrip,
  attributes: readonly ReadableAttribute[],
): EdgeWriter {
  const head = stripHead(path, strip)
  const writeId = idWriter(strip.other.ids)
  const writeAttributes = attributesWriter(attributes, null)
  const columns = discriminatorColumns(strip)
  const toType = `,"to_type":${JSON.stringify(strip.other.typeName)}`
  const attributesKey = ',"attributes":'
  const middle = encoder.encode(columns.length > 0 ? toType : toType + attributesKey)
  return (sink, otherRow, edgeRow) => {
    sink.raw(head)
    writeId(sink, otherRow)
    sink.raw(middle)
    if (columns.length > 0) {
      const text = joinDiscriminator(discriminatorTexts(columns, edgeRow))
      sink.text(`,"discriminator":${JSON.stringify(text)}${attributesKey}`)
    }
    writeAttributes(sink, edgeRow)
    sink.byte(0x7d)
  }
}

/** Everything up to the other end's id: the same in every row of a strip. */
function stripHead(
  { source, sourceRow }: Pick<ResolvedPath, 'source' | 'sourceRow'>,
  { name, type }: EdgeStrip,
): Uint8Array {
  const sink = new JsonSink(Number.POSITIVE_INFINITY)
  sink.text(`{"e_type":${JSON.stringify(name)},"directed":${type.directed},"from_id":`)
  idWriter(source.ids)(sink, sourceRow)
  sink.text(`,"from_type":${JSON.stringify(source.typeName)},"to_id":`)
  return sink.finish()
}

/** Writes `[row,row,…]` in the given order. */
export function* writeEdges(
  sink: JsonSink,
  { edges, order }: { readonly edges: EdgeList; readonly order: Uint32Array },
  writers: readonly EdgeWriter[],
  scope: ReadScope,
): Sliced<void> {
  sink.byte(0x5b)
  for (let at = 0; at < order.length; at++) {
    if ((at & (ROWS_PER_LOOK - 1)) === ROWS_PER_LOOK - 1) {
      yield* sink.moreRoom()
      if (scope.isDue) yield
    }
    if (at > 0) sink.byte(0x2c)
    const index = order[at]!
    const write = writers[edges.stripIndexAt(index)]!
    write(sink, edges.otherRowAt(index), edges.edgeRowAt(index))
  }
  sink.byte(0x5d)
}
