/** SQLite as built into the pinned Node: WAL, synchronous FULL, tables keyed by id and by (src, dst). */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Answer,
  type Contender,
  type ContenderContext,
  type RowResult,
  timed,
} from '../contender.ts'
import { csvRecords, residentBytes } from '../files.ts'
import { type BenchFiles, datetime, externalId, generateGraph, writeFiles } from '../rmat.ts'
import {
  COMMIT_SIZE_BYTES,
  EDGES_PER_BATCH,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'

const BATCHES_PER_ROUND = 50
const COMMITS_ALONE = 2_000

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, context.dataDirectory)
  const path = join(context.directory, 'bench.sqlite')
  const seeds = graph.seeds.map(externalId)
  const idOf = (i: number) => externalId(i % graph.vertexCount)
  let db = openFile(path)
  let statements = prepare(db)
  return {
    load: async () => {
      const before = residentBytes('self')
      const { seconds } = await timed(1, () => importCsv(db, files))
      const memoryBytes = residentBytes('self') - before
      return { seconds, durable: true, memoryBytes, diskBytes: statSync(path).size }
    },
    rows: {
      lookup: (round) =>
        timed(LOOKUPS_PER_ROUND, () => {
          let found = 0
          for (let i = 0; i < LOOKUPS_PER_ROUND; i++) {
            if (statements.lookup.get(idOf(i * 7919 + round))) found++
          }
          return { found }
        }),
      hop1: () =>
        timed(seeds.length, () => ({
          edges: seeds.reduce((sum, id) => sum + statements.hop1.all(id).length, 0),
        })),
      hop2count: () =>
        timed(seeds.length, () => ({
          total: seeds.reduce((sum, id) => sum + Number(statements.hop2.get({ id })?.['c']), 0),
        })),
      filteredSum: () => timed(1, () => sumOf(statements.sum.get())),
      upsert1000: (round) => batches(db, round),
      insertEdge: (round) => inserts(db, `x${round}`),
      commit256: () => commitsAlone(db),
      csvLoad: (round) => freshLoad(join(context.directory, `csv-${round}`), files),
      restart: async () => {
        db.close()
        return await timed(1, () => {
          db = openFile(path)
          statements = prepare(db)
          statements.lookup.get(idOf(0))
          return undefined
        })
      },
    },
    close: async () => db.close(),
  }
}

/** Written edges go to `f`, so that the rows measured on `e` keep their answers. */
function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-1000000')
  const edges = '(src TEXT, dst TEXT, weight INT, amount REAL, since TEXT, PRIMARY KEY(src, dst))'
  db.exec(
    `CREATE TABLE IF NOT EXISTS v(id TEXT PRIMARY KEY, name TEXT, age INT, score REAL, created TEXT) WITHOUT ROWID;
     CREATE TABLE IF NOT EXISTS e${edges} WITHOUT ROWID;
     CREATE TABLE IF NOT EXISTS f${edges} WITHOUT ROWID;
     CREATE TABLE IF NOT EXISTS log(bytes BLOB)`,
  )
  return db
}

function prepare(db: DatabaseSync) {
  return {
    lookup: db.prepare('SELECT name, age, score, created FROM v WHERE id = ?'),
    hop1: db.prepare('SELECT dst, weight, amount, since FROM e WHERE src = ?'),
    hop2: db.prepare(
      'SELECT count(*) AS c FROM (SELECT dst FROM e WHERE src = $id UNION SELECT b.dst FROM e a JOIN e b ON a.dst = b.src WHERE a.src = $id) WHERE dst <> $id',
    ),
    sum: db.prepare(
      `SELECT sum(amount) AS s, count(*) AS c FROM e WHERE weight > ${WEIGHT_ABOVE} AND since >= '${datetime(SINCE_FROM_SECONDS)}'`,
    ),
  }
}

/** What its shell's `.import` does: one transaction, one prepared insert per record. */
function importCsv(db: DatabaseSync, files: BenchFiles): undefined {
  const vertex = db.prepare('INSERT INTO v VALUES (?, ?, ?, ?, ?)')
  const edge = db.prepare('INSERT INTO e VALUES (?, ?, ?, ?, ?)')
  db.exec('BEGIN')
  for (const record of csvRecords(files.verticesCsv)) vertex.run(...record)
  for (const record of csvRecords(files.edgesCsv)) edge.run(...record)
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

async function freshLoad(path: string, files: BenchFiles): Promise<RowResult> {
  const db = openFile(path)
  try {
    return await timed(1, () => {
      importCsv(db, files)
      const count = (table: string) =>
        Number(db.prepare(`SELECT count(*) AS c FROM ${table}`).get()?.['c'])
      return { vertices: count('v'), edges: count('e') }
    })
  } finally {
    db.close()
    rmSync(path)
  }
}

function sumOf(row: Record<string, unknown> | undefined): Answer {
  return { sum: Number(row?.['s']).toFixed(2), count: Number(row?.['c']) }
}

async function batches(db: DatabaseSync, round: number): Promise<RowResult> {
  const insert = db.prepare("INSERT OR REPLACE INTO f VALUES (?, ?, ?, 1.5, '2010-01-01 00:00:00')")
  return await timed(BATCHES_PER_ROUND * EDGES_PER_BATCH, () => {
    for (let batch = 0; batch < BATCHES_PER_ROUND; batch++) {
      const name = `b${round}.${batch}`
      db.exec('BEGIN')
      for (let i = 0; i < EDGES_PER_BATCH; i++) insert.run(`${name}s${i % 10}`, `${name}t${i}`, i)
      db.exec('COMMIT')
    }
    return undefined
  })
}

async function inserts(db: DatabaseSync, name: string): Promise<RowResult> {
  const insert = db.prepare("INSERT OR REPLACE INTO f VALUES (?, ?, 0, 1.5, '2010-01-01 00:00:00')")
  return await timed(INSERTS_PER_ROUND, () => {
    for (let i = 0; i < INSERTS_PER_ROUND; i++) insert.run(name, `y${i}`)
    return undefined
  })
}

/** A transaction per commit: its interface is synchronous, so writers cannot share one. */
async function commitsAlone(db: DatabaseSync): Promise<RowResult> {
  const insert = db.prepare('INSERT INTO log VALUES (?)')
  const payload = new Uint8Array(COMMIT_SIZE_BYTES).fill(7)
  return await timed(COMMITS_ALONE, () => {
    for (let i = 0; i < COMMITS_ALONE; i++) insert.run(payload)
    return undefined
  })
}
