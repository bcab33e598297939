/** A closing server answers what is in flight and then ends, whatever clients keep open. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { STOP_MS_MAX } from '#kernel/limits.ts'
import { headOf, openRaw } from '../fixtures/raw-http.ts'
import { startServer } from '../fixtures/server.ts'

it('closes as soon as requests in flight have ended, though clients keep connections', async () => {
  const server = await startServer()
  const url = await server.listen()
  const agent = new Agent({ keepAlive: true })
  const answer = statusOf(`${url}/echo?sleep=1`, agent)
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const start = performance.now()
  await server.close()
  expect(performance.now() - start).toBeLessThan(4_000)
  expect(await answer).toBe(200)
  agent.destroy()
  silent.destroy()
}, 15_000)

it('closes in time though a body never ends', async () => {
  const server = await startServer()
  const port = Number(new URL(await server.listen()).port)
  const half = openRaw(port)
  half.write(headOf('POST /gsql/v1/statements', { 'Content-Length': 1_000 }), 'LS')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const start = performance.now()
  await server.close()
  // Else the program would be abandoned.
  expect(performance.now() - start).toBeLessThan(STOP_MS_MAX - 1_000)
  await half.closed
}, 15_000)

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })
}
