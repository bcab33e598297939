/** What a search of the console asks: what it would look at, by which index, and what was meant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIMILAR_ROWS_MAX } from '#services/vertices/similar-ids.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

const PEOPLE = 500
const vertices = '/quiver/v1/graphs/g/vertices/P'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  const attribute = (name: string, type: string) => ({
    AttributeName: name,
    AttributeType: { Name: type },
  })
  const type = (Name: string, id: string) => ({
    Name,
    PrimaryId: attribute('id', id),
    Attributes: [attribute('age', 'INT'), attribute('name', 'STRING'), attribute('tall', 'BOOL')],
  })
  await send('POST', '/gsql/v1/schema/vertices', {
    createVertices: [type('P', 'STRING'), type('N', 'UINT')],
  })
  await send('POST', '/gsql/v1/schema/graphs?graphName=g', {
    VertexTypes: ['P', 'N'],
    EdgeTypes: [],
  })
  const people = Array.from({ length: PEOPLE }, (_, n) => [
    `p-${1_000 + n}`,
    { age: { value: n % 50 }, name: { value: `name ${n}` } },
  ])
  await send('POST', '/restpp/graph/g', {
    vertices: { P: Object.fromEntries(people), N: { 42: {}, 420: {}, '18446744073709551615': {} } },
  })
  await send('POST', '/gsql/v1/schema/indexes?graph=g', {
    vertex: 'P',
    addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
  })
})
afterAll(() => server.close())

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) {
  const answer = await server.request(method, url, body)
  expect(answer.body.error, answer.text.slice(0, 300)).toBe(false)
  return answer.body.results
}
const get = (url: string) => send('GET', url)
const plan = (filter: string) => get(`${vertices}/plan?filter=${encodeURIComponent(filter)}`)
const ids = ({ vertices: rows }: { vertices: { v_id: string }[] }) => rows.map(({ v_id }) => v_id)

describe('the plan of a filter', () => {
  it.each([
    ['age=7', { index: 'by_age', rows: 10, unindexed: [], pending: [] }],
    ['age>=48,name="name 48"', { index: 'by_age', rows: 20, unindexed: [], pending: [] }],
    ['name="name 3"', { index: null, rows: PEOPLE, unindexed: ['name'], pending: [] }],
    ['age!=3', { index: null, rows: PEOPLE, unindexed: [], pending: [] }],
    ['name>"b",tall=true', { index: null, rows: PEOPLE, unindexed: ['tall'], pending: [] }],
    ['P="x"', null],
  ])('%s', async (filter, expected) => {
    if (expected !== null) return expect(await plan(filter)).toEqual(expected)
    const { status, body } = await server.request(
      'GET',
      `${vertices}/plan?filter=${encodeURIComponent(filter)}`,
    )
    expect([status, body.error]).toEqual([400, true])
    expect(body.message).toContain("'P'")
  })
})

describe('a listing by an index', () => {
  it('gives the rows of a scan, page by page, and names the index', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await get(`${vertices}?limit=4&filter=age%3C2${from}`)
      expect(page.index).toBe('by_age')
      seen.push(...ids(page))
      cursor = page.cursor ?? ''
      await send('DELETE', '/restpp/graph/g/vertices/P/p-1450')
    } while (cursor !== '')
    const scan = await get(`${vertices}?limit=1000`)
    expect(scan.index).toBeNull()
    const young = ids(scan).filter((id) => Number(id.slice(2)) % 50 < 2)
    expect(seen).toEqual(young)
    expect(seen).toHaveLength(19)
  })

  it('counts as one use of the index, however many its pages', async () => {
    const usage = async () => (await get('/quiver/v1/indexes/usage?graph=g')).indexes[0].uses
    const before = await usage()
    const { cursor } = await get(`${vertices}?limit=1&filter=age=4`)
    await get(`${vertices}?limit=1&filter=age=4&cursor=${encodeURIComponent(cursor)}`)
    await plan('age=4')
    expect(await usage()).toBe(before + 1)
  })
})

describe('attributes whose index is missed', () => {
  it('are those that reads and queries have looked through row by row', async () => {
    const missed = async () => (await get('/quiver/v1/indexes/usage?graph=g')).missed
    const before = await missed()
    const filter = encodeURIComponent('name="name 3",age!=4')
    await get(`${vertices}?filter=${filter}`)
    await get(`/restpp/graph/g/vertices/P?filter=${filter}`)
    await get(`${vertices}?filter=age%3D4`)
    await get(`${vertices}?filter=age!%3D4`)
    await plan('name="x"')
    expect(before).toEqual([])
    expect(await missed()).toMatchObject([{ vertex: 'P', attribute: 'name', scans: 2 }])
    const index = { indexName: 'by_name', attributeName: 'name' }
    const change = { vertex: 'P', addIndexAttributes: [index] }
    await send('POST', '/gsql/v1/schema/indexes?graph=g', change)
    expect(await missed()).toEqual([])
    await send('DELETE', '/gsql/v1/schema/indexes?graph=g&vertex=P&index=by_name')
    expect(await missed()).toHaveLength(1)
  })
})

describe('ids that resemble', () => {
  const similar = (query: string) => get(`/quiver/v1/graphs/g/similar?${query}`)

  it('begins with a keystroke beside, then what it is the beginning of', async () => {
    const found = await similar('id=p-1O41&type=P&limit=3')
    expect(ids(found)).toContain('p-1041')
    expect(found.complete).toBe(true)
    expect(ids(await similar('id=P-10&limit=20'))).toHaveLength(20)
  })

  it('finds the id that only another type has, and numbers by their digits', async () => {
    expect(await similar('id=p-1001&type=N')).toMatchObject({
      vertices: [{ v_type: 'P', v_id: 'p-1001', attributes: { age: 1 } }],
    })
    expect(ids(await similar('id=1844674407370955161&type=N'))).toEqual(['18446744073709551615'])
    expect(ids(await similar('id=43&type=N'))).toEqual(['42'])
  })

  it('finds nothing where nothing resembles, and refuses an unknown type', async () => {
    expect(await similar('id=zzzzzzzz')).toEqual({ vertices: [], complete: true })
    expect(await similar('id=%20')).toEqual({ vertices: [], complete: true })
    const { status } = await server.request('GET', '/quiver/v1/graphs/g/similar?id=x&type=Q')
    expect(status).toBe(400)
    const none = await server.request('GET', '/quiver/v1/graphs/g/similar')
    expect(none.body.message).toContain('id')
  })

  it('says when it has not looked at all', async () => {
    const many = Object.fromEntries(
      Array.from({ length: SIMILAR_ROWS_MAX }, (_, n) => [String(1_000 + n), {}]),
    )
    await send('POST', '/restpp/graph/g', { vertices: { N: many } })
    expect(await similar('id=9999999&type=N')).toMatchObject({ complete: false })
  })
  it('names an index that is not ready, until it is', async () => {
    await send('POST', '/gsql/v1/schema/indexes?graph=g', {
      vertex: 'N',
      addIndexAttributes: [{ indexName: 'n_age', attributeName: 'age' }],
    })
    // Of a value that every row has, a scan serves even then.
    const planned = () => get('/quiver/v1/graphs/g/vertices/N/plan?filter=age%3D7')
    expect(await planned()).toMatchObject({ index: null, unindexed: [], pending: ['n_age'] })
    await expect.poll(async () => (await planned()).index).toBe('n_age')
    expect((await planned()).pending).toEqual([])
  })
})
