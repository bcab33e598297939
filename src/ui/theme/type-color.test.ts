import { describe, expect, it } from 'vitest'
import { typeMarks } from './type-color.tsx'

const slots = (names: readonly string[]) => [...typeMarks(names).values()].map((mark) => mark.slot)

describe('typeMarks', () => {
  it('gives twelve types twelve colours', () => {
    const names = Array.from({ length: 12 }, (_, index) => `Type${index}`)
    expect(new Set(slots(names)).size).toBe(12)
  })

  it('never recolours an old type when a new one comes', () => {
    const before = typeMarks(['Account', 'Card', 'Merchant'])
    const after = typeMarks(['Account', 'Card', 'Merchant', 'Device', 'TRANSFER'])
    for (const [name, mark] of before) expect(after.get(name)).toEqual(mark)
  })

  it('begins again after twelve instead of failing', () => {
    const names = Array.from({ length: 40 }, (_, index) => `T${index}`)
    expect(slots(names).every((slot) => slot >= 1 && slot <= 12)).toBe(true)
  })
})
