/** Kuzu and its successor LadybugDB share one interface: a graph database inside the process. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Answer,
  type Contender,
  type ContenderContext,
  type RowResult,
  timed,
} from '../contender.ts'
import { residentBytes, sizeOfDirectory } from '../files.ts'
import {
  type BenchFiles,
  type BenchGraph,
  datetime,
  externalId,
  generateGraph,
  writeFiles,
} from '../rmat.ts'
import {
  EDGES_PER_BATCH,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SEEDS_OF_3_HOPS,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'

type Row = Record<string, unknown>
interface Result {
  getAll(): Promise<Row[]>
}
type Statement = object
interface Connection {
  query(text: string): Promise<Result | Result[]>
  prepare(text: string): Promise<Statement>
  execute(statement: Statement, parameters: Row): Promise<Result>
  close(): Promise<void>
}
interface Database {
  close(): Promise<void>
}
interface Kuzu {
  readonly Database: new (
    path: string,
    bufferBytes: number,
    isCompressed: boolean,
    isReadOnly: boolean,
    addressBytes: number,
  ) => Database
  readonly Connection: new (database: Database, threads: number) => Connection
}

const BUFFER_BYTES = 4 * 1024 ** 3
/** Address space a database reserves; by default so much that few of them fit into a process. */
const ADDRESS_BYTES = 2 ** 36
const VERTEX_QUERY = 'MATCH (v:V {id: $id}) RETURN v.name, v.age, v.score, v.created'
const EDGES_QUERY = 'MATCH (v:V {id: $id})-[e:E]->(w:V) RETURN w.id, e.weight, e.amount, e.since'
const INSERT =
  "MATCH (a:V {id: $from}), (b:V {id: $to}) CREATE (a)-[:F {weight: 0, amount: 1.5, since: timestamp('2010-01-01 00:00:00')}]->(b)"

export async function open(
  context: ContenderContext,
  packageName: 'kuzu' | '@ladybugdb/core',
): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, context.dataDirectory)
  const library = context.load(packageName) as Kuzu
  const path = join(context.directory, 'db')
  const isKuzu = packageName === 'kuzu'
  const closeFile = async (file: KuzuFile) => {
    if (isKuzu) leftOpen.push(file)
    else await file.close()
  }
  const seeds = graph.seeds.map(externalId)
  let db = new KuzuFile(library, path)
  await createTables(db)
  return {
    load: async () => {
      const before = residentBytes('self')
      const { seconds } = await timed(1, () => copyAll(db, files))
      const memoryBytes = residentBytes('self') - before
      if (isKuzu) await db.query("CALL PROJECT_GRAPH('G', ['V'], ['E'])")
      return { seconds, durable: true, memoryBytes, diskBytes: sizeOfDirectory(context.directory) }
    },
    rows: {
      lookup: (round) => {
        const ids = Array.from({ length: LOOKUPS_PER_ROUND }, (_, i) =>
          externalId((i * 7919 + round) % graph.vertexCount),
        )
        return each(db, VERTEX_QUERY, ids, (rows) => ({ found: rows.length }))
      },
      hop1: () => each(db, EDGES_QUERY, seeds, (rows) => ({ edges: rows.length })),
      hop2count: () => each(db, reachable(2), seeds, countOf),
      hop3count: () => each(db, reachable(3), seeds.slice(0, SEEDS_OF_3_HOPS), countOf),
      filteredSum: () => timed(1, () => filteredSum(db)),
      ...(isKuzu && {
        pagerank10: () => timed(1, () => pageRank(db)),
        components: () => timed(1, () => components(db)),
      }),
      upsert1000: (round) => transactionOfEdges(db, graph, round),
      insertEdge: (round) => singleEdges(db, graph, round),
      csvLoad: async (round) => {
        const fresh = join(context.directory, `csv-${round}`)
        const file = new KuzuFile(library, fresh)
        const result = await freshLoad(file, files)
        await closeFile(file)
        rmSync(fresh, { recursive: true })
        return result
      },
      ...(!isKuzu && {
        restart: async () => {
          await db.close()
          return await timed(1, async () => {
            db = new KuzuFile(library, path)
            await db.execute(VERTEX_QUERY, { id: externalId(0) })
            return undefined
          })
        },
      }),
    },
    close: () => closeFile(db),
  }
}

/** Files of a library whose process crashes some time after one is closed: none ever is. */
const leftOpen: KuzuFile[] = []

class KuzuFile {
  readonly #database: Database
  readonly #connection: Connection
  readonly #statements = new Map<string, Statement>()

  constructor({ Database, Connection }: Kuzu, path: string) {
    this.#database = new Database(path, BUFFER_BYTES, true, false, ADDRESS_BYTES)
    this.#connection = new Connection(this.#database, 2)
  }

