/** DuckDB: tables with an index on the source, two threads; PageRank as a user who knows writes it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Contender,
  type ContenderContext,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SINCE_FROM_SECONDS,
  timed,
  WEIGHT_ABOVE,
} from '../contender.ts'
import { datetime, externalId, generateGraph, writeFiles } from '../rmat.ts'

interface Prepared {
  bindVarchar(index: number, value: string): void
  runAndReadAll(): Promise<{ getRows(): unknown[][] }>
}
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>
  prepare(sql: string): Promise<Prepared>
}
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, options: object): Promise<{ connect(): Promise<Connection> }>
  }
}

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, join(context.directory, '..', 'data'))
  const path = join(context.directory, 'bench.duckdb')
  const { DuckDBInstance } = context.load('@duckdb/node-api') as DuckDb
  const db = await (await DuckDBInstance.create(path, { threads: '2' })).connect()
  const rows = async (sql: string) => (await db.runAndReadAll(sql)).getRows()
  const prepared = await prepareTables(db)
  const seeds = graph.seeds.map(externalId)
  const since = datetime(SINCE_FROM_SECONDS)
  return {
    name: 'duckdb',
    load: async () => {
      const before = process.memoryUsage().rss
      const result = await timed(1, async () => {
        await db.run(`COPY v FROM '${files.verticesCsv}' (HEADER)`)
        await db.run(`COPY e FROM '${files.edgesCsv}' (HEADER)`)
        await db.run('CREATE INDEX e_src ON e(src)')
        await db.run('CHECKPOINT')
        return undefined
      })
      const memoryBytes = process.memoryUsage().rss - before
      await densify(db)
      return { seconds: result.seconds, durable: true, memoryBytes, diskBytes: statSync(path).size }
    },
    rows: {
      lookup: (round) =>
        timed(LOOKUPS_PER_ROUND, async () => {
          const statement = await prepared('SELECT name, age, score, created FROM v WHERE id = $1')
          let found = 0
          for (let i = 0; i < LOOKUPS_PER_ROUND; i++) {
            statement.bindVarchar(1, externalId((i * 7919 + round) % graph.vertexCount))
            found += (await statement.runAndReadAll()).getRows().length
          }
          return found
        }),
      hop1: () =>
        timed(seeds.length, async () => {
          const statement = await prepared(
            'SELECT dst, weight, amount, since FROM e WHERE src = $1',
          )
          let found = 0
          for (const seed of seeds) {
            statement.bindVarchar(1, seed)
            found += (await statement.runAndReadAll()).getRows().length
          }
          return found
        }),
      hop2count: () => timed(seeds.length, () => hopCount(rows, seeds, 2)),
      hop3count: () => timed(10, () => hopCount(rows, seeds.slice(0, 10), 3)),
      filteredSum: () =>
        timed(1, async () => {
          const [row] = await rows(
            `SELECT sum(amount), count(*) FROM e WHERE weight > ${WEIGHT_ABOVE} AND since >= TIMESTAMP '${since}'`,
          )
          return `${Number(row?.[0]).toFixed(1)} over ${row?.[1]}`
        }),
      pagerank10: () => timed(1, () => pageRank(db, rows, graph.vertexCount)),
      insertEdge: (round) =>
        timed(INSERTS_PER_ROUND, async () => {
          for (let i = 0; i < INSERTS_PER_ROUND; i++) {
            await db.run(`INSERT INTO e VALUES ('x${round}', 'y${i}', 1, 1.5, '2021-01-01')`)
          }
          await db.run(`DELETE FROM e WHERE src = 'x${round}'`)
          return undefined
        }),
    },
    close: async () => undefined,
  }
}

async function prepareTables(db: Connection): Promise<(sql: string) => Promise<Prepared>> {
  await db.run(
    'CREATE TABLE v(id VARCHAR PRIMARY KEY, name VARCHAR, age BIGINT, score DOUBLE, created TIMESTAMP)',
  )
  await db.run(
    'CREATE TABLE e(src VARCHAR, dst VARCHAR, weight BIGINT, amount DOUBLE, since TIMESTAMP)',
  )
  const cache = new Map<string, Prepared>()
  return async (sql) => {
    const kept = cache.get(sql) ?? (await db.prepare(sql))
    cache.set(sql, kept)
    return kept
  }
}

async function hopCount(
  rows: (sql: string) => Promise<unknown[][]>,
  seeds: readonly string[],
  hops: number,
): Promise<number> {
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
  return total
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
): Promise<string> {
  await db.run(`CREATE OR REPLACE TEMP TABLE pr AS SELECT k, 1.0 AS r FROM vi`)
  for (let i = 0; i < 10; i++) {
    await db.run(
      `CREATE OR REPLACE TEMP TABLE pr AS SELECT vi.k, 0.15 + 0.85 * coalesce(x.t, 0) AS r FROM vi LEFT JOIN (SELECT ei.d AS k, sum(pr.r / od.degree) AS t FROM ei JOIN pr ON pr.k = ei.s JOIN od ON od.s = ei.s GROUP BY ei.d) x ON x.k = vi.k`,
    )
  }
  const [row] = await rows('SELECT sum(r) FROM pr')
  return (Number(row?.[0]) / vertexCount).toFixed(6)
}
