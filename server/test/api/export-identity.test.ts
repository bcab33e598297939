/**
 * What an export as CSV or as lines of JSON holds, loaded by the job that is written beside it: the same
 * graph, attribute by attribute, with collections, tuples, bytes and vectors.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '#kernel/prng.ts'
import { fillRichGraph } from '../fixtures/rich-graph.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

const SEED = Number(process.env['QUIVER_SEED'] ?? 29)
const VERTICES = Number(process.env['QUIVER_VERTICES'] ?? 300)
/** Much is compiled before the first test. */
const SETUP_MS = 180_000

const contentOf = ({ engine }: TestServer) => dump(engine.view(), engine.catalog).sort()

async function gsql(server: TestServer, script: string): Promise<string> {
  return (await server.request('POST', '/gsql/v1/statements', script)).text
}

/** Exports, empties, makes the job and runs it. @returns what the run says */
async function around(server: TestServer, graph: string, format: string): Promise<string> {
  const path = `${graph}-${format}`
  const exported = await server.request('POST', `/quiver/v1/graphs/${graph}/export`, {
    path,
    format,
  })
  expect(exported.body.message, exported.text).toBe(`Successfully exported graph ${graph}.`)
  const types: { readonly type: string; readonly kind: string }[] = exported.body.results.files
  for (const { type, kind } of types) {
    if (kind === 'vertices')
      await server.request('DELETE', `/restpp/graph/${graph}/vertices/${type}`)
  }
  const job = readFileSync(join(exported.body.results.path, 'load.gsql'), 'utf8')
  const made = await gsql(server, `USE GRAPH ${graph}\nDROP JOB load_${graph}\n${job}`)
  expect(made, job).toContain(`Successfully created loading jobs: [load_${graph}].`)
  return gsql(server, `USE GRAPH ${graph}\nRUN LOADING JOB load_${graph}`)
}

describe.each(['csv', 'json'])('an export as %s', (format) => {
  let directory: string
  let server: TestServer

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'quiver-export-identity-'))
    server = await startServer({ exportsDirectory: directory, filesDirectory: directory })
  }, SETUP_MS)
  afterAll(async () => {
    await server.close()
    rmSync(directory, { recursive: true })
  })

  it('of a graph with something of everything loads back', async () => {
    await fillRichGraph(server)
    const before = contentOf(server)
    const told = await around(server, 'acme', format)
    expect(contentOf(server), told).toEqual(before)
    expect(told).not.toMatch(/[1-9]\d* (rejected|invalid)|created as an end/)
  })

  it(`of random collections and tuples loads back (seed ${SEED})`, async () => {
    expect(await gsql(server, schema)).toContain('The graph g is created.')
    const upserted = await server.request('POST', '/restpp/graph/g', payload(createRandom(SEED)))
    expect(upserted.body.results, upserted.text).toMatchObject([
      { accepted_vertices: VERTICES, accepted_edges: 2 * VERTICES },
    ])
    const odd = await server.request('GET', '/restpp/query/g/odd')
    expect(odd.body, odd.text).toMatchObject({ error: false })
    const before = contentOf(server)
    expect(before.join('\n')).toContain('ld=["«NaN»","«-Infinity»","«Infinity»"]')
    const told = await around(server, 'g', format)
    expect(contentOf(server), told).toEqual(before)
    expect(told).not.toMatch(/[1-9]\d* (rejected|invalid)|created as an end/)
  })
})

const schema = `
TYPEDEF TUPLE <a INT(1), b UINT, s STRING(12), d DOUBLE, o BOOL, t DATETIME> Mix
CREATE VERTEX P (PRIMARY_ID id STRING, v_id STRING, li LIST<INT>, ld LIST<DOUBLE>, ls LIST<STRING>,
  lt LIST<DATETIME>, lu LIST<Mix>, si SET<INT>, ss SET<STRING>, su SET<Mix>, ms MAP<STRING, STRING>,
  mi MAP<INT, DOUBLE>, mt MAP<DATETIME, Mix>, u Mix, fb FIXED_BINARY(4))
CREATE VERTEX K (n INT, s STRING, ls LIST<STRING>, PRIMARY KEY (n, s))
CREATE DIRECTED EDGE E (FROM P, TO K, DISCRIMINATOR (k STRING, n INT), from_id LIST<STRING>, u Mix) WITH REVERSE_EDGE="E2"
CREATE UNDIRECTED EDGE N (FROM P, TO P, ms MAP<STRING, Mix>)
CREATE GRAPH g (P, K, E, N)
CREATE QUERY odd() FOR GRAPH g {
  ListAccum<DOUBLE> @@l;
  MapAccum<INT, DOUBLE> @@m;
  @@l += sqrt(-1); @@l += log(0); @@l += 0 - log(0);
  @@m += (7 -> sqrt(-1)); @@m += (-7 -> log(0));
  R = SELECT p FROM P:p WHERE p.v_id == "odd" POST-ACCUM p.ld = @@l, p.mi = @@m;
}
INSTALL QUERY odd
`

