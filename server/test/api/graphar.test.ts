/** Exports in the layout of Apache GraphAr: read back by DuckDB, with everything in its place. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { graphArPlan } from '../../src/services/transfer/graphar/plan.ts'
import { writeGraphAr } from '../../src/services/transfer/graphar/write-graphar.ts'
import { fillRichGraph } from '../fixtures/rich-graph.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

/** Much is compiled and written before the first test. */
const SETUP_MS = 180_000

let directory: string
let instance: DuckDBInstance
let duck: DuckDBConnection

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-graphar-'))
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  duck = await instance.connect()
})
afterAll(() => {
  duck.closeSync()
  instance.closeSync()
  rmSync(directory, { recursive: true })
})

/** Rows as objects of plain values. */
async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const reader = await duck.runAndReadAll(sql)
  return reader.getRowObjectsJson() as Record<string, unknown>[]
}

const filesOf = (pattern: string) => `read_parquet('${directory}/${pattern}')`
const countIn = (path: string) => Number(readFileSync(join(directory, path)).readBigInt64LE())
const yamlOf = (path: string) => parse(readFileSync(join(directory, path), 'utf8'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

describe('a graph with something of everything', () => {
  let server: TestServer
  // biome-ignore lint/suspicious/noExplicitAny: the answer of an export
  let summary: any

  beforeAll(async () => {
    server = await startServer({ exportsDirectory: directory })
    await fillRichGraph(server)
    const exported = (path: string, format: string) =>
      server.request('POST', '/quiver/v1/graphs/acme/export', { path, format })
    await exported('json', 'json')
    const { body } = await exported('rich', 'graphar')
    expect(body).toMatchObject({ error: false, message: 'Successfully exported graph acme.' })
    summary = body.results
  }, SETUP_MS)
  afterAll(() => server.close())

  it('has the files that GraphAr names, readable by their owner only', () => {
    const files = filesBelow(join(directory, 'rich'))
    for (const file of files) {
      expect(statSync(join(directory, 'rich', file)).mode & 0o777, file).toBe(0o600)
    }
    const knows = 'edge/Person_Knows_Person/ordered_by_source'
    expect(files.filter((file) => file.startsWith('edge/Person_Knows_Person/'))).toEqual([
      `${knows}/adj_list/part0/chunk0`,
      `${knows}/edge_count0`,
      `${knows}/offset/chunk0`,
      `${knows}/properties/part0/chunk0`,
      `${knows}/vertex_count`,
    ])
    expect(files.filter((file) => file.startsWith('vertex/Person/'))).toEqual([
      'vertex/Person/properties/chunk0',
      'vertex/Person/vertex_count',
    ])
    expect(files.filter((file) => !file.includes('/'))).toEqual([
      'Company.vertex.yml',
      'Company_Pays_Person.edge.yml',
      'Company_Works_At_Company.edge.yml',
      'Note.vertex.yml',
      'Person.vertex.yml',
      'Person_Knows_Person.edge.yml',
      'Person_Works_At_Company.edge.yml',
      'Person_Wrote_Note.edge.yml',
      'Visit.vertex.yml',
      'Wide.vertex.yml',
      'acme.graph.yml',
    ])
  })

  it('is described in YAML', () => {
    const graph = yamlOf('rich/acme.graph.yml')
    expect(graph).toMatchObject({ name: 'acme', prefix: './', version: 'gar/v1' })
    expect(graph.vertices).toContain('Person.vertex.yml')
    expect(graph.edges).toContain('Company_Pays_Person.edge.yml')
    const person = yamlOf('rich/Person.vertex.yml')
    expect(person).toMatchObject({ type: 'Person', chunk_size: 262144, prefix: 'vertex/Person/' })
    const [group] = person.property_groups
    expect(group).toMatchObject({ prefix: 'properties/', file_type: 'parquet' })
    const types = group.properties.map((one: Record<string, unknown>) => [
      one['name'],
      one['data_type'],
    ])
    expect(types).toEqual([
      ['pid', 'int64'],
      ['name', 'string'],
      ['age', 'string'],
      ['score', 'double'],
      ['ratio', 'float'],
      ['active', 'bool'],
      ['joined', 'timestamp'],
      ['langs', 'list<string>'],
      ['tags', 'list<int64>'],
      ['phones', 'string'],
      ['home', 'string'],
      ['homes', 'list<string>'],
    ])
    const keys = group.properties.filter((one: Record<string, unknown>) => one['is_primary'])
    expect(keys.map((one: Record<string, unknown>) => one['name'])).toEqual(['pid'])
    const text = readFileSync(join(directory, 'rich/Person.vertex.yml'), 'utf8')
    expect(text).toContain('# age: UINT with values beyond 63 bits, as decimal texts\n')
    expect(text).toContain('# phones: MAP<STRING, DATETIME> as JSON\n')
    const company = yamlOf('rich/Company.vertex.yml').property_groups[0].properties
    expect(company).toContainEqual({
      name: 'emb',
      data_type: 'list<float>',
      is_primary: false,
      is_nullable: true,
    })
    expect(yamlOf('rich/Company_Pays_Person.edge.yml')).toMatchObject({
      src_type: 'Company',
      edge_type: 'Pays',
      dst_type: 'Person',
      directed: true,
      chunk_size: 4194304,
      adj_lists: [{ ordered: true, aligned_by: 'src', file_type: 'parquet' }],
    })
    expect(yamlOf('rich/Person_Wrote_Note.edge.yml').property_groups).toBeUndefined()
  })

  it('has the values of the export as JSON', async () => {
    for (const { type, idName, file = type } of [
      { type: 'Person', idName: 'pid' },
      { type: 'Company', idName: 'cid' },
      { type: 'Visit', idName: 'v_id' },
      { type: 'Wide', idName: 'w' },
      { type: 'Note', idName: 'n', file: 'acme.Note' },
    ]) {
      const rows = await rowsOf(
        `SELECT * FROM ${filesOf(`rich/vertex/${type}/properties/chunk*`)} ORDER BY _graphArVertexIndex`,
      )
      const lines = readFileSync(join(directory, `json/vertices-${file}.ndjson`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line, exactly))
      const [{ properties }] = yamlOf(`rich/${type}.vertex.yml`).property_groups
      const floats = new Set(
        properties
          .filter((one: Record<string, string>) => one['data_type']?.includes('float'))
          .map((one: Record<string, string>) => one['name']),
      )
      expect(countIn(`rich/vertex/${type}/vertex_count`)).toBe(lines.length)
      expect(rows).toHaveLength(lines.length)
      for (const [index, { v_id, attributes }] of lines.entries()) {
        const { _graphArVertexIndex: number, ...row } = rows[index]!
        expect(Number(number)).toBe(index)
        expect(String(row[idName])).toBe(v_id)
        for (const [name, value] of Object.entries(attributes)) {
          const spell = textOf(floats.has(name) ? Math.fround : Number)
          expect(spell(row[name]), `${type} ${v_id} ${name}`).toBe(spell(value))
        }
      }
    }
  })

  it('has every end of every edge, and its values', async () => {
    const part = 'rich/edge/Company_Pays_Person/ordered_by_source'
    const pays = await rowsOf(`
      SELECT c.cid, p.pid, v.month, v.no, v.amount
      FROM ${filesOf(`${part}/adj_list/part0/chunk0`)} e
      POSITIONAL JOIN ${filesOf(`${part}/properties/part0/chunk0`)} v
      JOIN ${filesOf('rich/vertex/Company/properties/chunk0')} c ON e._graphArSrcIndex = c._graphArVertexIndex
      JOIN ${filesOf('rich/vertex/Person/properties/chunk0')} p ON e._graphArDstIndex = p._graphArVertexIndex
      ORDER BY amount`)
    expect(pays.map((row) => Object.values(row).map(String))).toEqual([
      ['c2', '7', '2024-01', '1', '1'],
      ['c2', '7', '2024-01', '2', '2'],
      ['c2', '7', 'a,b\\c', '1', '3'],
    ])
    const knows = 'rich/edge/Person_Knows_Person/ordered_by_source'
    const counted = await rowsOf(
      `SELECT count(*) AS n FROM ${filesOf(`${knows}/adj_list/part*/chunk*`)}`,
    )
    expect(Number(counted[0]!['n'])).toBe(countIn(`${knows}/edge_count0`))
  })

  it('keeps the sign of zero, and what is no number', async () => {
    const scores = await rowsOf(
      `SELECT score::VARCHAR AS score FROM ${filesOf('rich/vertex/Person/properties/chunk0')}`,
    )
    const texts = scores.map((row) => row['score'])
    expect(texts).toContain('-0.0')
    expect(texts).toContain('-inf')
  })

  it('is summed up file by file', () => {
    const shown = summary.files.filter(({ type }: { type: string }) => type === 'Wrote')
    expect(shown).toEqual([
      expect.objectContaining({
        file: 'edge/Person_Wrote_Note/ordered_by_source/adj_list/part0/chunk0',
        kind: 'edges',
        part: 'adjacency',
        count: 1,
      }),
      expect.objectContaining({ part: 'offsets', count: 262_145 }),
    ])
    for (const { file, sizeBytes } of summary.files) {
      expect(statSync(join(directory, 'rich', file)).size, file).toBe(sizeBytes)
    }
  })

  it('is written by scripts, too', async () => {
    const gsql = async (text: string) =>
      (await server.request('POST', '/gsql/v1/statements', text)).text
    expect(await gsql('EXPORT GRAPH acme --FORMAT "graphar" TO "by-script"')).toBe(
      'Successfully exported graph acme.\n',
    )
    expect(filesBelow(join(directory, 'by-script'))).toEqual(filesBelow(join(directory, 'rich')))
    expect(await gsql('EXPORT GRAPH * --FORMAT "graphar" TO "no"')).toContain('the name of one')
    expect(await gsql('EXPORT GRAPH acme -S --FORMAT "graphar" TO "no"')).toContain('no other')
    expect(await gsql('EXPORT GRAPH acme --FORMAT "xml" TO "no"')).toContain('csv, json, graphar')
  })
})

describe('a graph of several chunks', () => {
  const PEOPLE = 60
  const CHUNKS = { vertexRows: 7, edgeRows: 5 }
  let server: TestServer
  /** Source, target and weight of the edges that remain, by the numbers in the ids. */
  let edges: (readonly [number, number, number])[]

  beforeAll(async () => {
    server = await startServer()
    const script = `CREATE VERTEX a_b (PRIMARY_ID id STRING, size INT)
      CREATE VERTEX a (PRIMARY_ID id STRING)
      CREATE VERTEX n (PRIMARY_ID id STRING)
      CREATE DIRECTED EDGE c (FROM a_b, TO a_b, weight INT)
      CREATE DIRECTED EDGE b_c (FROM a, TO a_b)
      CREATE GRAPH g (*)`
    const made = await server.request('POST', '/gsql/v1/statements', script)
    expect(made.text).not.toMatch(/fail|error/i)
    const vertices = Object.fromEntries(
      Array.from({ length: PEOPLE }, (_, index) => [`v${index}`, { size: { value: index } }]),
    )
    const bySource: Record<string, object> = {}
    const all: [number, number, number][] = []
    for (let from = 0; from < PEOPLE; from++) {
      // Some vertices have none, and the parts of some chunks neither.
      const degree = from < 20 ? (from * 5) % 9 : from > 40 ? 1 : 0
      const targets: Record<string, object> = {}
      for (let index = 0; index < degree; index++) {
        const to = (from * 7 + index * 11) % PEOPLE
        targets[`v${to}`] = { weight: { value: from * 100 + to } }
        all.push([from, to, from * 100 + to])
      }
      if (degree > 0) bySource[`v${from}`] = { c: { a_b: targets } }
    }
    const put = await server.request('POST', '/restpp/graph/g', {
      vertices: { a_b: vertices },
      edges: { a_b: bySource },
    })
    expect(put.body).toMatchObject({ error: false })
    const isGone = (number: number) => number % 13 === 4
    for (let index = 0; index < PEOPLE; index++) {
      if (!isGone(index)) continue
      await server.request('DELETE', `/restpp/graph/g/vertices/a_b/v${index}`)
    }
    edges = all.filter(([from, to]) => !(isGone(from) || isGone(to)))
    mkdirSync(join(directory, 'small'))
    const plan = graphArPlan(server.engine.catalog, 'g', CHUNKS)
    writeGraphAr(server.engine.view(), plan, join(directory, 'small'))
  }, SETUP_MS)
  afterAll(() => server.close())

  const part = 'small/edge/a_b_c_a_b/ordered_by_source'

  it('has vertices and edges with the same counts and sums in DuckDB', async () => {
    const [vertices] = await rowsOf(
      `SELECT count(*) AS n, sum(size) AS s, max(_graphArVertexIndex) AS last
       FROM ${filesOf('small/vertex/a_b/properties/chunk*')}`,
    )
    const left = Array.from({ length: PEOPLE }, (_, index) => index).filter((n) => n % 13 !== 4)
    expect(Number(vertices!['n'])).toBe(left.length)
    expect(Number(vertices!['last'])).toBe(left.length - 1)
    expect(Number(vertices!['s'])).toBe(left.reduce((sum, one) => sum + one))
    const found = await rowsOf(`
      SELECT s.size AS from_no, t.size AS to_no, weight
      FROM (SELECT * FROM ${filesOf(`${part}/adj_list/part*/chunk*`)}) e
      POSITIONAL JOIN (SELECT * FROM ${filesOf(`${part}/properties/part*/chunk*`)}) v
      JOIN ${filesOf('small/vertex/a_b/properties/chunk*')} s ON s._graphArVertexIndex = _graphArSrcIndex
      JOIN ${filesOf('small/vertex/a_b/properties/chunk*')} t ON t._graphArVertexIndex = _graphArDstIndex`)
    const sorted = (rows: readonly (readonly number[])[]) => rows.map(String).sort()
    expect(sorted(found.map((row) => Object.values(row).map(Number)))).toEqual(sorted(edges))
  })

  it('has offsets that point at the edges of each vertex', async () => {
    const chunkCount = Math.ceil(countIn(`${part}/vertex_count`) / CHUNKS.vertexRows)
    let total = 0
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      const count = countIn(`${part}/edge_count${chunk}`)
      const read = async (column: string, file: string) =>
        (await rowsOf(`SELECT ${column} AS n FROM ${filesOf(file)}`)).map((row) => Number(row['n']))
      const offsets = await read('_graphArOffset', `${part}/offset/chunk${chunk}`)
      expect(offsets).toHaveLength(CHUNKS.vertexRows + 1)
      expect([offsets[0], offsets.at(-1)]).toEqual([0, count])
      const sources: number[] = []
      for (let from = 0; from < count; from += CHUNKS.edgeRows) {
        const file = `${part}/adj_list/part${chunk}/chunk${from / CHUNKS.edgeRows}`
        sources.push(...(await read('_graphArSrcIndex', file)))
      }
      expect(sources).toHaveLength(count)
      const pointed = offsets.slice(0, -1).flatMap((start, index) => {
        const degree = offsets[index + 1]! - start
        return Array.from({ length: degree }, () => chunk * CHUNKS.vertexRows + index)
      })
      expect(pointed).toEqual(sources)
      total += count
    }
    expect(total).toBe(edges.length)
    expect(total).toBeGreaterThan(5 * CHUNKS.edgeRows)
  })

  it('has no files of what has no rows, and quotes names that YAML would misread', () => {
    expect(countIn('small/vertex/n/vertex_count')).toBe(0)
    expect(filesBelow(join(directory, 'small/vertex/n'))).toEqual(['vertex_count'])
    expect(readFileSync(join(directory, 'small/n.vertex.yml'), 'utf8')).toContain('type: "n"\n')
    expect(yamlOf('small/g.graph.yml').edges).toEqual(['a_b_c_a_b.edge.yml', 'a_b_c_a_b_.edge.yml'])
    expect(yamlOf('small/a_b_c_a_b_.edge.yml')).toMatchObject({ src_type: 'a', edge_type: 'b_c' })
  })
})

/** Integers with all their digits, as texts. */
function exactly(this: unknown, _key: string, value: unknown, context?: { source?: string }) {
  return typeof value === 'number' && context?.source !== undefined ? context.source : value
}

/** Numbers, texts and lists in one spelling for both. */
function textOf(round: (number: number) => number): (value: unknown) => string {
  return (value) => {
    if (Array.isArray(value)) return `[${value.map(textOf(round)).join(',')}]`
    if (value !== null && typeof value === 'object') return JSON.stringify(value)
    const text = String(value).replace('Infinity', 'inf')
    if (text.startsWith('{')) return JSON.stringify(JSON.parse(text, exactly))
    // Answers of DuckDB's client have no sign of zero: a test of its own looks for it.
    if (text === '-0') return '0'
    const isReal = /^-?[\d.]+(e[+-]?\d+)?$/.test(text) && !/^-?\d+$/.test(text)
    return isReal ? String(round(Number(text))) : text
  }
}
