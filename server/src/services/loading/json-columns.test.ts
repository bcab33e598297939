import { describe, expect, it } from 'vitest'
import { LOAD_JSON_VALUES_MAX } from '#kernel/limits.ts'
import { JsonColumns } from './json-columns.ts'
import { LineLimit } from './line-limits.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
const read = (line: string, ...paths: string[][]) => new JsonColumns(paths).read(line)

describe('the columns of a JSON line', () => {
  it('are those that the job reads, numbers as they were written', () => {
    const line =
      '{"a":{"b":{"c":9007199254740993,"d":1},"e":2},"f":[1.50,"x",{"g":true}],"h":null,"z":3}'
    expect(plain(read(line, ['a', 'b', 'c'], ['f'], ['h'], ['missing']))).toEqual({
      a: { b: { c: '9007199254740993' } },
      f: ['1.50', 'x', { g: true }],
      h: null,
    })
    expect(plain(read(line, ['a', 'b', 'c'], ['a']))).toMatchObject({
      a: { b: { d: '1' }, e: '2' },
    })
    expect(plain(read(line, ['a'], ['a', 'e']))).toMatchObject({ a: { e: '2' } })
  })

  it('have the last value of a name that repeats', () => {
    expect(plain(read('{"a":1,"a":2}', ['a']))).toEqual({ a: '2' })
    expect(plain(read('{"a":{"b":1},"a":2}', ['a', 'b']))).toEqual({})
  })

  it('are not there where the line is no JSON object, read or not', () => {
    for (const line of [
      ...['', ' ', '[]', '1', '"x"', 'null', '{', '{}x', '{"a":1}{}', '{a:1}', "{'a':1}"],
      ...['{"a":1,}', '{"a":01}', '{"a":tru}', '{"a":"\n"}', '{"a":"\\x"}', '{"z":[1,]}'],
      ...[`{"z":${'['.repeat(100)}${']'.repeat(100)}}`, '{"a":1} // text', '{"a" 1}'],
    ]) {
      expect(read(line, ['a']), line).toBeNull()
    }
    expect(plain(read(' {"a" : "\\u00e9\\n" } ', ['a']))).toEqual({ a: 'é\n' })
    expect(plain(read('{"\\u0061":1}', ['a']))).toEqual({ a: '1' })
    expect(plain(read('{"__proto__":1}', ['__proto__']))).toBeDefined()
  })

  it('hold so many values, and what is not read any number', () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => '0').join(',')}]`
    const most = read(`{"x":${list(LOAD_JSON_VALUES_MAX)}}`, ['x'])
    expect(most?.['x']).toHaveLength(LOAD_JSON_VALUES_MAX)
    const many = list(LOAD_JSON_VALUES_MAX + 1)
    expect(() => read(`{"x":${many}}`, ['x'])).toThrow(LineLimit)
    expect(plain(read(`{"x":${many},"id":7}`, ['id']))).toEqual({ id: '7' })
    const commas = `"${','.repeat(LOAD_JSON_VALUES_MAX + 1)}\\""`
    expect(read(`{"x":${commas}}`, ['x'])?.['x']).toHaveLength(LOAD_JSON_VALUES_MAX + 2)
  })
})
