import { describe, expect, it } from 'vitest'
import { doubleJson } from '#graph/columns/json.ts'
import { isDbError } from '#kernel/errors.ts'
import { JsonSink } from './json-sink.ts'

function written(write: (sink: JsonSink) => void): string {
  const sink = new JsonSink(1_000_000, 8)
  write(sink)
  return Buffer.from(sink.finish()).toString('utf8')
}

describe('JsonSink', () => {
  it('writes short and long text of every plane of Unicode', () => {
    const texts = ['', 'plain', 'é', 'plain then 語', '😀'.repeat(30), 'x'.repeat(100)]
    const all = written((sink) => {
      for (const text of texts) sink.text(text)
    })
    expect(all).toBe(texts.join(''))
  })

  it('writes DATETIME as text in quotes', () => {
    expect(written((sink) => sink.datetime(1_700_000_000))).toBe('"2023-11-14 22:13:20"')
  })

  it('escapes strings that need it', () => {
    const text = 'a"b\\c\n語'
    const bytes = Buffer.from(text)
    expect(written((sink) => sink.string(bytes, 0, bytes.length))).toBe(JSON.stringify(text))
  })

  it('refuses to grow past its limit', () => {
    const sink = new JsonSink(100, 8)
    const fill = () => {
      for (let i = 0; i < 100; i++) sink.text('0123456789')
    }
    expect(fill).toThrow(expect.toSatisfy((error) => isDbError(error, 'RESPONSE_TOO_LARGE')))
  })
})

describe('doubleJson', () => {
  it('is a number for the largest, which sixteen digits would round to infinity', () => {
    expect(doubleJson(Number.MAX_VALUE)).toBe('1.7976931348623157e+308')
    expect(doubleJson(-Number.MAX_VALUE)).toBe('-1.7976931348623157e+308')
  })

  it('rounds to 16 digits, however few a value needs', () => {
    let state = 1
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state
    }
    for (let i = 0; i < 20_000; i++) {
      const digits = 1 + (next() % 17)
      const value = Number((next() / 3 + next() / 1e10).toPrecision(digits)) * 10 ** (next() % 20)
      if (Number.isInteger(value) && value < 1e15) continue
      expect(doubleJson(value)).toBe(String(Number(value.toPrecision(16))))
    }
  })
})
