import { describe, expect, it } from 'vitest'
import {
  readView,
  type StatisticsView,
  scrub,
  WINDOW_SECONDS_MIN,
  writeView,
  zoom,
} from './view.ts'

const live: StatisticsView = {
  ...{ seconds: 60, end: null, endpoint: null, marked: null },
  scale: 'linear',
}

describe('the view in the address', () => {
  it('survives a round trip', () => {
    const view = {
      seconds: 900,
      end: 1_700_000_000,
      scale: 'log',
      endpoint: 'GET /graph/{x}',
      marked: { from: 1_699_999_900, to: 1_699_999_930 },
    } as const
    expect(readView(writeView(view))).toEqual(view)
  })

  it('follows the last five minutes where the address is silent or wrong', () => {
    const silent = { ...live, seconds: 300 }
    expect(readView(new URLSearchParams())).toEqual(silent)
    expect(readView(new URLSearchParams('window=2.5&end=-1&scale=x'))).toEqual(silent)
  })

  it('marks no time that is empty, upside down or longer than the server keeps', () => {
    const texts = ['5', '5-5', '9-5', '5-x', '-5-9', '0-604801', '1e3-2e3', '1.5-3']
    for (const marked of texts) {
      expect(readView(new URLSearchParams({ marked })).marked, marked).toBeNull()
    }
    expect(readView(new URLSearchParams('marked=5-6')).marked).toEqual({ from: 5, to: 6 })
  })
})

describe('scrub', () => {
  it('goes half a window back from the present', () => {
    expect(scrub(live, -1, 1_000).end).toBe(970)
  })

  it('follows the present again once it is reached', () => {
    expect(scrub({ ...live, end: 980 }, 1, 1_000).end).toBeNull()
  })
})

describe('zoom', () => {
  it('looks at the part between two times', () => {
    const zoomed = zoom(live, { from: 100, to: 140 })
    expect(zoomed).toEqual({ ...live, seconds: 40, end: 140 })
    expect(readView(writeView(zoomed))).toMatchObject({ seconds: 40, end: 140 })
  })

  it('widens what is too short round its middle', () => {
    const { seconds, end } = zoom(live, { from: 100, to: 101 })
    expect(seconds).toBe(WINDOW_SECONDS_MIN)
    expect(Math.abs((end ?? 0) - seconds / 2 - 100.5)).toBeLessThanOrEqual(1)
  })
})
