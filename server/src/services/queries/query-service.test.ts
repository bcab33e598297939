import { beforeEach, describe, expect, it } from 'vitest'
import { LocalDocuments } from '#storage/documents.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { QueryService } from './query-service.ts'

let queries: QueryService
let documents: LocalDocuments

beforeEach(async () => {
  documents = new LocalDocuments(new MemoryStore())
  queries = await QueryService.open({ documents, catalogue: { catalog: tinySocial } })
})

const text = (value: number, more = '') => `CREATE ${more} QUERY q() { PRINT ${value}; }`
const create = (value: number, more = '', install = true) =>
  queries.create('social', text(value, more), install)

describe('changes that are asked for at once', () => {
  it('give a name to one query only', async () => {
    const outcomes = await Promise.allSettled([create(1), create(2), create(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await queries.read('social', 'q')).queryContent).toContain('PRINT 1')
  })

  it('do not bring back a query that is being dropped', async () => {
    await create(1, '', false)
    await Promise.all([
      queries.drop('social', ['q']),
      queries.install('social', ['*']),
      queries.describe('social', 'q', { text: 'late' }).catch(() => undefined),
    ])
    expect(queries.list('social')).toEqual([])
    const again = await QueryService.open({ documents, catalogue: { catalog: tinySocial } })
    expect(again.list('social')).toEqual([])
  })

  it('keep the text of a replacement when the old one is described or installed', async () => {
    await create(1, '', false)
    await Promise.all([
      create(2, 'OR REPLACE'),
      queries.install('social', ['q']),
      queries.describe('social', 'q', { text: 'about it' }),
    ])
    expect((await queries.read('social', 'q')).queryContent).toContain('PRINT 2')
    expect(queries.descriptions('social', ['q'])).toMatchObject([{ description: 'about it' }])
  })

  it('go on after one that failed', async () => {
    await expect(create(1, 'nonsense')).rejects.toThrow()
    await expect(create(1)).resolves.toContain('Successfully created')
  })
})

describe('the text of a query', () => {
  const kept = async (name: string) => (await queries.read('social', name)).queryContent

  it('is kept with the comments around it', async () => {
    const whole = '// Who?\n/* of all */\nCREATE QUERY q() { PRINT 1; }\n# the end'
    await queries.create('social', `\n${whole}\n`, true)
    expect(await kept('q')).toBe(whole)
  })

  it('begins with the comments before it where there are several', async () => {
    const [one, two] = [
      '# one\nCREATE QUERY f() { PRINT 1; }',
      '# two\nCREATE QUERY g() { PRINT 2; }',
    ]
    await queries.create('social', `${one}\n\n${two}\n`, true)
    expect([await kept('f'), await kept('g')]).toEqual([one, two])
  })
})

describe('what is told of a query', () => {
  it('names those that call it, and whether it changes the graph', async () => {
    await queries.create('social', 'CREATE QUERY f(VERTEX<Person> v) { v.age = 1; }', true)
    await queries.create('social', 'CREATE QUERY g(VERTEX<Person> v) { f(v); }', true)
    await queries.create('social', 'CREATE QUERY h() { PRINT 1; }', true)
    const told = await queries.info('social', [], null)
    expect(
      told.map(({ name, graphUpdate, callerQueries }) => [name, graphUpdate, callerQueries]),
    ).toEqual([
      ['f', true, ['g']],
      ['g', true, []],
      ['h', false, []],
    ])
  })

  it('is disabled while what it calls is gone', async () => {
    await queries.create('social', 'CREATE QUERY f(INT x) RETURNS (INT) { RETURN x; }', true)
    await queries.create('social', 'CREATE QUERY g() { PRINT f(1); }', true)
    await queries.drop('social', ['f'])
    expect(await queries.info('social', ['g'], null)).toMatchObject([{ enabled: false }])
    await queries.create('social', 'CREATE QUERY f(INT x) RETURNS (INT) { RETURN x + 1; }', true)
    expect(await queries.info('social', ['g'], null)).toMatchObject([{ enabled: true }])
  })
})
