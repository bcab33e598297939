/** A vertex of a hundred thousand neighbours, as the explorer pages through it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

const NEIGHBOURS = 100_000
const BATCH = 5_000
const PAGE = 1_000

let server: TestServer
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterEach(() => server.close())

it('is paged to its end without repeat or gap, while others write to it', async () => {
  await makeHub()
  for (let start = 0; start < NEIGHBOURS; start += BATCH) {
    await link(Array.from({ length: BATCH }, (_, place) => `leaf-${start + place}`))
  }
  const url = '/quiver/v1/graphs/star/vertices/Hub/h/neighbours'
  const seen: string[] = []
  let cursor = ''
  let pages = 0
  do {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const kind = `edge_type=Has&direction=out&target_type=Leaf&limit=${PAGE}`
    const { body, text } = await server.request('GET', `${url}?${kind}${from}`)
    expect(body.error, text.slice(0, 200)).toBe(false)
    expect(body.results.edges.length).toBeLessThanOrEqual(PAGE)
    for (const { to_id } of body.results.edges) seen.push(to_id)
    cursor = body.results.cursor ?? ''
    pages++
    if (pages % 10 === 0) await link([`late-${pages}`])
  } while (cursor !== '')

  const there = seen.filter((id) => id.startsWith('leaf-'))
  expect(there.length).toBe(NEIGHBOURS)
  expect(new Set(seen).size).toBe(seen.length)
  expect(pages).toBeLessThanOrEqual(NEIGHBOURS / PAGE + 1)
}, 120_000)

async function makeHub(): Promise<void> {
  const type = (Name: string) => ({
    Name,
    PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
    Attributes: [],
  })
  const has = { Name: 'Has', IsDirected: true, FromVertexTypeName: 'Hub', ToVertexTypeName: 'Leaf' }
  await post('/gsql/v1/schema/graphs?graphName=star', {})
  await post('/gsql/v1/schema/change?graph=star', {
    addVertexTypes: [type('Hub'), type('Leaf')],
    addEdgeTypes: [{ ...has, Attributes: [] }],
  })
}

async function link(ids: readonly string[]): Promise<void> {
  const leaves = Object.fromEntries(ids.map((id) => [id, {}]))
  await post('/restpp/graph/star', { edges: { Hub: { h: { Has: { Leaf: leaves } } } } })
}

async function post(url: string, body: object): Promise<void> {
  const answer = await server.request('POST', url, body)
  if (answer.body.error !== false) throw new Error(`${url}: ${answer.text}`)
}
