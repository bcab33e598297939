/** The edges between many pairs of vertices, read in one go. */
import { findEdgeType, findVertexType } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import { JsonSink } from '../read/json-sink.ts'
import type { ReadScope, Sliced } from '../read/read-scope.ts'
import { tableOf } from '../vertices/vertex-service.ts'
import { edgeWriter } from './edge-json.ts'
import { stripsOf } from './edge-path.ts'
import { walkBetween } from './edge-walk.ts'

/** All edges of one type from one vertex to another; of an undirected type also the other way. */
export interface EdgeReference {
  readonly type: string
  readonly from_type: string
  readonly from_id: string
  readonly to_type: string
  readonly to_id: string
}

interface Place {
  readonly catalog: Catalog
  readonly graph: string
}

/** The JSON of `{edges}`; what is not there, types included, has no rows. */
export function* edgesBetween(
  scope: ReadScope,
  place: Place,
  references: readonly EdgeReference[],
): Sliced<Uint8Array> {
  const sink = new JsonSink(RESPONSE_SIZE_BYTES_DEFAULT)
  sink.text('{"edges":[')
  let count = 0
  for (const reference of references) {
    if (scope.isDue) yield
    const found = findPair(scope, place, reference)
    if (found === null) continue
    for (const strip of found.strips) {
      const write = edgeWriter(found, strip, strip.readable.attributes)
      walkBetween(strip, found.sourceRow, found.targetRow, (otherRow, edgeRow) => {
        if (count++ > 0) sink.byte(0x2c)
        write(sink, otherRow, edgeRow)
        return true
      })
    }
  }
  sink.text(']}')
  return sink.finish()
}

function findPair({ view }: ReadScope, { catalog, graph }: Place, reference: EdgeReference) {
  const named = findEdgeType(catalog, graph, reference.type)
  const from = findVertexType(catalog, graph, reference.from_type)
  const to = findVertexType(catalog, graph, reference.to_type)
  if (named === undefined || from === undefined || to === undefined) return null
  const source = tableOf(view, from)
  const sourceRow = findVertex(source, reference.from_id)
  const targetRow = findVertex(tableOf(view, to), reference.to_id)
  if (sourceRow < 0 || targetRow < 0) return null
  const ends = { fromTypeId: from.id, toTypeId: to.id }
  const strips = stripsOf(view, { name: reference.type, ...named }, 0, ends)
  return { source, sourceRow, targetRow, strips }
}