const pick = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)] as T

const parts = [
  ...[
    'a',
    'é',
    '😀',
    '"',
    '""',
    "'",
    ',',
    ';',
    '|',
    ':',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\t',
    '\\',
    '\\n',
  ],
  ...[
    '\0',
    '\u001c',
    '\u2028',
    '\ufeff',
    '[',
    ']',
    '{',
    '}',
    '[]',
    'null',
    'NaN',
    '__proto__',
    '12',
    '->',
  ],
]
const text = (random: Random): string =>
  JSON.stringify(Array.from({ length: random.below(5) }, () => pick(random, parts)).join(''))

type Make = (random: Random) => string

const whole: Make = (random) =>
  pick(random, ['0', '-1', '7', '-9223372036854775808', '9223372036854775807', '9007199254740993'])
const real: Make = (random) =>
  pick(random, ['0', '-0', '5e-324', '1.7976931348623157e308', '0.1', '-1.5', '1e21', '-1e-7'])
const moment: Make = (random) =>
  pick(random, [
    '"1970-01-01"',
    '"1582-10-15 00:00:00"',
    '"9999-12-31 23:59:59"',
    '"2024-02-29 12:30:00"',
  ])
const mix: Make = (random) => {
  const fields: readonly (readonly [string, Make])[] = [
    ['a', (one) => String(one.below(256) - 128)],
    ['b', (one) => pick(one, ['0', '18446744073709551615', '9007199254740993'])],
    ['s', text],
    ['d', real],
    ['o', (one) => pick(one, ['true', 'false'])],
    ['t', moment],
  ]
  const given = fields.filter(() => random.below(4) > 0)
  const names = given.map(([name]) => JSON.stringify(name))
  return `{"keylist":[${names}],"valuelist":[${given.map(([, make]) => make(random))}]}`
}
const many = (random: Random, make: Make): string[] =>
  Array.from({ length: random.below(4) }, () => make(random))
const list =
  (make: Make): Make =>
  (random) =>
    `[${many(random, make)}]`
const map =
  (key: Make, value: Make): Make =>
  (random) => {
    const keys = many(random, key)
    return `{"keylist":[${keys}],"valuelist":[${keys.map(() => value(random))}]}`
  }
const bytes: Make = (random) =>
  JSON.stringify(pick(random, ['abcd', '\0\0\0\0', 'é\n"', '😀', ' 12,']))

const ofP: Readonly<Record<string, Make>> = {
  v_id: text,
  li: list(whole),
  ld: list(real),
  ls: list(text),
  lt: list(moment),
  lu: list(mix),
  si: list(whole),
  ss: list(text),
  su: list(mix),
  ms: map(text, text),
  mi: map(whole, real),
  mt: map(moment, mix),
  u: mix,
  fb: bytes,
}

/** Each attribute now and then not at all. */
function valuesOf(random: Random, makes: Readonly<Record<string, Make>>): string {
  const given = Object.entries(makes).filter(() => random.below(8) > 0)
  return `{${given.map(([name, make]) => `"${name}":{"value":${make(random)}}`)}}`
}

function payload(random: Random): string {
  const count = VERTICES / 2
  const people = Array.from({ length: count }, (_, row) => {
    const id = JSON.stringify(`${JSON.parse(text(random))}${row}`)
    return row % 10 === 0 ? `${id}:{"v_id":{"value":"odd"}}` : `${id}:${valuesOf(random, ofP)}`
  })
  const ids = people.map((one) => one.slice(0, one.indexOf(':{"')))
  const keys = ids.map((_, row) => JSON.stringify(`${row - 3},${JSON.parse(text(random))}`))
  const keyed = keys.map((id) => `${id}:${valuesOf(random, { ls: list(text) })}`)
  const edges = Array.from({ length: 2 * VERTICES }, (_, row) => {
    const from = pick(random, ids)
    if (row % 2 === 0) {
      const values = `{"k":{"value":${text(random)}},"n":{"value":${row}},${valuesOf(random, { from_id: list(text), u: mix }).slice(1)}`
      return `${from}:{"E":{"K":{${pick(random, keys)}:${values.replace(',}', '}')}}}}`
    }
    return `${from}:{"N":{"P":{${pick(random, ids)}:${valuesOf(random, { ms: map(text, mix) })}}}}`
  })
  return `{"vertices":{"P":{${people}},"K":{${keyed}}},"edges":{"P":{${edges}}}}`
}
