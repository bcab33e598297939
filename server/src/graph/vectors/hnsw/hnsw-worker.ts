/**
 * The process that holds the HNSW graphs. It is one of its own because the library is native code: a
 * fault in it ends this process, and searches are exact until another is there.
 *
 * Changes are put in a few at a time, and searches are answered in between.
 */
import { setPriority } from 'node:os'
import process from 'node:process'
import '#kernel/buffer-pool.ts'
import { assert } from '#kernel/assert.ts'
import { HnswGraph } from './hnsw-graph.ts'
import type { FromGraphs, ToGraphs } from './protocol.ts'

/** As query workers: what answers requests goes first. */
const NICENESS = 5
/** Multiplications, about, between two looks for searches: some 10 ms. */
const WORK_PER_PIECE = 4_000_000
/** Distances that are worked out to insert a vector, about. */
const DISTANCES_PER_INSERT = 2_000

const graphs = new Map<number, HnswGraph>()

setPriority(NICENESS)
// Ctrl+C reaches the whole group of processes: this one ends when the server has let go of it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToGraphs) => {
  switch (message.kind) {
    case 'open':
      graphs.set(message.graph, new HnswGraph(message))
      return
    case 'close':
      graphs.delete(message.graph)
      return
    case 'search': {
      const { graph, request, vector, count } = message
      send({ kind: 'found', request, ordinals: graphs.get(graph)?.search(vector, count) ?? null })
      return
    }
    case 'apply':
      apply(message).catch((error: unknown) => {
        // Without this change the graph would answer what is no longer true: give it all up.
        process.stderr.write(`vector index: ${String(error)}\n`)
        process.exit(1)
      })
  }
})

async function apply(message: Extract<ToGraphs, { kind: 'apply' }>): Promise<void> {
  const { removed, added, vectors } = message
  const dimension = added.length === 0 ? 1 : vectors.length / added.length
  const perPiece = Math.max(1, Math.floor(WORK_PER_PIECE / (dimension * DISTANCES_PER_INSERT)))
  const graph = graphs.get(message.graph)
  assert(graph !== undefined, 'a graph is opened before it is changed')
  for (const ordinal of removed) graph.remove(ordinal)
  for (let i = 0; i < added.length; i++) {
    if (i > 0 && i % perPiece === 0) await new Promise((resolve) => setImmediate(resolve))
    graph.put(added[i]!, vectors.subarray(i * dimension, (i + 1) * dimension))
  }
  const { liveCount, staleCount } = graph
  const memoryBytes = process.memoryUsage.rss()
  send({ kind: 'applied', graph: message.graph, liveCount, staleCount, memoryBytes })
}

function send(answer: FromGraphs): void {
  if (process.connected) process.send?.(answer)
}
