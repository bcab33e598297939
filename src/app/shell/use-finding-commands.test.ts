import { describe, expect, it } from 'vitest'
import { typesNamed } from './use-finding-commands.ts'

describe('typesNamed', () => {
  it('finds types by a part of their name, however it is written, beginnings first', () => {
    expect(typesNamed(['Has_Card', 'Card', 'Account'], 'card')).toEqual(['Card', 'Has_Card'])
    expect(typesNamed(['Has_Card', 'Card', 'Account'], 'nope')).toEqual([])
  })

  it('offers a few of many', () => {
    const many = Array.from({ length: 200 }, (_, index) => `Type_${index}`)
    expect(typesNamed(many, 'type')).toEqual(many.slice(0, 5))
  })
})
