import { describe, expect, it } from 'vitest'
import { Rights } from './rights.ts'

describe('rights', () => {
  it('of nobody allow nothing', () => {
    const rights = new Rights(false)
    expect(rights.allows('READ_DATA', 'g')).toBe(false)
    expect(rights.allows('READ_DATA', null)).toBe(false)
    expect(rights.allowsSomeType('READ_DATA', 'g')).toBe(false)
    expect(rights.allowsOnSomeGraph('READ_DATA')).toBe(false)
  })

  it('on a graph count there, everywhere on each graph', () => {
    const rights = new Rights(false)
    rights.add('READ_DATA', 'g', null)
    rights.add('READ_SCHEMA', null, null)
    expect(rights.allows('READ_DATA', 'g')).toBe(true)
    expect(rights.allows('READ_DATA', 'h')).toBe(false)
    expect(rights.allows('READ_DATA', null)).toBe(false)
    expect(rights.allowsOnSomeGraph('READ_DATA')).toBe(true)
    expect(rights.allowsType('READ_DATA', 'g', 'V')).toBe(true)
    expect(rights.allows('READ_SCHEMA', 'h')).toBe(true)
    expect(rights.allows('READ_SCHEMA', null)).toBe(true)
  })

  it('on a type never stand for the whole graph', () => {
    const rights = new Rights(false)
    rights.add('READ_DATA', 'g', 'V')
    rights.add('READ_DATA', null, 'W')
    expect(rights.allows('READ_DATA', 'g')).toBe(false)
    expect(rights.allowsOnSomeGraph('READ_DATA')).toBe(false)
    expect(rights.allowsType('READ_DATA', 'g', 'V')).toBe(true)
    expect(rights.allowsType('READ_DATA', 'h', 'V')).toBe(false)
    expect(rights.allowsType('READ_DATA', 'h', 'W')).toBe(true)
    expect(rights.allowsType('DELETE_DATA', 'g', 'V')).toBe(false)
    expect(rights.typesWith('READ_DATA', 'g')).toEqual(['V', 'W'])
    expect(rights.allowsSomeType('READ_DATA', 'h')).toBe(true)
  })

  it('cover others that reach no further', () => {
    const graph = new Rights(false)
    graph.add('READ_DATA', 'g', null)
    const type = new Rights(false)
    type.add('READ_DATA', 'g', 'V')
    const everywhere = new Rights(false)
    everywhere.add('READ_DATA', null, null)
    const typeEverywhere = new Rights(false)
    typeEverywhere.add('READ_DATA', null, 'V')
    const nobody = new Rights(false)
    const boss = new Rights(true)
    const all = { nobody, type, typeEverywhere, graph, everywhere, boss }
    const covered = Object.entries(all).map(([name, rights]) => [
      name,
      Object.entries(all).flatMap(([other, less]) => (rights.covers(less) ? other : [])),
    ])
    expect(Object.fromEntries(covered)).toEqual({
      nobody: ['nobody'],
      type: ['nobody', 'type'],
      typeEverywhere: ['nobody', 'type', 'typeEverywhere'],
      graph: ['nobody', 'type', 'graph'],
      everywhere: ['nobody', 'type', 'typeEverywhere', 'graph', 'everywhere'],
      boss: Object.keys(all),
    })
  })

  it('of a superuser have no end', () => {
    expect(new Rights(true).allows('DROP_ALL', null)).toBe(true)
    expect(new Rights(true).allowsType('READ_DATA', 'g', 'V')).toBe(true)
  })
})
