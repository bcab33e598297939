import { expect, it } from 'vitest'
import { readPlacedJson } from './json-places.ts'

it.each([
  ['{}'],
  ['[]'],
  [' { "a" : [1, -2.5e3, true, null, "x\\"\\u00e4\\n"], "b": {"c": []} } '],
  ['"__proto__"'],
  ['{"__proto__": 1, "constructor": {}}'],
])('reads what is JSON as the browser does: %s', (text) => {
  const read = readPlacedJson(text)
  expect(read).toMatchObject({ ok: true })
  expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)))
})

it('keeps whole numbers to the last digit', () => {
  const read = readPlacedJson('[18446744073709551615, 7, 1.5]')
  expect(read.ok && read.value).toEqual([18446744073709551615n, 7, 1.5])
})

it('survives brackets without an end', () => {
  const message = 'This is nested too deep.'
  expect(readPlacedJson('['.repeat(1_000_000))).toMatchObject({ ok: false, message })
})

it('tells where each member stands, its name included', () => {
  const text = '{"a": [1, {"b": "c"}]}'
  const read = readPlacedJson(text)
  if (!read.ok) throw new Error(read.message)
  const list = (read.value as { a: [number, object] }).a
  const cut = (owner: object, key: string | number) => {
    const { from, to } = read.placeOf(owner, key)
    return text.slice(from, to)
  }
  expect(cut(list, 1)).toBe('{"b": "c"}')
  expect(cut(list[1], 'b')).toBe('"b": "c"')
})

it.each([
  ['', 'A value belongs here.', 0],
  ['{"a": }', 'A value belongs here.', 6],
  ['{"a" 1}', 'A colon belongs here.', 5],
  ['{"a": 1 "b": 2}', 'A comma or } belongs here.', 8],
  ['{"a": 1,}', 'A name in quotes belongs here.', 8],
  ['{a: 1}', 'A name in quotes belongs here.', 1],
  ['[1, 2', 'A comma or ] belongs here.', 5],
  ['[1, ]', 'A value belongs here.', 4],
  ['[01]', 'This is not JSON.', 1],
  ['[1.]', 'This is not JSON.', 1],
  ["['x']", 'This is not JSON.', 1],
  ['["x]', 'This is not JSON.', 1],
  ['["\\x"]', 'This is not JSON.', 1],
  ['{"a": 1, "a": 2}', 'a stands here twice.', 9],
  ['{} {}', 'The text ends before this.', 3],
])('says what is wrong with %s, and where', (text, message, from) => {
  expect(readPlacedJson(text)).toMatchObject({ ok: false, message, from })
  const isTwice = message.includes('twice')
  if (!isTwice) expect(() => JSON.parse(text)).toThrow()
})
