import { describe, expect, it, vi } from 'vitest'
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

  it('copies a mebibyte at a time where its writer can wait, and loses nothing', () => {
    const sink = new JsonSink(64 * 2 ** 20)
    const set = vi.spyOn(Uint8Array.prototype, 'set')
    let pieces = 0
    try {
      for (let row = 0; row < 100_000; row++) {
        if (row % 256 === 255) for (const _piece of sink.moreRoom()) pieces++
        sink.text(String(row).padStart(100, '.'))
      }
      const lengths = set.mock.calls.map(([values]) => values.length)
      expect(Math.max(...lengths)).toBeLessThanOrEqual(2 ** 20)
    } finally {
      set.mockRestore()
    }
    expect(pieces).toBeGreaterThan(8)
    const text = Buffer.from(sink.finish()).toString('latin1')
    const rows = text.match(/\d+/g)!.map(Number)
    expect(rows.length).toBe(100_000)
    expect(rows.every((row, index) => row === index)).toBe(true)
  })

  it('refuses more room past its limit', () => {
    const sink = new JsonSink(2 ** 21, 2 ** 22)
    sink.raw(new Uint8Array(2 ** 22))
    const grow = () => [...sink.moreRoom()]
    expect(grow).toThrow(expect.toSatisfy((error) => isDbError(error, 'RESPONSE_TOO_LARGE')))
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
