import { describe, expect, it } from 'vitest'
import { readView, scrub, writeView } from './view.ts'

describe('the view in the address', () => {
  it('survives a round trip', () => {
    const view = { seconds: 900, end: 1_700_000_000, scale: 'log' } as const
    expect(readView(writeView(view))).toEqual(view)
  })

  it('follows the last five minutes where the address is silent or wrong', () => {
    const live = { seconds: 300, end: null, scale: 'linear' }
    expect(readView(new URLSearchParams())).toEqual(live)
    expect(readView(new URLSearchParams('window=7&end=-1&scale=x'))).toEqual(live)
  })
})

describe('scrub', () => {
  const live = { seconds: 60, end: null, scale: 'linear' } as const

  it('goes half a window back from the present', () => {
    expect(scrub(live, -1, 1_000).end).toBe(970)
  })

  it('follows the present again once it is reached', () => {
    expect(scrub({ ...live, end: 980 }, 1, 1_000).end).toBeNull()
  })
})
