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
