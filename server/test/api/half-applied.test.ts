/** After a fault of the server inside a commit the graph is read again, or nothing is read at all. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { FrameApplication } from '#graph/mutate/apply.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
})
afterAll(() => server.close())

/** Applies an entry to its end and fails then. */
function failing(step: FrameApplication['step']) {
  return function (this: FrameApplication, isLate: () => boolean): boolean {
    step.call(this, isLate)
    throw new Error('half way')
  }
}

const person = (id: number) => ({ vertices: { Person: { [id]: {} } } })

it('reads the graph again, and answers the commit as usual', async () => {
  const { step } = FrameApplication.prototype
  const fault = vi.spyOn(FrameApplication.prototype, 'step').mockImplementationOnce(failing(step))
  expect((await server.request('POST', '/graph/acme', person(1))).status).toBe(200)
  fault.mockRestore()
  expect((await server.request('GET', '/quiver/v1/ready')).status).toBe(200)
  const { body } = await server.request('GET', '/graph/acme/vertices/Person?count_only=true')
  expect(body.results[0].count).toBe(1)
})

it('is not ready, and reads nothing, when that fails too, until it is started again', async () => {
  const { step } = FrameApplication.prototype
  const fault = vi.spyOn(FrameApplication.prototype, 'step').mockImplementation(failing(step))
  expect((await server.request('POST', '/graph/acme', person(2))).status).toBe(503)
  fault.mockRestore()
  for (const url of ['/graph/acme/vertices/Person', '/graph/acme/vertices/Person/1']) {
    const { status, body } = await server.request('GET', url)
    expect(status, url).toBe(503)
    expect(body).toMatchObject({ error: true, message: expect.stringContaining('restart') })
  }
  expect((await server.request('GET', '/quiver/v1/ready')).status).toBe(503)
  const again = await startServer({ image: server.image, queryWorkerCount: 0 })
  expect((await again.request('GET', '/quiver/v1/ready')).body.results.ready).toBe(true)
  const { body } = await again.request('GET', '/graph/acme/vertices/Person?count_only=true')
  expect(body.results[0].count).toBe(2)
  await again.close()
})
