/** Two servers over one store give no two requests the same id, though their clocks say the same. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { createAcme } from '../fixtures/server.ts'
import { caughtUp, type SharedServer, startListening } from '../fixtures/shared-servers.ts'

let image: SharedImage
let a: SharedServer
let b: SharedServer

function start(name: string): Promise<SharedServer> {
  // The clock of a test stands still: both begin at the same millisecond.
  return startListening(image, name, { queryWorkerCount: 0 })
}

beforeAll(async () => {
  image = new SharedImage()
  a = await start('a')
  b = await start('b')
  await createAcme(b)
  const query = await b.request('POST', '/gsql/v1/queries?graph=acme', 'CREATE QUERY q() { }')
  expect(query.body, query.text).toMatchObject({ error: false })
  const job = `USE GRAPH acme CREATE LOADING JOB j FOR GRAPH acme {
    DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, _); }`
  expect((await b.request('POST', '/gsql/v1/statements', job)).text).toContain('j')
}, 120_000)
afterAll(async () => {
  await b?.close()
  await a?.close()
})

async function handOver(from: SharedServer, to: SharedServer): Promise<void> {
  await from.store.shared.resign()
  await expect.poll(() => to.store.role, { timeout: 60_000 }).toBe('writer')
}

/** Runs the job over a line, and tells under which id. */
async function load(server: SharedServer): Promise<string> {
  const url = '/restpp/ddl/acme?tag=j&filename=f&sep=,'
  const fed = await server.request('POST', url, '7,x\n')
  expect(fed.body, fed.text).toMatchObject({ error: false })
  const { body } = await server.request('GET', '/gsql/v1/loading-jobs/status?graph=acme')
  return body.results[0].overall.id
}

async function install(server: SharedServer): Promise<string> {
  const url = '/gsql/v1/queries/install?graph=acme&queries=q&async=true'
  const { body, text } = await server.request('POST', url)
  expect(body, text).toMatchObject({ error: false })
  return body.requestId
}

it('whichever of them writes', async () => {
  const loads = [await load(a)]
  const installations = [await install(a)]
  await handOver(a, b)
  loads.push(await load(b))
  installations.push(await install(b))
  expect(new Set(loads).size).toBe(2)
  expect(new Set(installations).size).toBe(2)
  await caughtUp(a, image)
  for (const server of [a, b]) {
    for (const id of installations) {
      const { body, text } = await server.request('GET', `/gsql/v1/queries/install/${id}`)
      expect(body, text).toMatchObject({ error: false, requestId: id, state: 'SUCCESS' })
    }
  }
})
