import { expect, it } from 'vitest'
import { urlPattern } from './url-pattern.ts'

const matching = (pattern: string, urls: readonly string[]) => urls.filter(urlPattern(pattern))

it('takes whole URLs, and anything where .* stands', () => {
  const urls = ['/query/acme/q1', '/query/acme/q1?p=7', '/query/acme/q12', '/x/query/acme/q1']
  expect(matching('/query/acme/q1', urls)).toEqual(['/query/acme/q1'])
  expect(matching('/query/acme/q1.*', urls)).toEqual(urls.slice(0, 3))
  expect(matching('.*', urls)).toEqual(urls)
  expect(matching('/query/.*/q1', urls)).toEqual(['/query/acme/q1'])
})

it('finds the end of a pattern at the end, wherever else it stands', () => {
  const urls = ['/query/q1/q1', '/query/acme/q1?x=/q1', '/query/q1/q2']
  expect(matching('/query/.*q1', urls)).toEqual(urls.slice(0, 2))
  expect(matching('/query.*/q1.*/q1', urls)).toEqual(urls.slice(0, 2))
})

it('counts no character twice', () => {
  expect(matching('aba.*ba', ['aba', 'abaxba', 'ababa'])).toEqual(['abaxba', 'ababa'])
  expect(matching('a.*b.*b', ['ab', 'abb'])).toEqual(['abb'])
  expect(matching('', ['', 'a'])).toEqual([''])
})
