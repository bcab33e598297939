import { describe, expect, it } from 'vitest'
import { iconSvg, typeIcon, typeInitials } from './type-icons.ts'

describe('typeIcon', () => {
  it.each([
    ['Account', 'Customer'],
    ['credit_card', 'Card'],
    ['Cities', 'city'],
    ['CustomerAddress', 'Address'],
  ])('gives %s the icon of %s', (name, other) => {
    expect(typeIcon(name)).not.toBeNull()
    expect(typeIcon(name)).toBe(typeIcon(other))
  })

  it('has none for a name without a known word', () => {
    expect(typeIcon('Xyzzy')).toBeNull()
    expect(typeIcon('')).toBeNull()
  })
})

it.each([
  ['Xyzzy', 'X'],
  ['HasCard', 'HC'],
  ['has_card_of', 'HC'],
  ['学校', '学'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(typeInitials(name)).toBe(initials)
})

it('writes shapes and letters as SVG', () => {
  expect(iconSvg({ icon: typeIcon('Card'), initials: 'C' }, '#fff')).toMatch(/^<svg [^>]+><rect /)
  expect(iconSvg({ icon: null, initials: '<&' }, '#fff')).toContain('>&lt;&amp;</text>')
})
