/** Pairs of answers over random graphs, counted; what differs is made small and reported. */
import type { GraphEngine } from '#graph/engine.ts'
import type { Oracle } from '../ask.ts'
import { CypherMaker } from './cypher-maker.ts'
import { Dice } from './dice.ts'
import { type Doc, doc, textOf } from './doc.ts'
import { randomGraph } from './graph-maker.ts'
import { type GraphSpec, linesOf } from './graph-spec.ts'
import { openGraph } from './open-graph.ts'
import {
  askedOracle,
  compare,
  type Given,
  type Prepared,
  prepare,
  type Runner,
  runnerOf,
} from './pair.ts'
import { QueryMaker } from './query-maker.ts'
import { shrink } from './shrink.ts'

/** How the engine runs a query. */
export interface Mode {
  readonly name: string
  /** One of so many queries runs in it. */
  readonly every: number
  /** Runs over the engine that is open at the time. */
  readonly runner: (engine: () => GraphEngine) => Runner
}

export const plainMode: Mode = {
  name: 'as usual',
  every: 1,
  runner: (engine) => runnerOf(engine),
}

/**
 * Loops are cut into segments of two items, as they are between threads, and begin with the rows
 * that indexes propose.
 */
export const cutMode: Mode = {
  name: 'in segments, with indexes',
  every: 1,
  runner: (engine) => runnerOf(engine, { segmentItems: 2, usesIndexes: true }),
}

export interface FuzzOptions {
  /** The first seed; each graph and each query has one of its own. */
  readonly seed: number
  /** Queries, each compared in every mode. */
  readonly queryCount: number
  readonly queriesPerGraph: number
  readonly modes: readonly Mode[]
  /** For making one difference small, in milliseconds. */
  readonly shrinkMs: number
  /** Differences after which it ends. */
  readonly differencesMax: number
}

export interface Counts {
  /** Answers of the engine that were compared with the oracle's. */
  pairs: number
  queries: number
  graphs: number
  /** Queries that the compiler refuses, by its first message. */
  readonly refused: Map<string, number>
  /** Queries that the oracle does not know, by what it does not. */
  readonly unknown: Map<string, number>
  /** Queries that end with an error. */
  failures: number
  /** Queries whose answer shows neither a vertex nor a row. */
  empty: number
  /** After a rebuild of the graph. */
  rebuiltPairs: number
}

export interface FuzzReport {
  readonly counts: Counts
  /** Each as text to be put into a golden file. */
  readonly differences: readonly string[]
}

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new Fuzzing(options)
  await run.all()
  return { counts: run.counts, differences: run.differences }
}

class Fuzzing {
  readonly counts: Counts = {
    pairs: 0,
    queries: 0,
    graphs: 0,
    refused: new Map(),
    unknown: new Map(),
    failures: 0,
    empty: 0,
    rebuiltPairs: 0,
  }
  readonly differences: string[] = []
  readonly #options: FuzzOptions
  readonly #runners: readonly { readonly mode: Mode; readonly runner: Runner }[]
  #engine: GraphEngine | null = null

  constructor(options: FuzzOptions) {
    this.#options = options
    const engine = () => this.#engine!
    this.#runners = options.modes.map((mode) => ({ mode, runner: mode.runner(engine) }))
  }

  async all(): Promise<void> {
    const { seed, queryCount, differencesMax } = this.#options
    const seeds = new Dice(seed)
    while (this.counts.queries < queryCount && this.differences.length < differencesMax) {
      await this.#graph(this.counts.graphs === 0 ? seed : seeds.below(2 ** 32))
    }
  }

