/** Kuzu and its successor LadybugDB share one interface: a graph database inside the process. */
import { readdirSync, statSync } from 'node:fs'
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

type Row = Record<string, unknown>
interface Result {
  getAll(): Promise<Row[]>
}
type Statement = object
interface Connection {
  query(text: string): Promise<Result | Result[]>
  prepare(text: string): Promise<Statement>
  execute(statement: Statement, parameters: Row): Promise<Result>
}
interface Kuzu {
  readonly Database: new (path: string, bufferBytes: number) => object
  readonly Connection: new (database: object, threads: number) => Connection
}

const packages = { kuzu: 'kuzu', ladybug: '@ladybugdb/core' } as const
const BUFFER_BYTES = 4 * 1024 ** 3

export async function open(
  context: ContenderContext,
  name: keyof typeof packages,
): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, join(context.directory, '..', 'data'))
  const { Database, Connection } = context.load(packages[name]) as Kuzu
  const path = join(context.directory, 'db')
  const db = new Connection(new Database(path, BUFFER_BYTES), 2)
  const query = async (text: string): Promise<Row[]> => {
    const result = await db.query(text)
    return await (Array.isArray(result) ? (result.at(-1) as Result) : result).getAll()
  }
  await query(
    'CREATE NODE TABLE V(id STRING, name STRING, age INT64, score DOUBLE, created TIMESTAMP, PRIMARY KEY(id))',
  )
  await query('CREATE REL TABLE E(FROM V TO V, weight INT64, amount DOUBLE, since TIMESTAMP)')
  const each = eachSeed(db, graph.seeds.map(externalId))
  return {
    name,
    load: async () => {
      const before = process.memoryUsage().rss
      const { seconds } = await timed(1, async () => {
        await query(`COPY V FROM '${files.verticesCsv}' (header=true)`)
        await query(`COPY E FROM '${files.edgesCsv}' (header=true)`)
        await query('CHECKPOINT')
        return undefined
      })
      const memoryBytes = process.memoryUsage().rss - before
      if (name === 'kuzu') await query("CALL PROJECT_GRAPH('G', ['V'], ['E'])")
      return { seconds, durable: true, memoryBytes, diskBytes: sizeOf(context.directory) }
    },
    rows: {
      lookup: async (round) => {
        const statement = await db.prepare(
          'MATCH (v:V {id: $id}) RETURN v.name, v.age, v.score, v.created',
        )
        return timed(LOOKUPS_PER_ROUND, async () => {
          let found = 0
          for (let i = 0; i < LOOKUPS_PER_ROUND; i++) {
            const id = externalId((i * 7919 + round) % graph.vertexCount)
            found += (await (await db.execute(statement, { id })).getAll()).length
          }
          return found
        })
      },
      hop1: () =>
        each(
          'MATCH (v:V {id: $id})-[e:E]->(w:V) RETURN w.id, e.weight, e.amount, e.since',
          100,
          (rows) => rows.length,
        ),
      hop2count: () =>
        each('MATCH (v:V {id: $id})-[:E* SHORTEST 1..2]->(w:V) RETURN count(*) AS c', 100, countOf),
      hop3count: () =>
        each('MATCH (v:V {id: $id})-[:E* SHORTEST 1..3]->(w:V) RETURN count(*) AS c', 10, countOf),
      filteredSum: () =>
        timed(1, async () => {
          const [row] = await query(
            `MATCH ()-[e:E]->() WHERE e.weight > ${WEIGHT_ABOVE} AND e.since >= timestamp('${datetime(SINCE_FROM_SECONDS)}') RETURN sum(e.amount) AS s, count(*) AS c`,
          )
          return `${Number(row?.['s']).toFixed(1)} over ${row?.['c']}`
        }),
      ...(name === 'kuzu' && {
        pagerank10: () =>
          timed(1, async () => {
            const [row] = await query(
              "CALL page_rank('G', dampingFactor := 0.85, maxIterations := 10, tolerance := 0.0) RETURN sum(rank) AS s",
            )
            return `${Number(row?.['s']).toFixed(6)} (its own normalisation)`
          }),
      }),
      insertEdge: (round) =>
        timed(INSERTS_PER_ROUND, async () => {
          for (let i = 0; i < INSERTS_PER_ROUND; i++) {
            const from = externalId((i * 7919 + round) % graph.vertexCount)
            const to = externalId((i * 104_729 + round) % graph.vertexCount)
            await query(
              `MATCH (a:V {id: '${from}'}), (b:V {id: '${to}'}) CREATE (a)-[:E {weight: 0, amount: 1.5, since: timestamp('2010-01-01 00:00:00')}]->(b)`,
            )
          }
          return undefined
        }),
    },
    close: async () => undefined,
  }
}

function eachSeed(db: Connection, seeds: readonly string[]) {
  const cache = new Map<string, Statement>()
  return async (text: string, count: number, answerOf: (rows: Row[]) => number) => {
    const statement = cache.get(text) ?? (await db.prepare(text))
    cache.set(text, statement)
    return await timed(count, async () => {
      let total = 0
      for (const id of seeds.slice(0, count)) {
        total += answerOf(await (await db.execute(statement, { id })).getAll())
      }
      return total
    })
  }
}

function countOf(rows: Row[]): number {
  return Number(rows[0]?.['c'])
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
