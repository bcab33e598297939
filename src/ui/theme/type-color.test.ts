import { describe, expect, it } from 'vitest'
import { typeMarks } from './type-color.tsx'

const slots = (vertexTypes: readonly string[], edgeTypes: readonly string[] = []) =>
  [...typeMarks({ vertexTypes, edgeTypes }).values()].map((mark) => mark.slot)

describe('typeMarks', () => {
  it('gives vertex types the first slots and edge types the next', () => {
    expect(slots(['Account', 'Card'], ['Has_Card', 'Uses'])).toEqual([1, 2, 6, 7])
  })

  it('gives twelve types of a kind twelve colours', () => {
    const names = Array.from({ length: 12 }, (_, index) => `Type${index}`)
    expect(new Set(slots(names)).size).toBe(12)
    expect(new Set(slots([], names)).size).toBe(12)
  })

  it('never recolours an old type when a new one comes', () => {
    const edgeTypes = ['TRANSFER']
    const before = typeMarks({ vertexTypes: ['Account', 'Card', 'Merchant'], edgeTypes })
    const vertexTypes = ['Account', 'Card', 'Merchant', 'Device', 'Phone', 'City', 'Street']
    const after = typeMarks({ vertexTypes, edgeTypes })
    for (const [name, mark] of before) expect(after.get(name)).toEqual(mark)
  })

  it('begins again after twelve', () => {
    const names = Array.from({ length: 40 }, (_, index) => `T${index}`)
    expect(slots(names).every((slot) => slot >= 1 && slot <= 12)).toBe(true)
  })
})
