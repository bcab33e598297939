import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { nameExpression } from './name-expression.ts'

it('means what a regular expression of a whole name means', () => {
  const names = ['', 'a', 'ab', 'abab', 'K1', 'Knows', 'Works_At', 'a.b', 'a{', 'ä', '😀']
  for (const text of [
    ...['', 'a', 'a.*', 'K.*', '.*s', '(ab)+', '(a|b)*', 'a?b?', '[A-Z]\\w*', '[^a-z]+', '\\d'],
    ...['K\\d{1,2}', 'a{1}', '(?:ab){2}', 'a{0,}b*', '.{2,4}', '^K.*$', 'a\\.b', 'a.b', 'a|K1|'],
    ...['a{', '[.]', '((a)|(b))+', 'a+?b*?', '..', 'a$b', 'x^', '[\\w.]*', '[]', ']'],
  ]) {
    const expected = names.filter((name) => new RegExp(`^(?:${text})$`, 's').test(name))
    expect(names.filter(nameExpression(text)), text).toEqual(expected)
  }
})

it('agrees with the engine of the language on generated expressions', () => {
  const random = createRandom(41)
  const one = (from: readonly string[]) => from[random.below(from.length)]!
  const generated = (depth: number): string => {
    if (depth === 0) return one(['a', 'b', '.', '[ab]', '[^a]', '\\w'])
    const parts = Array.from({ length: 1 + random.below(2) }, () => generated(depth - 1))
    const inner = parts.join(one(['', '|']))
    return `(${inner})${one(['', '', '*', '+', '?', '{2}', '{1,3}', '{0,1}', '{2,}'])}`
  }
  for (let step = 0; step < 1_500; step++) {
    const text = generated(2)
    if (text.length > 100) continue
    const name = Array.from({ length: random.below(7) }, () => one(['a', 'b', 'c'])).join('')
    const expected = new RegExp(`^(?:${text})$`).test(name)
    expect(nameExpression(text)(name), `${text} on '${name}'`).toBe(expected)
  }
})

it('ends soon where trying one way after the other would not', () => {
  const name = 'a'.repeat(250)
  for (const text of [
    ...['(a|a)*b', '(a|a|a|a)*b', 'a*a*a*a*a*a*a*a*a*a*b', '(.?){200}c', '((((a*)*)*)*)*b'],
    ...['((a{2}|.){50}){256}b', '((a|a?){256}){256}b'],
  ]) {
    expect(nameExpression(text)(name), text).toBe(false)
  }
})

it('refuses what is none, and what looks beyond one character', () => {
  for (const text of [
    ...['(', ')', 'a)', '*', 'a**', '[', '\\', 'a{2}{3}', '{2}', 'a{2,1}', 'a{257}', 'a{257,}'],
    ...['(?=a)', '(?!a)', '(?<=a)', '(?<n>a)', '\\1', '\\ba', '\\k', '[b-a]', 'a'.repeat(101)],
  ]) {
    expect(() => nameExpression(text), text).toThrow('is no simple expression')
  }
})
