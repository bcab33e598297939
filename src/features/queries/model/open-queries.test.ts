import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  closing,
  type OpenQueries,
  openWith,
  readOpen,
  showing,
  writeOpen,
} from './open-queries.ts'

const three = openWith(['a', 'b', 'c'], 'b')

/** As the page does it: what comes instead is shown afterwards. */
function close(open: OpenQueries, name: string): OpenQueries {
  const { open: after, next } = closing(open, name)
  return next === null ? after : showing(after, next)
}

describe('open queries', () => {
  it('open at the end, and keep their places', () => {
    const more = showing(three, 'd')
    expect([more.names, more.shown]).toEqual([['a', 'b', 'c', 'd'], 'd'])
    const back = showing(more, 'a')
    expect([back.names, back.shown]).toEqual([['a', 'b', 'c', 'd'], 'a'])
    expect(new Set([three.key, more.key, back.key]).size).toBe(3)
  })

  it('close, the shown one for its right neighbour or else its left', () => {
    expect(close(three, 'a')).toEqual({ ...three, names: ['b', 'c'] })
    const right = close(three, 'b')
    expect([right.names, right.shown]).toEqual([['a', 'c'], 'c'])
    const left = close(right, 'c')
    expect([left.names, left.shown]).toEqual([['a'], 'a'])
    expect(close(left, 'a')).toMatchObject({ names: [''], shown: '' })
  })

  it('leave a new query that is alone', () => {
    const alone = openWith([], '')
    expect(closing(alone, '')).toEqual({ open: alone, next: '' })
  })

  it('stay until what comes instead is there', () => {
    const { open, next } = closing(three, 'b')
    expect([open.names, open.shown, next]).toEqual([['a', 'b', 'c'], 'b', 'c'])
  })

  it('take a new name in their place, with their editor', () => {
    const made = { ...openWith(['a', '', 'c'], ''), coming: 'first' }
    const named = showing(made, 'first')
    expect(named).toEqual({ ...made, names: ['a', 'first', 'c'], shown: 'first', coming: null })
    // Over one that is open it leaves a single tab.
    expect(showing({ ...made, coming: 'a' }, 'a').names).toEqual(['a', 'c'])
    // Who looked at another one meanwhile is not taken back.
    expect(showing(made, 'c')).toMatchObject({ names: ['a', '', 'c'], shown: 'c', coming: null })
  })
})

describe('the browser', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
    return () => vi.unstubAllGlobals()
  })

  it('keeps which are open, for each graph', () => {
    expect(readOpen('g')).toBeNull()
    writeOpen('g', three)
    expect(readOpen('g')).toEqual({ names: ['a', 'b', 'c'], shown: 'b' })
    expect(readOpen('h')).toBeNull()
  })

  it('takes nothing that is no list of names', () => {
    for (const text of ['{', '7', '{"names":"a","shown":"a"}', '{"names":[1],"shown":"a"}']) {
      stored.set('quiver.open.g', text)
      expect(readOpen('g'), text).toBeNull()
    }
  })
})