  async #graph(seed: number): Promise<void> {
    const { queriesPerGraph, queryCount, differencesMax } = this.#options
    const dice = new Dice(seed)
    const spec = randomGraph(dice)
    this.counts.graphs++
    const engine = await openGraph(spec)
    this.#engine = engine
    const later: Compared[] = []
    try {
      for (let i = 0; i < queriesPerGraph && this.counts.queries < queryCount; i++) {
        const query = randomQuery(dice, spec)
        const compared = await this.#query({ spec, query, seed, index: i })
        if (compared !== null) later.push(compared)
        if (this.differences.length >= differencesMax) return
      }
      await engine.rebuild()
      for (const one of later) await this.#again(one)
    } finally {
      await engine.close()
    }
  }

  async #query(made: Made): Promise<Compared | null> {
    const { counts } = this
    const text = textOf(made.query)
    const { catalog } = this.#engine!
    counts.queries++
    const prepared = prepare(text, catalog)
    if (!('plan' in prepared)) {
      count(counts.refused, prepared[0]!)
      return null
    }
    const oracle = askedOracle(text, catalog, this.#engine!.view())
    if (oracle.kind === 'unsupported') count(counts.unknown, oracle.what)
    if (oracle.kind === 'failure') counts.failures++
    const { length } = this.differences
    const given = await this.#runAll({ prepared, oracle }, made)
    const isShown = (one: Given) => one.kind === 'answer' && /"v_id"|:\[\{/.test(one.results)
    if (oracle.kind === 'answer' && !given.some(isShown)) counts.empty++
    // What differs already would differ after a rebuild.
    return this.differences.length > length ? null : { ...made, prepared, oracle }
  }

  async #runAll({ prepared, oracle }: Asked, made: Made): Promise<readonly Given[]> {
    const all: Given[] = []
    for (const { mode, runner } of this.#runners) {
      if (this.counts.queries % mode.every !== 0) continue
      const given = await runner(prepared)
      all.push(given)
      const what = compare(oracle, given)
      if (what === undefined) continue
      this.counts.pairs++
      if (what === null) continue
      await this.#report({ ...made, what, mode })
      break
    }
    return all
  }

  /** A rebuild gives rows other places and changes no answer. */
  async #again(compared: Compared): Promise<void> {
    const { prepared, oracle } = compared
    const { mode, runner } = this.#runners[0]!
    const what = compare(oracle, await runner(prepared))
    if (what === undefined) return
    this.counts.pairs++
    this.counts.rebuiltPairs++
    if (what === null) return
    const operations = [...compared.spec.operations, { kind: 'rebuild' } as const]
    await this.#report({ ...compared, spec: { ...compared.spec, operations }, what, mode })
  }

  async #report({ spec, query, seed, index, what, mode }: Difference): Promise<void> {
    const own = this.#engine
    let engine: GraphEngine | null = null
    const run = mode.runner(() => engine!)
    const check = async (graph: GraphSpec, text: string): Promise<string | null> => {
      try {
        engine = await openGraph(graph)
      } catch {
        return null
      }
      try {
        return await differenceOf(engine, text, run)
      } finally {
        await engine.close()
      }
    }
    const start = { graph: spec, query, what }
    const small = await shrink(start, check, this.#options.shrinkMs)
    this.#engine = own
    this.differences.push(
      [
        `# Seed ${seed}, query ${index}, ${mode.name}: ${small.what.split('\n')[0]}`,
        ...linesOf(small.graph),
        `> ${goldenText(textOf(small.query))}`,
      ].join('\n'),
    )
  }
}

interface Made {
  readonly spec: GraphSpec
  readonly query: Doc
  readonly seed: number
  readonly index: number
}

interface Asked {
  readonly prepared: Prepared
  readonly oracle: Oracle
}

interface Compared extends Made, Asked {}

interface Difference extends Made {
  readonly what: string
  readonly mode: Mode
}

/** Of a hundred queries so many are of openCypher. */
const CYPHER_PERCENT = 12

/** A query as it is sent to be interpreted. */
function randomQuery(dice: Dice, graph: GraphSpec): Doc {
  if (!dice.chance(CYPHER_PERCENT))
    return doc`INTERPRET QUERY ${new QueryMaker(dice, graph).query()}`
  return doc`INTERPRET OPENCYPHER QUERY ${new CypherMaker(dice, graph).query()}`
}

/** As golden files have it. */
function goldenText(text: string): string {
  return text.replace(/^INTERPRET (?:QUERY )?/, '')
}

/** @returns null when they agree, or when there is nothing to compare */
async function differenceOf(
  engine: GraphEngine,
  text: string,
  runner: Runner,
): Promise<string | null> {
  const prepared = prepare(text, engine.catalog)
  if (!('plan' in prepared)) return null
  const oracle = askedOracle(text, engine.catalog, engine.view())
  return compare(oracle, await runner(prepared)) ?? null
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
