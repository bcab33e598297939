/** Scripts of any size: their limits, and what others get while they run. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyCatalog } from '#catalog/types.ts'
import {
  PARSE_INLINE_SIZE_CHARS_MAX,
  SCRIPT_COMMAND_SIZE_CHARS_MAX,
  SCRIPT_COMMANDS_MAX,
  SCRIPT_OUTPUT_SIZE_CHARS_MAX,
  SCRIPT_SIZE_CHARS_MAX,
  SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE,
} from '#kernel/limits.ts'
import { Rights } from '#services/auth/rights.ts'
import { GsqlService, type GsqlServiceOptions } from '#services/gsql/gsql-service.ts'
import type { ScriptCall } from '#services/gsql/session.ts'
import { realClock } from '../fixtures/engine.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer({ clock: realClock })
  await gsql('CREATE VERTEX V (PRIMARY_ID id STRING, a INT)\nCREATE GRAPH g (V)')
})
afterEach(() => server.close())

const send = (script: string, headers: Record<string, string> = {}) =>
  server.request('POST', '/gsql/v1/statements', script, headers)
const gsql = async (script: string) => (await send(script)).text
const schemaOfG = () => server.request('GET', '/gsql/v1/schema?graph=g')

describe('the length of a script', () => {
  it('is limited, with comments and all', async () => {
    const end = '\nVERSION'
    const script = `${'#'.padEnd(SCRIPT_SIZE_CHARS_MAX - end.length, 'x')}${end}`
    expect(script).toHaveLength(SCRIPT_SIZE_CHARS_MAX)
    expect(await gsql(script)).toContain('GSQL version')
    const { status, body } = await send(`${script} `)
    expect([status, body.error]).toEqual([413, true])
    expect(body.message).toContain('exceeds the limit of 4MB')
  })

  it('is limited wherever it comes from', async () => {
    const catalogue = { catalog: emptyCatalog }
    const service = new GsqlService({ catalogue } as GsqlServiceOptions)
    const call = { principal: { name: 'ada', graph: null, rights: new Rights(true) } }
    const long = 'x'.repeat(SCRIPT_SIZE_CHARS_MAX + 1)
    await expect(service.run(long, null, call as ScriptCall)).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: `The script is longer than ${SCRIPT_SIZE_CHARS_MAX} characters: divide it.`,
    })
  })

  it('is limited further for who has no role', async () => {
    await gsql('CREATE USER nobody WITH PASSWORD "none"')
    const headers = { authorization: `Basic ${btoa('nobody:none')}` }
    const script = 'VERSION'.padEnd(SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE)
    expect((await send(script, headers)).text).toContain('GSQL version')
    const { status, body } = await send(`${script} `, headers)
    expect([status, body.error]).toEqual([403, true])
    expect(body.message).toContain('has no role')
    await gsql('CREATE ROLE looker\nGRANT PRIVILEGE READ_SCHEMA ON GLOBAL TO looker')
    await gsql('GRANT ROLE looker TO nobody')
    expect((await send(`${script} `, headers)).text).toContain('GSQL version')
  })

  it('and of each of its commands but for texts of queries', async () => {
    const job = (sizeChars: number) => {
      const [head, tail] = ['CREATE SCHEMA_CHANGE JOB j FOR GRAPH g {', '}']
      return `${head}${' '.repeat(sizeChars - head.length - tail.length)}${tail}`
    }
    const long = await gsql(`VERSION\n${job(SCRIPT_COMMAND_SIZE_CHARS_MAX + 1)}\nVERSION`)
    expect(long).toContain(`a command is longer than ${SCRIPT_COMMAND_SIZE_CHARS_MAX} characters`)
    expect(long.match(/GSQL version/g)).toHaveLength(1)
    const fits = await gsql(`${job(SCRIPT_COMMAND_SIZE_CHARS_MAX)}\nVERSION`)
    expect(fits).not.toContain('is longer than')
    const pad = ' '.repeat(SCRIPT_COMMAND_SIZE_CHARS_MAX)
    const query = await gsql(`USE GRAPH g\nCREATE QUERY q() { PRINT 1; ${pad} }\nVERSION`)
    expect(query).toContain('Successfully created queries: [q].')
    expect(query).toContain('GSQL version')
  })

  it('and of definitions in the bodies of other calls', async () => {
    const pad = ' '.repeat(SCRIPT_COMMAND_SIZE_CHARS_MAX)
    const job = `CREATE LOADING JOB l FOR GRAPH g { ${pad} }`
    const calls = [
      await server.request('POST', '/gsql/v1/loading-jobs?graph=g', job),
      await server.request('POST', '/gsql/v1/schema/vertices', {
        gsql: `CREATE VERTEX W (PRIMARY_ID id STRING${pad})`,
      }),
    ]
    for (const { status, body } of calls) {
      expect([status, body.error]).toEqual([413, true])
      expect(body.message).toContain(`longer than ${SCRIPT_COMMAND_SIZE_CHARS_MAX} characters`)
    }
  })

  it('counts commands', async () => {
    const many = 'BEGIN\nEND\n'.repeat(SCRIPT_COMMANDS_MAX / 2 - 1)
    const text = await gsql(`${many}VERSION\nBEGIN\nVERSION`)
    expect(text).toContain(`A script has at most ${SCRIPT_COMMANDS_MAX} commands`)
    expect(text.match(/GSQL version/g)).toHaveLength(1)
  })

  it('limits what it prints', async () => {
    const text = await gsql(`${'HELP\n'.repeat(40_000)}`)
    expect(text.length).toBeLessThan(SCRIPT_OUTPUT_SIZE_CHARS_MAX + 1_000)
    expect(text).toContain(
      `The script was ended: it prints more than ${SCRIPT_OUTPUT_SIZE_CHARS_MAX} characters.`,
    )
  })
})

describe('while a long script runs', () => {
  it('others are answered between its commands', async () => {
    for (const count of [1, 3]) {
      let running = count
      const scripts = Array.from({ length: count }, () =>
        send(`USE GRAPH g\n${'LS\n'.repeat(20_000)}`).finally(() => {
          running -= 1
        }),
      )
      for (let reads = 0; reads < 20; reads++) expect((await schemaOfG()).status).toBe(200)
      expect(running).toBe(count)
      await Promise.all(scripts)
    }
  })

  it('others are answered while it is read', async () => {
    let isRunning = true
    const script = send(`VERSION\n${'BEGIN\nEND\n'.repeat(45_000)}`).finally(() => {
      isRunning = false
    })
    for (let reads = 0; reads < 5; reads++) expect((await schemaOfG()).status).toBe(200)
    expect(isRunning).toBe(true)
    expect((await script).text).toContain('GSQL version')
  })
})

describe('a line that begins like the call of another script', () => {
  it('is read in a time that grows with its length', async () => {
    const line = `@x.gsql${' '.repeat(200_000)}x`
    expect(await gsql(line)).toContain('Encountered "@x"')
    const dots = `@${'.gsql'.repeat(100_000)} x`
    expect(await gsql(dots)).toContain('Syntax Error')
    expect(await gsql('@x.gsql ; ')).toContain('directory')
    expect(line.length).toBeGreaterThan(PARSE_INLINE_SIZE_CHARS_MAX)
  })
})
