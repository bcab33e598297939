/**
 * NaN in attributes, by every way in and out: one place behind all numbers wherever elements are
 * sorted, and no comparison of a filter or a WHERE but "is not equal" holds (docs/decisions/0118).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

/** By id; d, f and w of the edge from `a` alike. */
const VALUES = {
  a: 3,
  n1: 'sqrt(-1)',
  b: 1,
  n2: 'sqrt(-2)',
  c: -2,
  z: 0,
  m: '-exp(1000)',
  p: 'exp(1000)',
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const inserts = Object.entries(VALUES).map(
    ([id, value]) =>
      `INSERT INTO P VALUES ("${id}", ${value}, ${value}); INSERT INTO E VALUES ("a", "${id}", ${value});`,
  )
  await gsql(`
    CREATE VERTEX P (PRIMARY_ID id STRING, d DOUBLE, f FLOAT)
    CREATE DIRECTED EDGE E (FROM P, TO P, w DOUBLE)
    CREATE GRAPH g (P, E)
    USE GRAPH g
    CREATE LOADING JOB rows FOR GRAPH g {
      DEFINE FILENAME x;
      LOAD x TO VERTEX P VALUES ($0, $1, $1) USING SEPARATOR=",";
    }
    INTERPRET QUERY () FOR GRAPH g { ${inserts.join('\n')} }
  `)
})
afterAll(() => server.close())

async function gsql(text: string): Promise<void> {
  const answer = await server.request('POST', '/gsql/v1/statements', text, {
    'content-type': 'text/plain',
  })
  expect(answer.status).toBe(200)
}

async function ids(url: string): Promise<string[]> {
  const { body } = await server.request('GET', url)
  return body.results.map((one: { v_id?: string; to_id?: string }) => one.v_id ?? one.to_id)
}

const ASCENDING = ['m', 'c', 'z', 'b', 'a', 'p', 'n1', 'n2']
/** Equal ones stay in the order in which they were made. */
const DESCENDING = ['n1', 'n2', 'p', 'a', 'b', 'z', 'c', 'm']

describe('NaN in an attribute', () => {
  it('is sorted behind every number, and before with a minus', async () => {
    for (const name of ['d', 'f']) {
      const url = `/restpp/graph/g/vertices/P?sort=`
      expect(await ids(`${url}${name}`)).toEqual(ASCENDING)
      expect(await ids(`${url}-${name}`)).toEqual(DESCENDING)
      expect(await ids(`${url}${name}&limit=3`)).toEqual(ASCENDING.slice(0, 3))
      expect(await ids(`${url}-${name}&limit=3`)).toEqual(['n1', 'n2', 'p'])
    }
    expect(await ids('/restpp/graph/g/edges/P/a/E?sort=-w')).toEqual(DESCENDING)
  })

  it('is where a cursor left it, from page to page', async () => {
    for (const sort of ['d', '-d', 'f', '-f']) {
      const met: string[] = []
      let cursor = ''
      do {
        const url = `/quiver/v1/graphs/g/vertices/P?limit=1&sort=${sort}${cursor}`
        const { body } = await server.request('GET', url)
        met.push(...body.results.vertices.map((one: { v_id: string }) => one.v_id))
        cursor = body.results.cursor === null ? '' : `&cursor=${body.results.cursor}`
      } while (cursor !== '' && met.length < 20)
      const places = met.map((id) => ASCENDING.indexOf(id))
      const nan = sort.startsWith('-') ? places.slice(0, 2) : places.slice(-2)
      expect(nan.sort(), sort).toEqual([6, 7])
      expect(new Set(met).size, sort).toBe(8)
      expect(met, sort).toHaveLength(8)
    }
  })

  it('passes no condition of a filter but "is not equal"', async () => {
    const url = '/restpp/graph/g/vertices/P?sort=d&filter='
    for (const name of ['d', 'f']) {
      expect(await ids(`${url}${name}%3E0`)).toEqual(['b', 'a', 'p'])
      expect(await ids(`${url}${name}%3E=0`)).toEqual(['z', 'b', 'a', 'p'])
      expect(await ids(`${url}${name}%3C=0`)).toEqual(['m', 'c', 'z'])
      expect(await ids(`${url}${name}=3`)).toEqual(['a'])
      expect(await ids(`${url}${name}!=3`)).toEqual(['m', 'c', 'z', 'b', 'p', 'n1', 'n2'])
    }
  })

  it('is found by an index as by a scan', async () => {
    const conditions = ['s.d > 0', 's.d >= 3', 's.d < 0', 's.d <= 3', 's.d BETWEEN -1 AND 5']
    const read = async () => {
      const found: unknown[] = []
      for (const condition of [...conditions, 's.d == 3', 's.d IN (1.0, 3.0)', 's.d != 3']) {
        found.push(await answersOf(`S = SELECT s FROM P:s WHERE ${condition}; PRINT S[S.d];`))
      }
      return found
    }
    const scanned = await read()
    await gsql(`USE GLOBAL ALTER VERTEX P ADD INDEX byD ON (d)`)
    expect(await read()).toEqual(scanned)
    expect(scanned[0]).toEqual(['a', 'b', 'p'])
    expect(scanned[7]).toEqual(['b', 'c', 'm', 'n1', 'n2', 'p', 'z'])
  })

  it('cannot be sent or loaded: what no JSON number says is refused', async () => {
    const vertices = { P: { x: { d: { value: 'nan' } } } }
    const { body } = await server.request('POST', '/restpp/graph/g', { vertices })
    expect(body).toMatchObject({ error: true })
    const url = '/restpp/ddl/g?tag=rows&filename=x&sep=,&eol=%0A'
    const type = { 'content-type': 'text/plain' }
    const loaded = await server.request('POST', url, 'x,nan\n', type)
    const [row] = loaded.body.results[0].statistics.vertex
    expect(row).toMatchObject({ validObject: 0, invalidAttribute: 1 })
  })
})

async function answersOf(text: string): Promise<string[]> {
  const { body } = await server.request(
    'POST',
    '/gsqlserver/interpreted_query',
    `INTERPRET QUERY () FOR GRAPH g { ${text} }`,
    {
      'content-type': 'text/plain',
    },
  )
  return body.results[0].S.map((one: { v_id: string }) => one.v_id).sort()
}
