import { describe, expect, it } from 'vitest'
import { afterGesture } from './row-selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const plain = { toggles: false, extends: false }

describe('the selection of rows', () => {
  it('is the one row that was clicked', () => {
    const before = { order, selected: new Set(['a', 'b']), anchor: 'a' }
    expect(afterGesture(before, { ...plain, key: 'd' })).toEqual({ keys: ['d'], anchor: 'd' })
  })

  it('gains and loses a row with Ctrl, and keeps rows of other tables', () => {
    const before = { order, selected: new Set(['a', 'elsewhere']), anchor: 'a' }
    const toggle = { ...plain, toggles: true }
    expect(afterGesture(before, { ...toggle, key: 'c' }).keys).toEqual(['a', 'elsewhere', 'c'])
    expect(afterGesture(before, { ...toggle, key: 'a' }).keys).toEqual(['elsewhere'])
  })

  it('reaches from the anchor with Shift, in either direction, and the anchor stays', () => {
    const before = { order, selected: new Set(['c']), anchor: 'c' }
    const extend = { ...plain, extends: true }
    expect(afterGesture(before, { ...extend, key: 'e' })).toEqual({
      keys: ['c', 'd', 'e'],
      anchor: 'c',
    })
    expect(afterGesture(before, { ...extend, key: 'a' }).keys).toEqual(['a', 'b', 'c'])
  })

  it('reaches from where the first key came from', () => {
    const before = { order, selected: new Set<string>(), anchor: null }
    const gesture = { key: 'c', from: 'b', toggles: false, extends: true }
    expect(afterGesture(before, gesture)).toEqual({ keys: ['b', 'c'], anchor: 'b' })
  })

  it('adds a range with Ctrl and Shift', () => {
    const before = { order, selected: new Set(['a']), anchor: 'd' }
    const both = { key: 'e', toggles: true, extends: true }
    expect(afterGesture(before, both).keys).toEqual(['a', 'd', 'e'])
  })

  it('starts anew when the anchor is shown no more', () => {
    const before = { order, selected: new Set(['gone']), anchor: 'gone' }
    expect(afterGesture(before, { key: 'b', toggles: false, extends: true })).toEqual({
      keys: ['b'],
      anchor: 'b',
    })
  })
})
