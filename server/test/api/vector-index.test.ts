/** An HNSW index of a vector attribute, as a client meets it. */
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { createMemoryImage } from '#storage/memory/memory-store.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** More than 68 vectors for each of 64 candidates: an index pays. */
const COUNT = 4_500
const DIMENSION = 128
const LATENT = 8
/** Of two attributes the larger has an index. */
const vectorIndexFromNumbers = 300_000
const random = createRandom(7)
const any = (length: number) => Array.from({ length }, () => random.next() * 2 - 1)
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const directions = Array.from({ length: DIMENSION }, () => any(LATENT))
/** Of few degrees of freedom, as embeddings of texts are. */
const some = () => {
  const latent = any(LATENT)
  return directions.map((direction) => Number(dot(direction, latent).toFixed(4)))
}

let server: TestServer

const start = (image = createMemoryImage()) => startServer({ image, vectorIndexFromNumbers })

async function upsert(vertices: Record<string, object>): Promise<void> {
  const { body } = await server.request('POST', '/restpp/graph/g', { vertices: { Doc: vertices } })
  expect(body.error).toBe(false)
}

const status = async (path = '', query = '') =>
  (await server.request('GET', `/restpp/vector/status${path}${query}`)).body

async function ready(): Promise<void> {
  while ((await status('/g/Doc/emb')).results.NeedRebuildServers.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function searchCount(): Promise<number> {
  const { text } = await server.request('GET', '/informant/metrics')
  return Number(/^quiver_vector_searches_indexed_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

const near = async (query: readonly number[], options = '') => {
  const text = `INTERPRET QUERY () FOR GRAPH g SYNTAX v3 {
    MapAccum<VERTEX, FLOAT> @@d;
    C = {Doc.*}; C = SELECT c FROM C:c WHERE c.page < ${COUNT};
    few = SELECT c FROM C:c WHERE c.page < 100;
    S = vectorSearch({Doc.emb}, [${query}], 10, {distance_map: @@d, ef: 64${options}}); PRINT @@d; }`
  const { body } = await server.request('POST', '/gsql/v1/queries/interpret', text)
  expect(body).toMatchObject({ error: false })
  return body.results[0]['@@d'] as Record<string, number>
}

const vectors = Array.from({ length: COUNT }, some)

function exact(query: readonly number[], among: readonly (readonly number[])[]): string[] {
  const cosine = (a: readonly number[], b: readonly number[]) =>
    1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
  return [...among.keys()]
    .map((i) => ({ id: `d${i}`, distance: cosine(query, among[i]!) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 10)
    .map(({ id }) => id)
}

beforeEach(async () => {
  server = await start()
  const setup = `
    CREATE VERTEX Doc (name STRING PRIMARY KEY, page INT)
    CREATE GLOBAL SCHEMA_CHANGE JOB add_vectors {
      ALTER VERTEX Doc ADD VECTOR ATTRIBUTE emb(DIMENSION=${DIMENSION}, INDEXTYPE="HNSW");
      ALTER VERTEX Doc ADD VECTOR ATTRIBUTE small(DIMENSION=2);
    }
    RUN GLOBAL SCHEMA_CHANGE JOB add_vectors
    CREATE GRAPH g (*)`
  await server.request('POST', '/gsql/v1/statements', setup)
  const given = vectors.map((value, i) => [`d${i}`, { page: { value: i }, emb: { value } }])
  await upsert(Object.fromEntries(given))
})
afterEach(() => server.close())

describe('a vector attribute with an index', () => {
  it('tells that it is being made, and is searched exactly until it is there', async () => {
    expect(await status('/g/Doc/emb')).toMatchObject({
      error: false,
      message: 'fetched status success',
      code: 'REST-0000',
      results: { NeedRebuildServers: ['GPE_1#1'] },
    })
    const verbose = 'NeedRebuildInstances({SEGID}_{VECTOR_ID})'
    const { results } = await status('/g/Doc', '?verbose=true')
    expect(results[verbose]).toEqual({ 'GPE_1#1': [expect.stringMatching(/^0_\d+$/)] })
    expect((await status('/g/Doc/small')).results).toEqual({ NeedRebuildServers: [] })
    const query = some()
    expect(Object.keys(await near(query))).toHaveLength(10)
    await ready()
    expect((await status('', '?verbose=true')).results).toEqual({
      NeedRebuildServers: [],
      [verbose]: {},
    })
  })

  it('is named by the plans that use it', async () => {
    const searches = async (search: string) => {
      const text = `INTERPRET QUERY (INT k = 3) FOR GRAPH g SYNTAX v3 {
        C = {Doc.*}; few = SELECT c FROM C:c WHERE c.page == 100 AND c.name == "d100";
        S = {Doc.*} INTERSECT ${search}; PRINT S.size(); }`
      const { body } = await server.request('POST', '/quiver/v1/queries/explain', text)
      expect(body.error, body.message).toBe(false)
      const [step] = body.results.steps.filter((one: { result: string }) => one.result === 'S')
      return step.vectorSearches
    }
    const ofAll = `vectorSearch({Doc.emb}, [${some()}], 10, {ef: 64})`
    const search = { attribute: 'Doc.emb', candidates: COUNT, width: null }
    expect(await searches(ofAll)).toEqual([{ ...search, method: 'building' }])
    await ready()
    expect(await searches(ofAll)).toEqual([{ ...search, method: 'index', width: 64 }])
    expect(await searches('vectorSearch({Doc.small}, [1, 2], k)')).toEqual([
      { ...search, attribute: 'Doc.small', method: 'scan' },
    ])
    const ofFew = `vectorSearch({Doc.emb}, [${some()}], 10, {candidate_set: few, ef: 64})`
    expect(await searches(ofFew)).toEqual([{ ...search, candidates: 45, method: 'scan' }])
    expect(await searches('{Doc.*}')).toEqual([])
  })

  it('finds nearly all of the nearest, after writes and after a restart too', async () => {
    const check = async () => {
      await ready()
      const before = await searchCount()
      const queries = Array.from({ length: 20 }, some)
      let hits = 0
      for (const query of queries) {
        const found = await near(query)
        hits += exact(query, vectors).filter((id) => id in found).length
      }
      expect(hits / 200).toBeGreaterThanOrEqual(0.95)
      expect(await searchCount()).toBe(before + 20)
    }
    await check()
    // A vertex is found at its new place at once, not at its old one, and not when it is gone.
    const [here, there] = [some(), some()]
    await upsert({ d5: { emb: { value: here } }, d6: { emb: { value: there } } })
    expect((await near(here))['d5']).toBeLessThan(1e-6)
    expect(Object.keys(await near(vectors[5]!))).not.toContain('d5')
    await server.request('DELETE', '/restpp/graph/g/vertices/Doc/d6')
    expect(Object.keys(await near(there))).not.toContain('d6')
    await upsert({ d5: { emb: { value: vectors[5] } }, d6: { emb: { value: vectors[6] } } })
    await server.close()
    server = await start(server.image)
    await check()
  })

  it('is not asked about few candidates, and survives the loss of its process', async () => {
    await ready()
    const query = some()
    const before = await searchCount()
    const few = await near(query, ', candidate_set: few')
    expect(Object.keys(few).sort()).toEqual(exact(query, vectors.slice(0, 100)).sort())
    expect(await searchCount()).toBe(before)
    process.kill(server.vectors.processId!, 'SIGKILL')
    const found = await near(query)
    expect(Object.keys(found).sort()).toEqual(exact(query, vectors).sort())
    server.clock.advance(1_000)
    await ready()
    await near(query)
    expect(await searchCount()).toBe(before + 1)
  })
})
