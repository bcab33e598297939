/** The two engines over one graph: a server of ours, and DuckDB. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { deletionQuery, type Graph, nanQuery, SCHEMA, tables, upsertBody } from './graph.ts'

/** One question, in the words of both engines. */
export interface Question {
  readonly shape: string
  /** A body of GSQL in a version of its syntax, an openCypher query, or the URL of a REST request. */
  readonly form: 'v1' | 'v2' | 'v3' | 'cypher' | 'rest'
  readonly text: string
  readonly sql: string
  readonly isOrdered: boolean
}

type Cell = string | number | boolean | null
export type Rows = readonly (readonly Cell[])[]

export interface Engines {
  load(graph: Graph): Promise<void>
  /** @throws Error with the message of the server */
  ours(question: Question, columns: readonly string[]): Promise<Rows>
  theirs(question: Question): Promise<{ readonly columns: readonly string[]; readonly rows: Rows }>
  close(): Promise<void>
}

const plain = { 'content-type': 'text/plain' }

export async function openEngines(): Promise<Engines> {
  const server = await startServer()
  await sent(server, '/gsql/v1/statements', SCHEMA)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const duck = await instance.connect()
  return {
    load: async (graph) => {
      await loadServer(server, graph)
      await duck.run(tables(graph))
    },
    ours: (question, columns) => askServer(server, question, columns),
    theirs: (question) => askDuck(duck, question),
    close: async () => {
      duck.closeSync()
      instance.closeSync()
      await server.close()
    },
  }
}

async function loadServer(server: TestServer, graph: Graph): Promise<void> {
  for (const type of ['P', 'C']) {
    await server.request('DELETE', `/restpp/graph/g/vertices/${type}`)
  }
  const answer = await server.request('POST', '/restpp/graph/g', upsertBody(graph))
  if (answer.body.error !== false) throw new Error(answer.text)
  const nan = nanQuery(graph)
  if (nan !== null) await interpreted(server, `INTERPRET QUERY () FOR GRAPH g { ${nan} }`)
  if (graph.isRebuilt) await server.request('GET', '/restpp/rebuildnow/g')
  const deletions = deletionQuery(graph)
  if (deletions !== null) {
    await interpreted(server, `INTERPRET QUERY () FOR GRAPH g SYNTAX v2 { ${deletions} }`)
  }
}

async function sent(server: TestServer, url: string, text: string): Promise<void> {
  const answer = await server.request('POST', url, text, plain)
  if (answer.status !== 200) throw new Error(answer.text)
}

type Row = Readonly<Record<string, unknown>>

async function interpreted(server: TestServer, text: string): Promise<Row[]> {
  const answer = await server.request('POST', '/gsqlserver/interpreted_query', text, plain)
  if (answer.body?.error !== false) throw new Error(`${answer.body?.code}: ${answer.body?.message}`)
  return answer.body.results
}

async function askServer(
  server: TestServer,
  { form, text }: Question,
  columns: readonly string[],
): Promise<Rows> {
  if (form === 'rest') {
    const answer = await server.request('GET', text)
    if (answer.body?.error !== false) throw new Error(answer.text)
    return rowsOf(answer.body.results, columns)
  }
  const head =
    form === 'cypher'
      ? 'INTERPRET OPENCYPHER QUERY () FOR GRAPH g'
      : `INTERPRET QUERY () FOR GRAPH g SYNTAX ${form}`
  const results = await interpreted(server, `${head} { ${text} }`)
  const [printed] = Object.values(results.at(-1) ?? {})
  return rowsOf((Array.isArray(printed) ? printed : [results.at(-1)]) as Row[], columns)
}

/** Of rows of a table, or of vertices and edges with attributes. */
function rowsOf(rows: readonly Row[], columns: readonly string[]): Rows {
  return rows.map((row) => {
    const whole: Row = { ...row, ...(row['attributes'] as Row | undefined) }
    return columns.map((column) => {
      if (!(column in whole)) throw new Error(`no column ${column} in ${JSON.stringify(row)}`)
      return cellOf(whole[column])
    })
  })
}

async function askDuck(duck: DuckDBConnection, { sql }: Question) {
  const reader = await duck.runAndReadAll(sql)
  const rows = reader.getRowsJS().map((row) => row.map(cellOf))
  return { columns: reader.columnNames(), rows }
}

/** Reals agree to 6 digits, as a FLOAT prints; the words of what is no number are ours. */
function cellOf(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'nan'
    if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
    return Number.isInteger(value) ? value + 0 : Number(value.toPrecision(6))
  }
  if (typeof value === 'string') return value === 'NaN' ? 'nan' : value
  if (typeof value === 'boolean' || value === null) return value
  return JSON.stringify(value)
}
