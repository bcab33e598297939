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
  const file = (name: string) => join(context.directory, name)
  const run = (program: string, options: readonly string[]) =>
    execFileSync(join(folder, program), options, {
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: String(threads) },
    })
  const kernel = (
    program: string,
    options: readonly string[],
    answerOf: (printed: string) => Answer,
  ) => trials(run(program, [...options, '-a', '-n', String(TRIALS)]), answerOf)
  const source = String(graph.seeds[0])
  return {
    triesItself: true,
    load: async () => {
      writeLines(file('edges.el'), edgeLines(graph))
      writeLines(file('edges.wel'), weightedLines(graph))
      run('converter', ['-f', file('edges.el'), '-b', file('directed.sg')])
      run('converter', ['-s', '-f', file('edges.el'), '-b', file('both-ways.sg')])
      run('converter', ['-w', '-f', file('edges.wel'), '-b', file('weighted.wsg')])
      return nothingLoaded
    },
    rows: {
      pagerank10: async () =>
        kernel('pr_spmv', ['-f', file('directed.sg'), '-i', '10', '-t', '0'], topScore),
      breadthFirst: async () =>
        kernel('bfs', ['-f', file('directed.sg'), '-r', source], (printed) => ({
          reached: numberIn(printed, /BFS Tree has (\d+) nodes/),
        })),
      components: async () =>
        kernel('cc', ['-f', file('directed.sg')], (printed) => ({
          components:
            numberIn(printed, /There are (\d+) components/) + graph.vertexCount - nodesOf(printed),
        })),
      shortestPaths: async () =>
        kernel('sssp', ['-f', file('weighted.wsg'), '-r', source, '-d', '16'], (printed) => ({
          reached: numberIn(printed, /SSSP Tree reaches (\d+) nodes/),
        })),
      triangles: async () =>
        kernel('tc', ['-f', file('both-ways.sg')], (printed) => ({
          triangles: numberIn(printed, /(\d+) triangles/),
        })),
    },
    close: async () => undefined,
  }
}

function* edgeLines({ sources, targets, edgeCount }: BenchGraph): Generator<string> {
  for (let edge = 0; edge < edgeCount; edge++) yield `${sources[edge]} ${targets[edge]}`
}

function* weightedLines({ sources, targets, weights, edgeCount }: BenchGraph): Generator<string> {
  for (let edge = 0; edge < edgeCount; edge++) {
    yield `${sources[edge]} ${targets[edge]} ${weights[edge]}`
  }
}

function numberIn(printed: string, pattern: RegExp): number {
  return Number(pattern.exec(printed)?.[1])
}

function trials(printed: string, answerOf: (printed: string) => Answer): RowResult {
  const seconds = [...printed.matchAll(/^Trial Time:\s+(\S+)$/gm)].map(([, text]) => Number(text))
  if (seconds.length === 0) throw new Error(`no trial in ${printed.slice(0, 200)}`)
  return { seconds: Math.min(...seconds), answer: answerOf(printed) }
}

/** Its scores sum to ours divided by the number of vertices; the best ones stand in lines `v:score`. */
function topScore(printed: string): Answer {
  const scores = [...printed.matchAll(/^\d+:(\S+)$/gm)].map(([, text]) => Number(text))
  return { top: (Math.max(...scores) * nodesOf(printed)).toPrecision(4) }
}

/** Vertices up to the last one that has an edge: a list of edges names no others. */
function nodesOf(printed: string): number {
  return numberIn(printed, /Graph has (\d+) nodes/)
}
