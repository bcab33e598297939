/** DuckDB: tables with an index on the source, two threads; PageRank as a user who knows writes it. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Answer,
  type Contender,
  type ContenderContext,
  type RowResult,
  timed,
} from '../contender.ts'
import { residentBytes } from '../files.ts'
import { type BenchFiles, datetime, externalId, generateGraph, writeFiles } from '../rmat.ts'
import {
  CLIENTS,
  EDGES_PER_BATCH,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SEEDS_OF_3_HOPS,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'

interface Prepared {
  bindVarchar(index: number, value: string): void
  runAndReadAll(): Promise<{ getRows(): unknown[][] }>
}
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>
  prepare(sql: string): Promise<Prepared>
}
interface Instance {
  connect(): Promise<Connection>
  closeSync(): void
}
interface DuckDb {
  readonly DuckDBInstance: { create(path: string, options: object): Promise<Instance> }
}

const BATCHES_PER_ROUND = 5
const VERTEX_QUERY = 'SELECT name, age, score, created FROM v WHERE id = $1'
const EDGES_QUERY = 'SELECT dst, weight, amount, since FROM e WHERE src = $1'

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, context.dataDirectory)
  const path = join(context.directory, 'bench.duckdb')
  const { DuckDBInstance } = context.load('@duckdb/node-api') as DuckDb
  const openFile = (file: string) => DuckDBInstance.create(file, { threads: '2' })
  const seeds = graph.seeds.map(externalId)
  let database = await openFile(path)
  let db = await database.connect()
  await createTables(db)
  const rows = async (sql: string) => (await db.runAndReadAll(sql)).getRows()
  const idOf = (i: number) => externalId(i % graph.vertexCount)
  return {
    load: async () => {
      const before = residentBytes('self')
      const { seconds } = await timed(1, () => copyAll(db, files))
      const memoryBytes = residentBytes('self') - before
      await densify(db)
      return { seconds, durable: true, memoryBytes, diskBytes: statSync(path).size }
    },
    rows: {
      lookup: async (round) => {
        const ids = Array.from({ length: LOOKUPS_PER_ROUND }, (_, i) => idOf(i * 7919 + round))
        return rowsOfEach(await db.prepare(VERTEX_QUERY), ids, 'found')
      },
      hop1: async () => rowsOfEach(await db.prepare(EDGES_QUERY), seeds, 'edges'),
      hop2count: () => timed(seeds.length, () => hopCount(rows, seeds, 2)),
      hop3count: () =>
        timed(SEEDS_OF_3_HOPS, () => hopCount(rows, seeds.slice(0, SEEDS_OF_3_HOPS), 3)),
      filteredSum: () =>
        timed(1, async () => {
          const [row] = await rows(
            `SELECT sum(amount), count(*) FROM e WHERE weight > ${WEIGHT_ABOVE} AND since >= TIMESTAMP '${datetime(SINCE_FROM_SECONDS)}'`,
          )
          return { sum: Number(row?.[0]).toFixed(2), count: Number(row?.[1]) }
        }),
      pagerank10: () => timed(1, () => pageRank(db, rows, graph.vertexCount)),
      upsert1000: (round) =>
        timed(BATCHES_PER_ROUND * EDGES_PER_BATCH, async () => {
          for (let i = 0; i < BATCHES_PER_ROUND; i++) await db.run(insertBatch(`b${round}.${i}`))
          return undefined
        }),
      insertEdge: (round) => inserts([db], `x${round}`),
      insertEdge64: async (round) => {
        const clients = Array.from({ length: CLIENTS }, () => database.connect())
        return await inserts(await Promise.all(clients), `c${round}`)
      },
      csvLoad: (round) => freshLoad(openFile, join(context.directory, `csv-${round}`), files),
      restart: async () => {
        database.closeSync()
        return await timed(1, async () => {
          database = await openFile(path)
          db = await database.connect()
          const statement = await db.prepare(VERTEX_QUERY)
          statement.bindVarchar(1, idOf(0))
          await statement.runAndReadAll()
          return undefined
        })
      },
    },
    close: async () => database.closeSync(),
  }
}

/** Written edges go to a table of their own, so that the rows measured on `e` keep their answers. */
async function createTables(db: Connection): Promise<void> {
  await db.run(
    'CREATE TABLE v(id VARCHAR PRIMARY KEY, name VARCHAR, age BIGINT, score DOUBLE, created TIMESTAMP)',
  )
  for (const table of ['e', 'f']) {
    await db.run(
      `CREATE TABLE ${table}(src VARCHAR, dst VARCHAR, weight BIGINT, amount DOUBLE, since TIMESTAMP)`,
    )
  }
  await db.run('CREATE INDEX f_src ON f(src)')
}

