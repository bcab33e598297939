import { describe, expect, it } from 'vitest'
import { ById } from './by-id.ts'

describe('values by id', () => {
  const a = { name: 'a' }
  const b = { name: 'b' }

  it('are seen in the order of their ids, without holes', () => {
    const values = new ById<{ name: string }>()
    values.set(7, b)
    values.set(2, a)
    expect(values.all()).toEqual([a, b])
    expect([...values]).toEqual([a, b])
    expect(values.ids()).toEqual([2, 7])
    expect(values.get(3)).toBeUndefined()
    expect(values.get(8)).toBeUndefined()
  })

  it('leave nothing behind when deleted, also during a walk', () => {
    const values = new ById<{ name: string }>()
    values.set(1, a)
    values.set(2, b)
    for (const _value of values) values.delete(1)
    values.delete(100)
    expect([...values]).toEqual([b])
    expect(values.ids()).toEqual([2])
  })
})
