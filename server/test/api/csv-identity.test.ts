/** What an export as CSV holds, loaded by a job: the same graph, whatever its texts and numbers are. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom, type Random } from '#kernel/prng.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

const SEED = Number(process.env['QUIVER_SEED'] ?? 29)
const VERTICES = 400

let server: TestServer
let directory: string

const gsql = async (script: string, graph = '?graph=g') =>
  (await server.request('POST', `/gsql/v1/statements${graph}`, script)).text

const job = (name: string, target: string) => `CREATE LOADING JOB ${name} FOR GRAPH g {
  DEFINE FILENAME f; LOAD f TO ${target} USING HEADER="true", SEPARATOR=",", QUOTE="double"; }`

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-csv-identity-'))
  server = await startServer({ exportsDirectory: directory, queryWorkerCount: 0 })
  const made = await gsql(
    `CREATE VERTEX T (PRIMARY_ID id STRING, s STRING, i INT, u UINT, f FLOAT, d DOUBLE, b BOOL,
       t DATETIME, last STRING)
     CREATE VERTEX K (a STRING, n INT, s STRING, PRIMARY KEY (a, n))
     CREATE DIRECTED EDGE E (FROM T, TO T, DISCRIMINATOR (k STRING), s STRING)
     CREATE GRAPH g (*)`,
    '',
  )
  expect(made).toContain('The graph g is created.')
  const told = await gsql(
    [
      job(
        'vertices',
        'VERTEX T VALUES ($"v_id", $"s", $"i", $"u", $"f", $"d", $"b", $"t", $"last")',
      ),
      job('keys', 'VERTEX K VALUES ($"a", $"n", $"s")'),
      job('edges', 'EDGE E VALUES ($"from_id", $"to_id", $"k", $"s")'),
    ].join('\n'),
  )
  expect(told.match(/Successfully created/g)).toHaveLength(3)
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const pick = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)] as T

const parts = [
  ...['a', 'é', '😀', '"', '""', "'", ',', ';', '|', '\n', '\r', '\r\n', ' ', '\t', '\\', '\\n'],
  ...['\0', '\u001c', '\u001d', '\u2028', '\ufeff', '=1+1', 'NULL', 'NaN', '0', '_'],
]
const text = (random: Random): string =>
  Array.from({ length: random.below(6) }, () => pick(random, parts)).join('')

const doubles = ['0', '-0', '1e-320', '5e-324', '1.7976931348623157e308', '0.1', '-1.5', '1e21']
const valuesOf = (random: Random): string =>
  `{"s":{"value":${JSON.stringify(text(random))}},"last":{"value":${JSON.stringify(text(random))}},
    "i":{"value":${pick(random, ['0', '-9223372036854775808', '9223372036854775807', '7'])}},
    "u":{"value":${pick(random, ['0', '18446744073709551615', '9007199254740993'])}},
    "f":{"value":${pick(random, ['0.1', '-3.4e38', '3.4e38', '16777217'])}},
    "d":{"value":${pick(random, doubles)}},
    "b":{"value":${pick(random, ['true', 'false'])}},
    "t":{"value":${pick(random, ['"1970-01-01"', '"1582-10-15 00:00:00"', '"9999-12-31 23:59:59"'])}}}`

function payload(random: Random): string {
  const ids = Array.from({ length: VERTICES }, (_, row) => JSON.stringify(`${text(random)}${row}`))
  const vertices = ids.map((id) => `${id}:${valuesOf(random)}`)
  const keys = ids.map((_, row) => {
    const id = JSON.stringify(`${text(random).replaceAll(',', '')}k,${row}`)
    return `${id}:{"s":{"value":${JSON.stringify(text(random))}}}`
  })
  const edges = ids.map((from) => {
    const to = pick(random, ids)
    const values = [text(random), text(random)].map((one) => JSON.stringify(one))
    return `${from}:{"E":{"T":{${to}:{"k":{"value":${values[0]}},"s":{"value":${values[1]}}}}}}`
  })
  return `{"vertices":{"T":{${vertices.join()}},"K":{${keys.join()}}},"edges":{"T":{${edges.join()}}}}`
}

it(`is the graph that was exported (seed ${SEED})`, async () => {
  const upserted = await server.request('POST', '/restpp/graph/g', payload(createRandom(SEED)))
  expect(upserted.body.results, upserted.text).toMatchObject([{ accepted_edges: VERTICES }])
  // Queries can store these; no payload of a client holds them, but an export does.
  const odd = 'v_id,s,i,u,f,d,b,t,last\nodd1,,0,0,NaN,-inf,true,,\nodd2,,0,0,inf,NaN,false,,\n'
  await server.request('POST', '/restpp/ddl/g?tag=vertices&filename=f', odd)
  const { engine } = server
  const before = dump(engine.view(), engine.catalog).sort()
  const url = '/quiver/v1/graphs/g/export'
  const { body } = await server.request('POST', url, { path: 'out', format: 'csv' })
  expect(body.message).toBe('Successfully exported graph g.')
  const written = readFileSync(join(directory, 'out', 'vertices-T.csv'), 'utf8')
  expect(written).toContain('odd1,,0,0,NaN,-inf,true,')
  for (const type of ['T', 'K']) await server.request('DELETE', `/restpp/graph/g/vertices/${type}`)
  expect(dump(engine.view(), engine.catalog)).not.toEqual(before)
  for (const [name, file] of [
    ['vertices', 'vertices-T.csv'],
    ['keys', 'vertices-K.csv'],
    ['edges', 'edges-E-T-T.csv'],
  ]) {
    const data = readFileSync(join(directory, 'out', file as string), 'utf8')
    const loaded = await server.request('POST', `/restpp/ddl/g?tag=${name}&filename=f`, data)
    const { validLine, vertex, edge, deleteVertex, deleteEdge, ...faults } =
      loaded.body.results[0].statistics
    expect(validLine, name).toBe(VERTICES + (name === 'vertices' ? 2 : 0))
    expect(
      Object.values(faults).filter((count) => count !== 0),
      name,
    ).toEqual([])
    expect([...vertex, ...edge][0].validObject, name).toBe(validLine)
  }
  expect(dump(engine.view(), engine.catalog).sort()).toEqual(before)
})
