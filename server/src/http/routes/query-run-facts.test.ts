import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryApp, queryApp } from '../../../test/fixtures/query-app.ts'

let app: QueryApp
const call: QueryApp['call'] = (...given) => app.call(...given)
const create: QueryApp['create'] = (...given) => app.create(...given)

beforeAll(async () => {
  app = await queryApp()
})

afterAll(async () => {
  await app.close()
})

describe('the times of a run', () => {
  it('stand in a header of its answer, whatever runs it', async () => {
    await create(
      'CREATE OR REPLACE QUERY timed(INT n) { INT i = 0; WHILE i < n DO i = i + 1; END; }',
    )
    const text = 'INTERPRET QUERY () FOR GRAPH social { PRINT 1; }'
    for (const answer of [
      await app.text('GET', '/query/social/timed?n=200000'),
      await app.text('POST', '/gsql/v1/queries/interpret', text),
    ]) {
      const told = String(answer.headers['server-timing'])
      expect(told).toMatch(
        /^prepare;dur=[\d.]+, queue;dur=[\d.]+, execute;dur=[\d.]+, commit;dur=[\d.]+$/,
      )
      const [, execute] = /execute;dur=([\d.]+)/.exec(told) ?? []
      expect(Number(execute)).toBeGreaterThan(0)
    }
    const refused = await app.text('GET', '/query/social/timed?n=x')
    expect(refused.headers['server-timing']).toBeUndefined()
  })
})

describe('runs', () => {
  it('tell their parameters and memory while they run, and how they ended', async () => {
    await create(`CREATE OR REPLACE QUERY hoard(STRING tag, INT n) {
      ListAccum<INT> @@kept; INT i = 0;
      WHILE i < n DO i = i + 1; IF i < 200000 THEN @@kept += i; END; END;
    }`)
    const run = call('POST', '/query/social/hoard', '{"tag": "x", "n": 9007199254740993}')
    let listed: Record<string, unknown> | undefined
    await expect
      .poll(async () => {
        const { results } = await call('GET', '/gsql/v1/queries/running')
        listed = results[0]
        // So old that the log of slow runs will have it.
        return Number(listed?.['elapsedTime']) > 150 ? listed?.['memoryBytes'] : 0
      })
      .toBeGreaterThan(800_000)
    expect(listed).toMatchObject({
      user: 'tigergraph',
      parameters: '{"tag":"x","n":9007199254740993}',
    })
    await call('DELETE', `/gsql/v1/queries/running/${listed?.['requestid']}`)
    expect(await run).toMatchObject({ error: true })
    const { results } = await call('GET', '/quiver/v1/queries/slow?graph=social&limit=1')
    expect(results.runs).toHaveLength(1)
    expect(results.runs[0]).toMatchObject({
      requestId: listed?.['requestid'],
      url: '/query/social/hoard',
      outcome: 'aborted',
    })
  })
})
