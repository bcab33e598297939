import { afterEach, expect, it } from 'vitest'
import { positions } from './positions.ts'

const told = (position: string) => new Headers({ 'x-quiver-position': position })

afterEach(() => positions.forget())

it('hands on the highest position of the answers, in whatever order they come', () => {
  expect(positions.after()).toBeNull()
  positions.note(new Headers())
  expect(positions.after()).toBeNull()
  positions.note(told('7'))
  positions.note(told('12'))
  positions.note(told('9'))
  positions.note(told('no number'))
  positions.note(new Headers())
  expect(positions.after()).toBe('12')
})

it('begins anew when a position is not reached', () => {
  positions.note(told('12'))
  positions.forget()
  expect(positions.after()).toBeNull()
  positions.note(told('3'))
  expect(positions.after()).toBe('3')
})
