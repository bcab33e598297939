/** Scripts that nobody waits for: what is known of them later. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  DETACHED_SCRIPT_KEPT_MS_MAX,
  DETACHED_SCRIPT_TEXT_CHARS_MAX,
  DETACHED_SCRIPTS_KEPT_PER_USER_MAX,
} from '#kernel/limits.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements', script)).text
const start = async (text: string) =>
  (await server.request('POST', '/gsql/v1/statements?async=true', text)).body.requestId
const state = async (id: string) =>
  (await server.request('GET', `/gsql/v1/statements/${encodeURIComponent(id)}`)).body
const done = async (text: string) => {
  const id = await start(text)
  await expect.poll(async () => (await state(id)).message).toContain('is finished')
  return id
}

describe('scripts', () => {
  it('are known after a restart, with what they printed', async () => {
    await gsql('CREATE GRAPH g()')
    const ended = await done('SHOW GRAPH *')
    const before = await state(ended)
    const running = await start('INTERPRET QUERY () FOR GRAPH g { WHILE true DO INT i = 0; END; }')
    // Not closed: as a process that is killed.
    const killed = server
    server = await startServer({ image: server.image })
    expect(await state(ended)).toEqual(before)
    expect(before.results).toContain('Graph g()')
    const interrupted = await state(running)
    expect(interrupted.message).toContain('finished with status FAILED')
    expect(interrupted.results).toContain('The server ended while the script ran.')
    await killed.close()
  })

  it('are forgotten when they are old', async () => {
    const first = await done('VERSION')
    server.clock.advance(DETACHED_SCRIPT_KEPT_MS_MAX)
    const second = await done('VERSION')
    expect((await state(first)).results).toContain('GSQL version')
    server.clock.advance(1)
    await done('VERSION')
    expect((await state(first)).code).toBe('REQUEST_NOT_FOUND')
    expect((await state(second)).results).toContain('GSQL version')
  })

  it('of one user push out his own ones, and none of others', async () => {
    await gsql('CREATE USER ada WITH PASSWORD "ada"')
    const ada = { authorization: `Basic ${Buffer.from('ada:ada').toString('base64')}` }
    const url = '/gsql/v1/statements?async=true'
    const mine = await done('VERSION')
    const ids: string[] = []
    for (let count = 0; count <= DETACHED_SCRIPTS_KEPT_PER_USER_MAX; count++) {
      ids.push((await server.request('POST', url, 'VERSION', ada)).body.requestId)
    }
    const codeOf = async (id: string) =>
      (await server.request('GET', `/gsql/v1/statements/${id}`, undefined, ada)).body.code
    expect(await codeOf(ids[0]!)).toBe('REQUEST_NOT_FOUND')
    expect(await codeOf(ids[1]!)).toBeUndefined()
    expect((await state(mine)).results).toContain('GSQL version')
  })

  it('are listed with the beginning of a long text', async () => {
    const help = await gsql('HELP')
    const count = Math.ceil(DETACHED_SCRIPT_TEXT_CHARS_MAX / help.length) + 1
    const { results } = await state(await done('HELP\n'.repeat(count)))
    expect(results).toHaveLength(DETACHED_SCRIPT_TEXT_CHARS_MAX + '\n…\n'.length)
    const { results: short } = await state(await done('HELP'))
    expect(short).toBe(help)
  })
})
