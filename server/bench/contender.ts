/**
 * What every contender of the bench can do. Each runs in a process of its own and measures itself
 * round by round, so that the rounds of all contenders interleave and drift hits all alike.
 */
import type { RowName } from './rows.ts'

/**
 * What was computed, by name. Contenders that give the same name in the same row must agree; not
 * every program prints all that another one does.
 */
export type Answer = Readonly<Record<string, string | number>>

export interface RowResult {
  /** Seconds for one unit of the row: one lookup, one seed, one whole pass. */
  readonly seconds: number
  readonly answer?: Answer
}

export interface LoadResult {
  /** Seconds until all vertices and edges are readable and, where it applies, durable; or null. */
  readonly seconds: number | null
  readonly durable: boolean
  /** Growth of the process that holds the graph, in bytes. */
  readonly memoryBytes: number
  readonly diskBytes: number | null
  /** Anything else worth a line: name to figure with unit. */
  readonly extra?: Readonly<Record<string, string>>
}

/** For programs that hold no database of their own. */
export const nothingLoaded: LoadResult = {
  seconds: null,
  durable: false,
  memoryBytes: 0,
  diskBytes: null,
}

export interface ContenderContext {
  readonly scale: number
  /** Where this contender may write; empty at the start. */
  readonly directory: string
  /** The generated graph's files, shared by all contenders. */
  readonly dataDirectory: string
  /** Resolves packages that the bench installed. */
  readonly load: (name: string) => unknown
  /** A folder with GAP's built programs, a Python that has igraph: as the options gave them. */
  readonly paths: { readonly gap?: string; readonly igraph?: string }
}

export interface Contender {
  load(): Promise<LoadResult>
  /** Its rows are the fastest of several trials already. */
  readonly triesItself?: boolean
  readonly rows: Partial<Record<RowName, (round: number) => Promise<RowResult>>>
  close(): Promise<void>
}

type MaybePromise<Value> = Value | Promise<Value>

/** Seconds one unit took, over `count` units. */
export async function timed(
  count: number,
  work: () => MaybePromise<Answer | undefined>,
): Promise<RowResult> {
  const started = performance.now()
  const answer = await work()
  const seconds = (performance.now() - started) / 1000 / count
  return answer === undefined ? { seconds } : { seconds, answer }
}
