/** igraph's C library through its Python package: `igraph-peer.py` answers lines of JSON. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Contender, ContenderContext, LoadResult, RowResult } from '../contender.ts'
import { externalId, generateGraph, writeFiles } from '../rmat.ts'
import {
  LOOKUPS_PER_ROUND,
  type RowName,
  SEEDS_OF_3_HOPS,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'

interface Reply {
  readonly failed?: string
}

export async function open(context: ContenderContext): Promise<Contender> {
  if (context.paths.igraph === undefined) throw new Error('no Python that has igraph')
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, context.dataDirectory)
  const script = fileURLToPath(new URL('igraph-peer.py', import.meta.url))
  const child = spawn(context.paths.igraph, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (question: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await replies.next()
    if (done === true) throw new Error('igraph has ended')
    const reply = JSON.parse(value) as Reply
    if (reply.failed !== undefined) throw new Error(reply.failed)
    return reply
  }
  await ask({
    kind: 'settings',
    verticesCsv: files.verticesCsv,
    edgesCsv: files.edgesCsv,
    seeds: graph.seeds.map(externalId),
    seedsOf3Hops: SEEDS_OF_3_HOPS,
    ids: Array.from({ length: LOOKUPS_PER_ROUND }, (_, i) =>
      externalId((i * 7919) % graph.vertexCount),
    ),
    weightAbove: WEIGHT_ABOVE,
    sinceFromSeconds: SINCE_FROM_SECONDS,
  })
  const row = (name: RowName) => async () => (await ask({ kind: 'row', row: name })) as RowResult
  return {
    load: async () => (await ask({ kind: 'load' })) as LoadResult,
    rows: {
      lookup: row('lookup'),
      hop1: row('hop1'),
      hop2count: row('hop2count'),
      hop3count: row('hop3count'),
      filteredSum: row('filteredSum'),
      breadthFirst: row('breadthFirst'),
      components: row('components'),
      shortestPaths: row('shortestPaths'),
      triangles: row('triangles'),
    },
    close: async () => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
