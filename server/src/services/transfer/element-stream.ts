/** Types of a graph as lines of upsert payloads, for as long as the reader takes them. */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requireEdgeType, requireGraph, requireVertexType } from '#catalog/lookup.ts'
import type { GraphView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import type { ReadEngine } from '../read/read-scope.ts'
import { type ElementFile, elementFiles } from './element-files.ts'
import { elementPieces } from './write-elements.ts'

export interface StreamedTypes {
  readonly vertexTypes: readonly string[]
  readonly edgeTypes: readonly string[]
}

/**
 * One state of the graph, from the first line to the last; vertices before edges. A stream that
 * breaks off has failed: no line is ever half of what it says, but lines are missing.
 * @throws DbError GRAPH_NOT_FOUND, VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND
 */
export async function elementStream(
  engine: ReadEngine,
  graph: string,
  { vertexTypes, edgeTypes }: StreamedTypes,
): Promise<Readable> {
  requireGraph(engine.catalog, graph)
  const vertices = new Set(
    vertexTypes.map((name) => requireVertexType(engine.catalog, graph, name).id),
  )
  const edges = new Set(
    edgeTypes.map((name) => requireEdgeType(engine.catalog, graph, name).type.id),
  )
  if (engine.earlyAnswered !== null) await engine.earlyAnswered
  const files = elementFiles(engine.catalog, [graph], 'payload').filter(({ kind, typeId }) =>
    (kind === 'vertices' ? vertices : edges).has(typeId),
  )
  return Readable.from(lines(engine, files), { objectMode: false })
}

/** Pins the graph when it is first asked, and lets go of it however it ends. */
async function* lines(engine: ReadEngine, files: readonly ElementFile[]): AsyncGenerator<string> {
  let isRevoked = false
  const pinned = engine.pin(() => {
    isRevoked = true
  })
  try {
    for (const text of textOf(pinned.view, files)) {
      if (text !== '') yield text
      await nextTurn()
      if (isRevoked) {
        throw new DbError(
          'UNAVAILABLE',
          'The export was given up: too many writes changed what it was reading.',
        )
      }
    }
  } finally {
    pinned.release()
  }
}

function* textOf(view: GraphView, files: readonly ElementFile[]): Generator<string> {
  for (const file of files) yield* elementPieces(view, file, 'payload')
}
