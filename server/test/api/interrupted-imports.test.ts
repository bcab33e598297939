/** Imports that a crash or a failure cuts short: the same import goes on, over nothing but its own remains. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryImage, type MemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { fillRichGraph } from '../fixtures/rich-graph.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

let directory: string
let source: TestServer

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-imports-'))
  source = await startServer({ exportsDirectory: directory })
  await fillRichGraph(source)
  await source.request('POST', '/gsql/v1/users', { username: 'ada', password: 'a long password' })
  const users = { users: true, schema: true, template: true, data: true, password: 'for-export' }
  const answer = await source.request('POST', '/gsql/v1/db-export', { path: 'all', ...users })
  expect(answer.body).toMatchObject({ error: false })
})
afterAll(async () => {
  await source.close()
  rmSync(directory, { recursive: true })
})

/** A store that notes its durable state after every change. */
class NotingStore extends MemoryStore {
  readonly states: MemoryImage[] = []

  #note(): void {
    const { log, blobs, documents } = this.image
    const copies = [...documents].map(([name, own]) => [name, new Map(own)] as const)
    this.states.push({
      ...this.image,
      log: [...log],
      blobs: new Map(blobs),
      documents: new Map(copies),
    })
  }

  override async append(payload: Uint8Array): Promise<number> {
    const sequence = await super.append(payload)
    this.#note()
    return sequence
  }

  override async putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    await super.putDocument(collection, key, bytes)
    this.#note()
  }

  override async deleteDocument(collection: string, key: string): Promise<void> {
    await super.deleteDocument(collection, key)
    this.#note()
  }
}

const importAll = (at: TestServer, more: object = {}) =>
  at.request('POST', '/gsql/v1/db-import', { path: 'all', password: 'for-export', ...more })
const gsql = async (at: TestServer, script: string) =>
  (await at.request('POST', '/gsql/v1/statements', script)).text
const imports = async (at: TestServer) =>
  (await at.request('GET', '/quiver/v1/imports')).body.results

async function contentOf(at: TestServer) {
  const urls = [
    '/gsql/v1/queries/info?graph=acme',
    '/gsql/v1/loading-jobs?graph=acme',
    '/gsql/v1/loading-jobs/load_people?graph=acme',
    '/gsql/v1/schema/graphs/acme',
    '/gsql/v1/schema/graphs/other',
    '/gsql/v1/data-sources?graph=acme',
    '/gsql/v1/users',
  ]
  const answers = await Promise.all(urls.map((url) => at.request('GET', url)))
  const bodies = answers.map(({ body }, index) => {
    expect(body, urls[index]).toMatchObject({ error: false })
    const { version: _, ...rest } = body
    return rest
  })
  return { elements: dump(at.engine.view(), at.engine.catalog).sort(), bodies }
}

