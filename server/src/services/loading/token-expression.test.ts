import { expect, it } from 'vitest'
import { tokenExpression } from './token-expression.ts'

it('takes what ends soon', () => {
  for (const [source, text] of [
    ['^(?:\\d+)$', '123'],
    ['^([A-Z][a-z]{2,5} ?)$', 'Abc '],
    ['^(?:(foo|bar|qux)+)$', 'barfoo'],
    ['^(?:(ab){2}c*)$', 'ababcc'],
    ['^(?:([0-9][0-9])*)$', '1234'],
    ['^(?:a|ab|\\(x\\))$', '(x)'],
    ['^(?:[()*+|]+)$', '(*|'],
    ['(\\w+)@(\\w+)', 'me@here'],
  ]) {
    expect(tokenExpression(source as string, '').test(text as string), source).toBe(true)
  }
  expect('a1b22'.replace(tokenExpression('([0-9]+)', 'g'), '<$1>')).toBe('a<1>b<22>')
})

it('refuses what could be tried in too many ways', () => {
  for (const source of [
    ...['(a|a)*b', '(a|ab)*c', '(\\w|\\d)+x', '(.|a)*b', '(|a)*b', '(a|)+b'],
    ...['(a*a?)*b', '(a+)+b', '((a|a))*b', '((a)*)*b', '(a?){30}b', '(?:a|a)*b', '(a{2})*b'],
    ...['(a)\\1', '(?=a)b', '(?<!a)b', '(?<n>a)\\k<n>', '(', 'x'.repeat(201)],
  ]) {
    expect(() => tokenExpression(source, ''), source).toThrow('is no expression that can be used')
  }
})

it('matches in a time that grows with the length, whatever stands in a row', () => {
  const text = 'a'.repeat(5_000)
  for (const source of [
    `^(?:${'.*'.repeat(60)}x)$`,
    `^(?:${'a?'.repeat(60)}a{60}b)$`,
    `^(?:${'[^,]*,?'.repeat(20)}x)$`,
    `^(?:${'.{0,99}'.repeat(8)}x)$`,
    '.*.*.*.*x',
  ]) {
    expect(tokenExpression(source, '').test(text), source).toBe(false)
  }
})

it('counts beyond what the linear engine knows', () => {
  for (const [source, fits, fails] of [
    ['^[0-9]{20}$', '1'.repeat(20), '1'.repeat(19)],
    ['^\\d{16,33}x$', `${'1'.repeat(33)}x`, `${'1'.repeat(34)}x`],
    ['^a{40,}$', 'a'.repeat(100), 'a'.repeat(39)],
    ['^b?a{17}$', 'a'.repeat(17), 'a'.repeat(18)],
    ['^a{16}$', 'a'.repeat(16), 'a'.repeat(17)],
    ['^[a{20}]$', '2', '1'],
  ] as const) {
    const expression = tokenExpression(source, '')
    expect([expression.test(fits), expression.test(fails)], source).toEqual([true, false])
  }
  expect(() => tokenExpression('(?:ab){17}', '')).toThrow('is no expression that can be used')
})
