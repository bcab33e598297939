/** SQLite as built into the pinned Node: WAL, synchronous FULL, tables keyed by id and by (src, dst). */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Contender,
  type ContenderContext,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SINCE_FROM_SECONDS,
  timed,
  WEIGHT_ABOVE,
} from '../contender.ts'
import { type BenchGraph, externalId, generateGraph, vertexAttributes } from '../rmat.ts'

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const path = join(context.directory, 'bench.sqlite')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-1000000')
  db.exec(
    'CREATE TABLE v(id TEXT PRIMARY KEY, name TEXT, age INT, score REAL, created TEXT) WITHOUT ROWID; CREATE TABLE e(src TEXT, dst TEXT, weight INT, amount REAL, since INT, PRIMARY KEY(src, dst)) WITHOUT ROWID',
  )
  const seeds = graph.seeds.map(externalId)
  const lookup = db.prepare('SELECT name, age, score, created FROM v WHERE id = ?')
  const hop1 = db.prepare('SELECT dst, weight, amount, since FROM e WHERE src = ?')
  const hop2 = db.prepare(
    'SELECT count(*) AS c FROM (SELECT dst FROM e WHERE src = $i UNION SELECT b.dst FROM e a JOIN e b ON a.dst = b.src WHERE a.src = $i) WHERE dst <> $i',
  )
  const insert = db.prepare('INSERT OR REPLACE INTO e VALUES (?, ?, 0, 1.5, 0)')
  const sum = db.prepare(
    `SELECT sum(amount) AS s, count(*) AS c FROM e WHERE weight > ${WEIGHT_ABOVE} AND since >= ${SINCE_FROM_SECONDS}`,
  )
  return {
    name: 'sqlite',
    load: async () => {
      const before = rssBytes()
      const { seconds } = await timed(1, () => {
        load(db, graph)
        return undefined
      })
      return {
        seconds,
        durable: true,
        memoryBytes: rssBytes() - before,
        diskBytes: statSync(path).size,
      }
    },
    rows: {
      lookup: (round) =>
        timed(LOOKUPS_PER_ROUND, () => {
          let found = 0
          for (let i = 0; i < LOOKUPS_PER_ROUND; i++) {
            if (lookup.get(externalId((i * 7919 + round) % graph.vertexCount))) found++
          }
          return found
        }),
      hop1: () => timed(seeds.length, () => seeds.reduce((n, id) => n + hop1.all(id).length, 0)),
      hop2count: () =>
        timed(seeds.length, () =>
          seeds.reduce((n, id) => n + Number((hop2.get({ i: id }) as { c: number }).c), 0),
        ),
      filteredSum: () =>
        timed(1, () => {
          const row = sum.get() as { s: number; c: number }
          return `${row.s.toFixed(1)} over ${row.c}`
        }),
      insertEdge: (round) =>
        timed(INSERTS_PER_ROUND, () => {
          for (let i = 0; i < INSERTS_PER_ROUND; i++) insert.run(`x${round}`, `y${i}`)
          db.exec(`DELETE FROM e WHERE src = 'x${round}'`)
          return undefined
        }),
    },
    close: async () => db.close(),
  }
}

function load(db: DatabaseSync, graph: BenchGraph): void {
  const vertex = db.prepare('INSERT INTO v VALUES (?, ?, ?, ?, ?)')
  const edge = db.prepare('INSERT INTO e VALUES (?, ?, ?, ?, ?)')
  db.exec('BEGIN')
  for (let i = 0; i < graph.vertexCount; i++) {
    const { name, age, score, created } = vertexAttributes(i)
    vertex.run(externalId(i), name, age, score, created)
  }
  for (let i = 0; i < graph.edgeCount; i++) {
    edge.run(
      externalId(graph.sources[i] as number),
      externalId(graph.targets[i] as number),
      graph.weights[i] as number,
      graph.amounts[i] as number,
      graph.sinces[i] as number,
    )
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

function rssBytes(): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(line?.[1] ?? 0) * 1024
}