async function withServer<T>(
  options: Parameters<typeof startServer>[0],
  work: (server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startServer({ exportsDirectory: directory, queryWorkerCount: 0, ...options })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

/** The durable states that an import goes through, the empty one first. */
async function statesOfImport(): Promise<readonly MemoryImage[]> {
  const store = new NotingStore(createMemoryImage())
  return await withServer({ store }, async (server) => {
    const before = store.states.length
    expect((await importAll(server)).body).toMatchObject({ error: false })
    return store.states.slice(Math.max(0, before - 1))
  })
}

describe('an import that was cut short by a crash', () => {
  it('is known, and goes on to the same content, wherever it was cut', async () => {
    const states = await statesOfImport()
    const wanted = await contentOf(source)
    expect(states.length).toBeGreaterThan(10)
    let known = 0
    let rounds = 0
    for (const [index, image] of states.entries()) {
      // Each takes a start and an import: some of them, the first ones and the last ones.
      if (index % 4 !== 0 && index > 3 && index < states.length - 4) continue
      rounds += 1
      await withServer({ image }, async (server) => {
        const listed = await imports(server)
        known += listed.length
        if (listed.length > 0) {
          expect(listed, `state ${index}`).toMatchObject([{ path: 'all', state: 'INTERRUPTED' }])
        }
        if (index === states.length - 1) expect(listed).toEqual([])
        else {
          const { body } = await importAll(server)
          expect(body, `state ${index}`).toMatchObject({ error: false })
        }
        expect(await contentOf(server), `state ${index}`).toEqual(wanted)
        expect(await imports(server)).toEqual([])
        if (index > 0) return
        expect((await importAll(server)).body).toMatchObject({ error: true, code: 'NAME_TAKEN' })
      })
    }
    expect(known).toBeGreaterThan(rounds / 2)
  }, 120_000)

  it('does not go on over what somebody has changed since', async () => {
    const states = await statesOfImport()
    const image = states[states.length - 3]!
    const changes = [
      'USE GRAPH acme CREATE OR REPLACE QUERY adults(INT least) FOR GRAPH acme { PRINT least; }',
      'USE GRAPH acme DROP JOB load_people CREATE LOADING JOB load_people FOR GRAPH acme { DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, $1, _, _, _, _, _, _, _, _, _, _); }',
      'USE GRAPH acme CREATE SCHEMA_CHANGE JOB c FOR GRAPH acme { ADD VERTEX Later (PRIMARY_ID n STRING); } RUN SCHEMA_CHANGE JOB c',
      'DROP GRAPH other CASCADE CREATE GRAPH other (Person)',
    ]
    for (const change of changes) {
      await withServer({ image: copyOf(image) }, async (server) => {
        await gsql(server, change)
        const before = await dump(server.engine.view(), server.engine.catalog)
        const { body } = await importAll(server)
        expect(body, change).toMatchObject({ error: true, code: 'NAME_TAKEN' })
        expect(dump(server.engine.view(), server.engine.catalog)).toEqual(before)
      })
    }
  }, 60_000)

  it('begins anew where everything was dropped, or the store was cleared', async () => {
    const states = await statesOfImport()
    const wanted = await contentOf(source)
    for (const change of ['DROP ALL', 'CLEAR GRAPH STORE']) {
      await withServer({ image: copyOf(states[states.length - 3]!) }, async (server) => {
        await gsql(server, change)
        expect((await importAll(server)).body, change).toMatchObject({ error: false })
        expect(await contentOf(server)).toEqual(wanted)
      })
    }
  }, 60_000)
})

describe('an import that failed', () => {
  it('is listed with why, and goes on when it is repeated', async () => {
    const store = new NotingStore(createMemoryImage())
    await withServer({ store }, async (server) => {
      const put = store.putDocument.bind(store)
      store.putDocument = async (collection, key, bytes) => {
        if (collection === 'users' || collection === 'gsql-jobs') throw new Error('no space')
        await put(collection, key, bytes)
      }
      expect((await importAll(server)).body.error).toBe(true)
      expect(await imports(server)).toMatchObject([{ path: 'all', state: 'FAILED' }])
      store.putDocument = put
      expect((await importAll(server)).body).toMatchObject({ error: false })
      expect(await contentOf(server)).toEqual(await contentOf(source))
    })
  })

  it('before it has changed anything leaves no mark', async () => {
    await withServer({}, async (server) => {
      await gsql(server, 'CREATE GRAPH acme()')
      expect((await importAll(server)).body).toMatchObject({ error: true, code: 'NAME_TAKEN' })
      expect(await imports(server)).toEqual([])
    })
  })

  it('is not begun twice at the same time', async () => {
    await withServer({}, async (server) => {
      const [one, other] = await Promise.all([importAll(server), importAll(server)])
      const errors = [one.body, other.body].map(({ error }) => error).sort()
      expect(errors).toEqual([false, true])
      expect(await contentOf(server)).toEqual(await contentOf(source))
    })
  })
})

describe('an export that was cut short', () => {
  it('leaves nothing behind after the next start', async () => {
    for (const path of ['half.partial', 'deep/half.partial', 'deep/whole']) {
      mkdirSync(join(directory, path), { recursive: true })
      writeFileSync(join(directory, path, 'vertices.jsonl'), 'x')
    }
    await withServer({}, async (server) => {
      expect(readdirSync(directory).sort()).toEqual(['all', 'deep'])
      expect(readdirSync(join(directory, 'deep'))).toEqual(['whole'])
      const { body } = await server.request('POST', '/gsql/v1/db-export', { path: 'x.partial' })
      expect(body).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
    })
  })
})

function copyOf(image: MemoryImage): MemoryImage {
  const documents = [...image.documents].map(([name, own]) => [name, new Map(own)] as const)
  return {
    ...image,
    log: [...image.log],
    blobs: new Map(image.blobs),
    documents: new Map(documents),
  }
}
