import { describe, expect, it } from 'vitest'
import { showInList } from './query-list.tsx'

const boxed = (top: number, height: number) => ({
  getBoundingClientRect: () => ({ top, bottom: top + height }),
})

/** Of a list that is seen from 50 to 250 and is scrolled by 100. */
function scrolledTo(itemTop: number): number {
  const list = { ...boxed(50, 200), scrollTop: 100 }
  const item = { ...boxed(itemTop, 34), closest: () => list }
  showInList(item as unknown as HTMLElement)
  return list.scrollTop
}

describe('showInList', () => {
  it('scrolls the list as far as the item needs, and no further', () => {
    expect(scrolledTo(120)).toBe(100)
    expect(scrolledTo(240)).toBe(124)
    expect(scrolledTo(30)).toBe(80)
  })
})