  async query(text: string): Promise<Row[]> {
    const result = await this.#connection.query(text)
    return await (Array.isArray(result) ? (result.at(-1) as Result) : result).getAll()
  }

  /** Prepared once per text. */
  async execute(text: string, parameters: Row): Promise<Row[]> {
    const statement = this.#statements.get(text) ?? (await this.#connection.prepare(text))
    this.#statements.set(text, statement)
    return await (await this.#connection.execute(statement, parameters)).getAll()
  }

  async close(): Promise<void> {
    await this.#connection.close()
    await this.#database.close()
  }
}

/** Written edges go to a table of their own, so that the rows measured on E keep their answers. */
async function createTables(db: KuzuFile): Promise<void> {
  await db.query(
    'CREATE NODE TABLE V(id STRING, name STRING, age INT64, score DOUBLE, created TIMESTAMP, PRIMARY KEY(id))',
  )
  for (const table of ['E', 'F']) {
    await db.query(
      `CREATE REL TABLE ${table}(FROM V TO V, weight INT64, amount DOUBLE, since TIMESTAMP)`,
    )
  }
}

async function copyAll(db: KuzuFile, files: BenchFiles): Promise<undefined> {
  await db.query(`COPY V FROM '${files.verticesCsv}' (header=true)`)
  await db.query(`COPY E FROM '${files.edgesCsv}' (header=true)`)
  await db.query('CHECKPOINT')
}

async function freshLoad(db: KuzuFile, files: BenchFiles): Promise<RowResult> {
  await createTables(db)
  return await timed(1, async () => {
    await copyAll(db, files)
    const [vertices] = await db.query('MATCH (v:V) RETURN count(*) AS c')
    const [edges] = await db.query('MATCH ()-[e:E]->() RETURN count(*) AS c')
    return { vertices: Number(vertices?.['c']), edges: Number(edges?.['c']) }
  })
}

function reachable(hops: number): string {
  return `MATCH (v:V {id: $id})-[:E* SHORTEST 1..${hops}]->(w:V) RETURN count(*) AS c`
}

function countOf([row]: readonly Row[]): { total: number } {
  return { total: Number(row?.['c']) }
}

/** The sums of what `answerOf` says of the rows of each id. */
async function each(
  db: KuzuFile,
  text: string,
  ids: readonly string[],
  answerOf: (rows: Row[]) => Readonly<Record<string, number>>,
): Promise<RowResult> {
  return await timed(ids.length, async () => {
    const totals: Record<string, number> = {}
    for (const id of ids) {
      const answer = answerOf(await db.execute(text, { id }))
      for (const [name, value] of Object.entries(answer)) {
        totals[name] = (totals[name] ?? 0) + value
      }
    }
    return totals
  })
}

async function filteredSum(db: KuzuFile): Promise<Answer> {
  const [row] = await db.query(
    `MATCH ()-[e:E]->() WHERE e.weight > ${WEIGHT_ABOVE} AND e.since >= timestamp('${datetime(SINCE_FROM_SECONDS)}') RETURN sum(e.amount) AS s, count(*) AS c`,
  )
  return { sum: Number(row?.['s']).toFixed(2), count: Number(row?.['c']) }
}

/** It spreads the rank of vertices without out-edges, so its sum is not the one of the others. */
async function pageRank(db: KuzuFile): Promise<Answer> {
  const [row] = await db.query(
    "CALL page_rank('G', dampingFactor := 0.85, maxIterations := 10, tolerance := 0.0) RETURN sum(rank) AS s",
  )
  return { 'mean by its own normalisation': Number(row?.['s']).toFixed(6) }
}

async function components(db: KuzuFile): Promise<Answer> {
  const [row] = await db.query(
    "CALL weakly_connected_components('G') RETURN count(DISTINCT group_id) AS c",
  )
  return { components: Number(row?.['c']) }
}

function endsOf(graph: BenchGraph, i: number, round: number): { from: string; to: string } {
  return {
    from: externalId((i * 7919 + round) % graph.vertexCount),
    to: externalId((i * 104_729 + round) % graph.vertexCount),
  }
}

async function transactionOfEdges(
  db: KuzuFile,
  graph: BenchGraph,
  round: number,
): Promise<RowResult> {
  return await timed(EDGES_PER_BATCH, async () => {
    await db.query('BEGIN TRANSACTION')
    for (let i = 0; i < EDGES_PER_BATCH; i++) await db.execute(INSERT, endsOf(graph, i, round))
    await db.query('COMMIT')
    return undefined
  })
}

async function singleEdges(db: KuzuFile, graph: BenchGraph, round: number): Promise<RowResult> {
  return await timed(INSERTS_PER_ROUND, async () => {
    for (let i = 0; i < INSERTS_PER_ROUND; i++) await db.execute(INSERT, endsOf(graph, i, round))
    return undefined
  })
}
