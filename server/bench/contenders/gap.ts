/**
 * GAP's C++ kernels (github.com/sbeamer/gapbs), the limit we measure against: programs that the
 * user built in a folder of his own. They read the graph from a file and print what each trial took,
 * reading excluded; so no row of theirs contains a query, ids or attributes.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import {
  type Answer,
  type Contender,
  type ContenderContext,
  nothingLoaded,
  type RowResult,
} from '../contender.ts'
import { writeLines } from '../files.ts'
import { type BenchGraph, generateGraph } from '../rmat.ts'

const TRIALS = 3

export async function open(context: ContenderContext, threads: number): Promise<Contender> {
  const folder = context.paths.gap
  if (folder === undefined) throw new Error('no folder of GAP programs')
  const graph = generateGraph(context.scale)
  const directed = join(context.directory, 'directed.sg')
  const run = (program: string, options: readonly string[]) =>
    execFileSync(join(folder, program), options, {
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: String(threads) },
    })
  return {
    load: async () => {
      const edges = join(context.directory, 'edges.el')
      writeLines(edges, edgeLines(graph))
      run('converter', ['-f', edges, '-b', directed])
      return nothingLoaded
    },
    rows: {
      pagerank10: async () => {
        const options = ['-f', directed, '-i', '10', '-t', '0', '-a', '-n', String(TRIALS)]
        return trials(run('pr_spmv', options), (printed) => topScore(printed, graph.vertexCount))
      },
    },
    close: async () => undefined,
  }
}

function* edgeLines({ sources, targets, edgeCount }: BenchGraph): Generator<string> {
  for (let edge = 0; edge < edgeCount; edge++) yield `${sources[edge]} ${targets[edge]}`
}

function trials(printed: string, answerOf: (printed: string) => Answer): RowResult {
  const seconds = [...printed.matchAll(/^Trial Time:\s+(\S+)$/gm)].map(([, text]) => Number(text))
  const median = seconds.sort((a, b) => a - b)[seconds.length >> 1]
  if (median === undefined) throw new Error(`no trial in ${printed.slice(0, 200)}`)
  return { seconds: median, answer: answerOf(printed) }
}

/** Its scores sum to ours divided by the number of vertices; the best ones stand in lines `v:score`. */
function topScore(printed: string, vertexCount: number): Answer {
  const scores = [...printed.matchAll(/^\d+:(\S+)$/gm)].map(([, text]) => Number(text))
  return { top: (Math.max(...scores) * vertexCount).toPrecision(4) }
}
