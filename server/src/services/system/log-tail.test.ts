import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { LOG_TAIL_LINES_MAX, LogTail } from './log-tail.ts'
import { withoutCredentials } from './without-credentials.ts'

function logged() {
  const tail = new LogTail()
  const logger = pino({ level: 'debug' }, tail)
  const texts = (filter: object) => tail.read({ limit: 100, ...filter }).map(({ text }) => text)
  return { tail, logger, texts }
}

describe('the tail of the log', () => {
  it('has the newest lines, oldest first, with their level and what else they hold', () => {
    const { tail, logger } = logged()
    logger.info({ requestId: 'r1', status: 200 }, 'request')
    logger.error({ err: new Error('disk on fire') }, 'rebuild failed')
    const [request, failure] = tail.read({ limit: 10 })
    expect(request).toMatchObject({ number: 0, level: 'info', text: 'request' })
    expect(JSON.parse(request!.details)).toEqual({ requestId: 'r1', status: 200 })
    expect(failure).toMatchObject({ number: 1, level: 'error', text: 'rebuild failed' })
    expect(failure!.details).toContain('disk on fire')
    expect(Math.abs(failure!.timeMs - Date.now())).toBeLessThan(60_000)
  })

  it('is filtered by level and text, and read page by page', () => {
    const { logger, texts, tail } = logged()
    for (let i = 0; i < 10; i++)
      logger[i % 2 === 0 ? 'warn' : 'debug']({ part: `P${i}` }, `line ${i}`)
    expect(texts({ level: 'warn' })).toEqual(['line 0', 'line 2', 'line 4', 'line 6', 'line 8'])
    expect(texts({ search: 'p7' })).toEqual(['line 7'])
    expect(texts({ limit: 2 })).toEqual(['line 8', 'line 9'])
    expect(tail.read({ limit: 2, before: 8 }).map(({ number }) => number)).toEqual([6, 7])
    expect(texts({ before: 0 })).toEqual([])
  })

  it('finds quotes and what is hidden as stars, never what is hidden', () => {
    const { logger, texts } = logged()
    logger.warn({ url: 'a"b' }, 'said "no" with token=Hunter2')
    for (const search of ['said "NO"', 'token=****', 'a\\"b', '"url"']) {
      expect(texts({ search }), search).toHaveLength(1)
    }
    expect(texts({ search: 'hunter2' })).toEqual([])
  })

  it('forgets the oldest beyond its limit', () => {
    const { logger, texts } = logged()
    for (let i = 0; i <= LOG_TAIL_LINES_MAX; i++) logger.warn(`line ${i}`)
    const all = texts({ limit: 10_000 })
    expect(all).toHaveLength(LOG_TAIL_LINES_MAX)
    expect([all[0], all.at(-1)]).toEqual(['line 1', `line ${LOG_TAIL_LINES_MAX}`])
  })

  it('shows a line that is no JSON, and cuts one without end', () => {
    const { tail, texts, logger } = logged()
    tail.write('out of memory, token=abc')
    logger.warn('x'.repeat(100_000))
    expect(texts({})[0]).toBe('out of memory, token=****')
    expect(texts({})[1]!.length).toBeLessThan(20_000)
  })
})

describe('without credentials', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'
  it.each([
    `Authorization: Bearer ${jwt}`,
    'authorization: Basic YWRhOkh1bnRlcjI=',
    'GSQL-Secret Hunter2abc',
    `the token '${jwt}' is expired`,
    'GET /x?password=Hunter2&y=1',
    'CREATE USER ada WITH PASSWORD "Hunter2"',
    "secret 'Hunter2'",
    '{"password": "Hunter2", "x": 1}',
    '{\\"secret\\":\\"Hunter2\\"}',
    'https://ada:Hunter2@example.org/x',
  ])('%s', (text) => {
    const shown = String(withoutCredentials(text))
    for (const secret of ['Hunter2', 'YWRhOkh1bnRlcjI', 'c2lnbmF0dXJl', 'eyJ']) {
      expect(shown).not.toContain(secret)
    }
    expect(shown).toContain('****')
  })

  it('empties fields that are named so, at any depth, and leaves the rest', () => {
    const held = {
      req: { headers: { cookie: 'a=b', accept: '*' } },
      apiKey: 'k',
      list: [{ pass: 1 }],
    }
    expect(withoutCredentials(held)).toEqual({
      req: { headers: { cookie: '****', accept: '*' } },
      apiKey: '****',
      list: [{ pass: '****' }],
    })
    expect(withoutCredentials('3 tokens were read of people.csv')).toBe(
      '3 tokens were read of people.csv',
    )
  })
})
