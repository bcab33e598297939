/**
 * What every contender of the bench can do. Each runs in a process of its own and measures itself
 * round by round, so that the rounds of all contenders interleave and drift hits all alike.
 */
export type RowName =
  | 'lookup'
  | 'hop1'
  | 'hop2count'
  | 'hop3count'
  | 'filteredSum'
  | 'pagerank10'
  | 'insertEdge'

export interface RowResult {
  /** Seconds for one unit of the row: one lookup, one seed, one whole pass. */
  readonly seconds: number
  /** What was computed; contenders that answer the same row must agree. */
  readonly answer?: string | number
}

export interface LoadResult {
  /** Seconds until all vertices and edges are readable and, where it applies, durable. */
  readonly seconds: number
  readonly durable: boolean
  /** Growth of the process that holds the graph, in bytes. */
  readonly memoryBytes: number
  readonly diskBytes: number | null
  /** Anything else worth a line: name to figure with unit. */
  readonly extra?: Readonly<Record<string, string>>
}

export interface ContenderContext {
  readonly scale: number
  /** Where this contender may write; empty at the start. */
  readonly directory: string
  /** Resolves packages that the bench installed. */
  readonly load: (name: string) => unknown
}

export interface Contender {
  readonly name: string
  load(): Promise<LoadResult>
  readonly rows: Partial<Record<RowName, (round: number) => Promise<RowResult>>>
  close(): Promise<void>
}

/** Seconds one unit took, over `count` units. */
export async function timed(
  count: number,
  work: () => Promise<string | number | undefined> | string | number | undefined,
): Promise<RowResult> {
  const started = performance.now()
  const answer = await work()
  const seconds = (performance.now() - started) / 1000 / count
  return answer === undefined ? { seconds } : { seconds, answer }
}

export const LOOKUPS_PER_ROUND = 2_000
export const INSERTS_PER_ROUND = 200
export const WEIGHT_ABOVE = 128
export const SINCE_FROM_SECONDS = 1_600_000_000
