import { describe, expect, it } from 'vitest'
import {
  differences,
  newItem,
  OwnerState,
  unsettledDifferences,
} from '../../tools/soak/owner-state.ts'
import { type ItemEntry, writeEdges, writeItem } from '../../tools/soak/upserts.ts'

function stateOf(...numbers: readonly number[]): OwnerState {
  const state = new OwnerState()
  for (const [index, n] of numbers.entries()) state.items.set(`a${index}`, { ...newItem, n })
  return state
}

describe('the expected state of a client', () => {
  it('differs where an element is lost, changed or too many', () => {
    expect(differences(stateOf(1, 2), stateOf(1, 2))).toEqual([])
    expect(differences(stateOf(1), stateOf(1, 2))).toHaveLength(1)
    expect(differences(stateOf(1, 3), stateOf(1, 2))).toHaveLength(1)
    expect(differences(stateOf(1, 2), stateOf(1))).toHaveLength(1)
  })

  it('takes a request without an answer as done or not done, element by element', () => {
    const ends = [stateOf(1, 1), stateOf(2, 2)] as const
    for (const found of [stateOf(1, 1), stateOf(2, 2), stateOf(1, 2)]) {
      expect(unsettledDifferences(found, ends, false)).toEqual([])
    }
    expect(unsettledDifferences(stateOf(1, 3), ends, false)).toHaveLength(1)
  })

  it('takes an atomic request without an answer as done whole or not at all', () => {
    const ends = [stateOf(1, 1), stateOf(2, 2)] as const
    expect(unsettledDifferences(stateOf(1, 1), ends, true)).toEqual([])
    expect(unsettledDifferences(stateOf(2, 2), ends, true)).toEqual([])
    expect(unsettledDifferences(stateOf(1, 2), ends, true)).toHaveLength(1)
  })

  it('loses the edges of a vertex with it', () => {
    const state = stateOf(1, 1)
    writeEdges(state, [
      { kind: 'owns', owner: 1, item: 'a0', weight: 1, isSum: false },
      { kind: 'knows', item: 'a0', other: 'a1', strength: 1 },
      { kind: 'visit', owner: 1, item: 'a0', day: 3, times: 1, isSum: false },
      { kind: 'visit', owner: 1, item: 'a1', day: 3, times: 1, isSum: false },
    ])
    state.deleteItem('a0')
    expect([...state.elements().keys()]).toEqual(['item a1', 'visit a1|3'])
  })
})

describe('operations of an upsert', () => {
  const entry = (changes: ItemEntry['changes']): ItemEntry => ({ id: 'x', client: 1, changes })

  it('take the value as it is where the vertex is new', () => {
    const state = new OwnerState()
    writeItem(state, entry([{ attribute: 'low', value: 5, op: '<' }]))
    writeItem(state, entry([{ attribute: 'peak', value: -5, op: '>' }]))
    expect(state.items.get('x')).toEqual({ ...newItem, low: 5, peak: 0 })
  })

  it('combine the value with what is there', () => {
    const state = new OwnerState()
    writeItem(state, entry([{ attribute: 'n', value: 5 }]))
    writeItem(
      state,
      entry([
        { attribute: 'n', value: 9, op: '~' },
        { attribute: 'total', value: 4, op: '+' },
        { attribute: 'low', value: -3, op: '<' },
        { attribute: 'flag', value: true, op: '|' },
        { attribute: 'tags', value: ['b', 'a', 'b'], op: '+' },
      ]),
    )
    const expected = { n: 5, total: 4, low: -3, flag: true, tags: ['b', 'a'] }
    expect(state.items.get('x')).toEqual({ ...newItem, ...expected })
  })
})