async function copyAll(db: Connection, files: BenchFiles): Promise<undefined> {
  await db.run(`COPY v FROM '${files.verticesCsv}' (HEADER)`)
  await db.run(`COPY e FROM '${files.edgesCsv}' (HEADER)`)
  await db.run('CREATE INDEX e_src ON e(src)')
  await db.run('CHECKPOINT')
}

async function freshLoad(
  openFile: (path: string) => Promise<Instance>,
  path: string,
  files: BenchFiles,
): Promise<RowResult> {
  const database = await openFile(path)
  try {
    const db = await database.connect()
    await createTables(db)
    return await timed(1, async () => {
      await copyAll(db, files)
      const count = async (table: string) =>
        Number((await db.runAndReadAll(`SELECT count(*) FROM ${table}`)).getRows()[0]?.[0])
      return { vertices: await count('v'), edges: await count('e') }
    })
  } finally {
    database.closeSync()
    rmSync(path)
  }
}

async function rowsOfEach(
  statement: Prepared,
  keys: readonly string[],
  name: string,
): Promise<RowResult> {
  return await timed(keys.length, async () => {
    let count = 0
    for (const key of keys) {
      statement.bindVarchar(1, key)
      count += (await statement.runAndReadAll()).getRows().length
    }
    return { [name]: count }
  })
}

function insertBatch(name: string): string {
  const edges = Array.from(
    { length: EDGES_PER_BATCH },
    (_, i) => `('${name}s${i % 10}', '${name}t${i}', ${i}, 1.5, '2021-01-01')`,
  )
  return `INSERT INTO f VALUES ${edges.join(',')}`
}

/** Every connection inserts again as soon as its last edge is durable. */
async function inserts(connections: readonly Connection[], name: string): Promise<RowResult> {
  let begun = 0
  const client = async (db: Connection) => {
    while (begun++ < INSERTS_PER_ROUND) {
      await db.run(`INSERT INTO f VALUES ('${name}', 'y${begun}', 1, 1.5, '2021-01-01')`)
    }
  }
  return await timed(INSERTS_PER_ROUND, async () => {
    await Promise.all(connections.map(client))
    return undefined
  })
}

async function hopCount(
  rows: (sql: string) => Promise<unknown[][]>,
  seeds: readonly string[],
  hops: number,
): Promise<Answer> {
  let total = 0
  for (const seed of seeds) {
    const levels = [`h1 AS (SELECT DISTINCT dst FROM e WHERE src = '${seed}')`]
    for (let hop = 2; hop <= hops; hop++) {
      levels.push(
        `h${hop} AS (SELECT DISTINCT e.dst FROM e JOIN h${hop - 1} ON e.src = h${hop - 1}.dst)`,
      )
    }
    const union = levels.map((_, i) => `SELECT dst FROM h${i + 1}`).join(' UNION ')
    const [row] = await rows(
      `WITH ${levels.join(', ')} SELECT count(*) FROM (${union}) WHERE dst <> '${seed}'`,
    )
    total += Number(row?.[0])
  }
  return { total }
}

async function densify(db: Connection): Promise<void> {
  await db.run('CREATE TABLE vi AS SELECT id, (row_number() OVER ()) - 1 AS k FROM v')
  await db.run(
    'CREATE TABLE ei AS SELECT a.k AS s, b.k AS d FROM e JOIN vi a ON a.id = e.src JOIN vi b ON b.id = e.dst',
  )
  await db.run('CREATE TABLE od AS SELECT s, count(*) AS degree FROM ei GROUP BY s')
}

async function pageRank(
  db: Connection,
  rows: (sql: string) => Promise<unknown[][]>,
  vertexCount: number,
): Promise<Answer> {
  await db.run(`CREATE OR REPLACE TEMP TABLE pr AS SELECT k, 1.0 AS r FROM vi`)
  for (let i = 0; i < 10; i++) {
    await db.run(
      `CREATE OR REPLACE TEMP TABLE pr AS SELECT vi.k, 0.15 + 0.85 * coalesce(x.t, 0) AS r FROM vi LEFT JOIN (SELECT ei.d AS k, sum(pr.r / od.degree) AS t FROM ei JOIN pr ON pr.k = ei.s JOIN od ON od.s = ei.s GROUP BY ei.d) x ON x.k = vi.k`,
    )
  }
  const [row] = await rows('SELECT sum(r), max(r) FROM pr')
  return {
    mean: (Number(row?.[0]) / vertexCount).toFixed(6),
    top: Number(row?.[1]).toPrecision(4),
  }
}
