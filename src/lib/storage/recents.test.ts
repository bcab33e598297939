import { describe, expect, it } from 'vitest'
import { RECENTS_MAX, readRecents, recentOf, unfinishedOf, withRecent } from './recents.ts'

describe('recentOf', () => {
  it('remembers what an address is about, and no passing state', () => {
    expect(recentOf('/my%20graph/explorer', '?vertex=Account%3Aa-1&pane=list', 7)).toEqual({
      address: '/my%20graph/explorer?vertex=Account%3Aa-1',
      graph: 'my graph',
      page: 'explorer',
      subject: 'Account:a-1',
      at: 7,
    })
  })

  it.each([
    ['/home', ''],
    ['/g/queries', ''],
    ['/g/queries', '?query='],
    ['/g/statistics', '?seconds=60'],
    ['/g/explorer', '?vertex=Odd:'],
    ['/g/explorer', '?vertex=:'],
  ])('forgets %s%s', (path, search) => expect(recentOf(path, search, 0)).toBeUndefined())
})

const visit = (subject: string, at: number) => recentOf('/g/queries', `?query=${subject}`, at)!

describe('withRecent', () => {
  it('has each place once, the newest first, and not too many', () => {
    let list = [visit('a', 1), visit('b', 0)] as readonly ReturnType<typeof visit>[]
    list = withRecent(list, visit('b', 2))
    expect(list.map(({ subject, at }) => [subject, at])).toEqual([
      ['b', 2],
      ['a', 1],
    ])
    for (let index = 0; index < 2 * RECENTS_MAX; index++)
      list = withRecent(list, visit(`q${index}`, 9))
    expect(list).toHaveLength(RECENTS_MAX)
  })
})

it('what is stored survives, and nonsense does not', () => {
  expect(readRecents(JSON.stringify([visit('a', 1), { address: 1 }, null]))).toEqual([
    visit('a', 1),
  ])
  expect(readRecents('{')).toEqual([])
  expect(readRecents('{}')).toEqual([])
})

it('drafts are found by their keys, of this graph only', () => {
  const keys = ['quiver.query.g.top', 'quiver.query.g.', 'quiver.query.gg.x', 'quiver.explorer.g']
  expect(unfinishedOf([...keys, 'quiver.schema-draft.g', 'quiver.preferences'], 'g')).toEqual([
    { page: 'queries', subject: 'top' },
    { page: 'queries', subject: '' },
    { page: 'explorer', subject: '' },
    { page: 'schema', subject: '' },
  ])
})
