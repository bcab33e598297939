/** The rows of the bench, in the order they are measured and printed. */

export interface RowKind {
  readonly title: string
  /** Rows that take whole seconds, or end a server, come behind all others and in fewer rounds. */
  readonly isHeavy?: boolean
  /**
   * How often it is asked in a round, of which the fastest counts: three where other rows have
   * driven its data out of the caches, and where a core that the machine takes away for some
   * milliseconds would be what is measured. GAP's programs try three times by themselves.
   */
  readonly trials?: number
}

const TRIALS = 3

/** Rounds of the rows with trials before the first that counts, for what is compiled meanwhile. */
export const WARM_UP_ROUNDS = 4

const kinds = {
  lookup: { title: 'one vertex by id (ours over HTTP, 32 connections, after a warm-up)' },
  hop1: { title: 'edges of a vertex with attributes (ours over HTTP, the body not parsed)' },
  hop2count: { title: '2-hop distinct count, per seed' },
  hop3count: { title: '3-hop distinct count, per seed' },
  filteredSum: { title: 'filtered sum over all edges (ours on one thread)', trials: TRIALS },
  filteredSumOn2: { title: 'filtered sum over all edges, on two threads', trials: TRIALS },
  pagerank10: { title: 'PageRank, 10 iterations (ours on one thread)', trials: TRIALS },
  pagerank10On2: { title: 'PageRank, 10 iterations, on two threads', trials: TRIALS },
  breadthFirst: { title: 'breadth-first search from one vertex', trials: TRIALS },
  breadthFirstOn2: {
    title: 'breadth-first search from one vertex, on two threads',
    trials: TRIALS,
  },
  searches: {
    title: 'breadth-first search from one vertex, each of eight in a run',
    trials: TRIALS,
  },
  searchesOn2: {
    title: 'breadth-first search from one vertex, each of eight in a run, on two threads',
    trials: TRIALS,
  },
  components: { title: 'weakly connected components', trials: TRIALS },
  componentsOn2: { title: 'weakly connected components, on two threads', trials: TRIALS },
  shortestPaths: { title: 'weighted shortest paths from one vertex', trials: TRIALS },
  shortestPathsOn2: {
    title: 'weighted shortest paths from one vertex, on two threads',
    trials: TRIALS,
  },
  triangles: { title: 'triangles, edges without direction', trials: TRIALS },
  trianglesOn2: { title: 'triangles, edges without direction, on two threads', trials: TRIALS },
  upsert1000: { title: 'one of 1,000 fresh edges written together, durable' },
  insertEdge: { title: 'one durable edge, one client' },
  insertEdge64: { title: 'one durable edge, 64 clients' },
  commit256: { title: 'one durable commit of 100 bytes, 256 writers (the store alone)' },
  csvLoad: {
    title: 'load from CSV (ours by a loading job), durable, ids indexed, ready to read',
    isHeavy: true,
  },
  restart: { title: 'open what is on the disk and read one vertex', isHeavy: true },
} as const satisfies Record<string, RowKind>

export type RowName = keyof typeof kinds

export const rowKinds: Readonly<Record<RowName, RowKind>> = kinds
export const rowNames = Object.keys(kinds) as RowName[]

/** In one request, which then weighs little. */
export const SEARCHES = 8
export const LOOKUPS_PER_ROUND = 2_000
export const INSERTS_PER_ROUND = 200
export const EDGES_PER_BATCH = 1_000
export const CLIENTS = 64
export const WRITERS = 256
export const COMMIT_SIZE_BYTES = 100
export const COMMITS_PER_ROUND = 50_000
export const SEEDS_OF_3_HOPS = 10
export const WEIGHT_ABOVE = 128
export const SINCE_FROM_SECONDS = 1_600_000_000
