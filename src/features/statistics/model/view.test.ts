import { describe, expect, it } from 'vitest'
import { readView, scrub, WINDOW_SECONDS_MIN, writeView, zoom } from './view.ts'

describe('the view in the address', () => {
  it('survives a round trip', () => {
    const view = {
      seconds: 900,
      end: 1_700_000_000,
      scale: 'log',
      endpoint: 'GET /graph/{x}',
    } as const
    expect(readView(writeView(view))).toEqual(view)
  })

  it('follows the last five minutes where the address is silent or wrong', () => {
    const live = { seconds: 300, end: null, scale: 'linear', endpoint: null }
    expect(readView(new URLSearchParams())).toEqual(live)
    expect(readView(new URLSearchParams('window=2.5&end=-1&scale=x'))).toEqual(live)
  })
})

describe('scrub', () => {
  const live = { seconds: 60, end: null, scale: 'linear', endpoint: null } as const

  it('goes half a window back from the present', () => {
    expect(scrub(live, -1, 1_000).end).toBe(970)
  })

  it('follows the present again once it is reached', () => {
    expect(scrub({ ...live, end: 980 }, 1, 1_000).end).toBeNull()
  })
})

describe('zoom', () => {
  const live = { seconds: 60, end: null, scale: 'linear', endpoint: null } as const

  it('looks at the part between two times, whichever came first', () => {
    expect(zoom(live, 100, 140)).toEqual({ ...live, seconds: 40, end: 140 })
    expect(zoom(live, 140, 100)).toEqual(zoom(live, 100, 140))
    expect(readView(writeView(zoom(live, 100, 140)))).toMatchObject({ seconds: 40, end: 140 })
  })

  it('widens what is too short round its middle', () => {
    const { seconds, end } = zoom(live, 100, 101)
    expect(seconds).toBe(WINDOW_SECONDS_MIN)
    expect(Math.abs((end ?? 0) - seconds / 2 - 100.5)).toBeLessThanOrEqual(1)
  })
})
