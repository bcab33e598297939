import { describe, expect, it } from 'vitest'
import type { Attribute, AttributeType, TupleType } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { Versions } from '../memory/versions.ts'
import { encodeNested, tupleLookup } from '../mutate/frame-values.ts'
import type { Column } from './column.ts'
import { jsonAt } from './json.ts'
import { makeColumn } from './make-column.ts'
import { stringAt, valueAt } from './read.ts'

const addr: TupleType = {
  name: 'Addr',
  fields: [
    { name: 'street', type: 'STRING' },
    { name: 'no', type: 'INT' },
    { name: 'on', type: 'DATETIME' },
  ],
}

function column(type: AttributeType, parts: Partial<Attribute> = {}, versions = new Versions()) {
  return makeColumn(
    { id: 1, name: 'x', type, ...parts },
    [addr],
    { meter: { bytes: 0 }, versions },
    0,
  )
}

function writeText(target: Column, row: number, text: string): void {
  const bytes = new TextEncoder().encode(text)
  target.ensure(row + 1)
  target.writeBytes(row, bytes, { start: 0, length: bytes.length })
}

function writeNested(target: Column, row: number, value: Parameters<typeof encodeNested>[1]): void {
  const type = target.attribute.type as Parameters<typeof encodeNested>[0]
  const bytes = encodeNested(type, value, tupleLookup([addr]))
  target.ensure(row + 1)
  target.writeBytes(row, bytes, { start: 0, length: bytes.length })
}

describe('an integer column', () => {
  it('widens at the first value that does not fit and keeps the others', () => {
    const ints = column({ kind: 'INT' })
    ints.ensure(10)
    const values = [-(2 ** 31), 2 ** 31 - 1, 2 ** 31, -(2 ** 53 - 1), 2n ** 63n - 1n, -(2n ** 63n)]
    const storages = ['int32', 'int32', 'float64', 'float64', 'int64', 'int64']
    for (const [row, value] of values.entries()) {
      ints.writeNumber(row, value)
      expect(ints.storage).toBe(storages[row])
    }
    expect(values.map((_value, row) => jsonAt(ints.view(), row))).toEqual(values.map(String))
    expect(valueAt(ints.view(), 1)).toBe(2 ** 31 - 1)
    expect(valueAt(ints.view(), 4)).toBe(2n ** 63n - 1n)
  })

  it('starts unsigned for UINT', () => {
    const uints = column({ kind: 'UINT' })
    uints.ensure(4)
    for (const [row, value] of [2 ** 32 - 1, 2 ** 32, 2n ** 64n - 1n].entries()) {
      uints.writeNumber(row, value)
    }
    expect([0, 1, 2].map((row) => jsonAt(uints.view(), row))).toEqual([
      '4294967295',
      '4294967296',
      '18446744073709551615',
    ])
  })

  it('widens under a pin without disturbing the pinned reader', () => {
    const versions = new Versions()
    const ints = column({ kind: 'INT' }, {}, versions)
    ints.ensure(3000)
    for (let row = 0; row < 3000; row++) ints.writeNumber(row, row)
    const pin = versions.pin(null)
    const old = ints.view()
    ints.writeNumber(1, 77)
    ints.writeNumber(2, 2 ** 40)
    expect([0, 1, 2, 2999].map((row) => valueAt(old, row))).toEqual([0, 1, 2, 2999])
    expect([0, 1, 2, 2999].map((row) => valueAt(ints.view(), row))).toEqual([0, 77, 2 ** 40, 2999])
    versions.release(pin)
    expect(versions.copiedBytes).toBe(0)
  })
})

describe('a string column', () => {
  it('keeps a dictionary while values repeat', () => {
    const strings = column({ kind: 'STRING' })
    for (let row = 0; row < 20_000; row++) writeText(strings, row, `value ${row % 100}`)
    expect(strings.storage).toBe('code')
    expect(strings.dictionary!.count).toBe(101)
    expect(stringAt(strings.view(), 12_345)).toBe('value 45')
  })

  it('switches to offsets when most values differ', () => {
    const strings = column({ kind: 'STRING' })
    for (let row = 0; row < 20_000; row++) writeText(strings, row, row % 7 === 0 ? '' : `v ${row}`)
    expect(strings.storage).toBe('offset')
    const view = strings.view()
    for (let row = 0; row < 20_000; row += 501) {
      expect(stringAt(view, row)).toBe(row % 7 === 0 ? '' : `v ${row}`)
    }
  })

  it('keeps a dictionary of few strings over many rows when an early row changes', () => {
    const strings = column({ kind: 'STRING' })
    for (let row = 0; row < 50_000; row++) writeText(strings, row, `text ${row % 4_000}`)
    for (let row = 50_000; row < 51_000; row++) writeText(strings, row, `more ${row}`)
    writeText(strings, 0, 'text 1')
    expect(strings.storage).toBe('code')
    expect(stringAt(strings.view(), 0)).toBe('text 1')
  })

  it('gives back the bytes of strings that were overwritten, large ones in few rows', () => {
    const meter = { bytes: 0 }
    const memory = { meter, versions: new Versions() }
    const strings = makeColumn({ id: 1, name: 'x', type: { kind: 'STRING' } }, [], memory, 0)
    const text = (number: number) => `${number}`.padEnd(200_000, 'x')
    for (let number = 0; number < 400; number++) writeText(strings, number % 8, text(number))
    expect(strings.storage).toBe('code')
    // Eight strings are in use: 1.6 MB of the 80 MB that were written.
    expect(strings.sizeBytes).toBeLessThan(8 * 2 ** 20)
    expect(meter.bytes).toBe(strings.sizeBytes)
    for (let row = 0; row < 8; row++) {
      expect(stringAt(strings.view(), row)).toBe(text(392 + row))
    }
  })

  it('keeps strings that many rows hold once when others go', () => {
    const strings = column({ kind: 'STRING' })
    const shared = 'same'.repeat(50_000)
    for (let row = 1; row < 1_000; row++) writeText(strings, row, shared)
    for (let number = 0; number < 100; number++) {
      writeText(strings, 0, `${number}`.padEnd(100_000, 'y'))
    }
    expect(strings.dictionary!.heap.length).toBeLessThan(2 ** 21)
    expect([1, 500, 999].map((row) => stringAt(strings.view(), row) === shared)).toEqual(
      Array(3).fill(true),
    )
    expect(stringAt(strings.view(), 0)).toBe('99'.padEnd(100_000, 'y'))
  })

  it('leaves a pinned reader its strings when others take their place', () => {
    const versions = new Versions()
    const strings = column({ kind: 'STRING' }, {}, versions)
    const text = (number: number) => `${number}`.padEnd(300_000, 'z')
    for (let row = 0; row < 3; row++) writeText(strings, row, text(row))
    const pin = versions.pin(null)
    const old = strings.view()
    for (let number = 3; number < 60; number++) writeText(strings, number % 3, text(number))
    expect([0, 1, 2].map((row) => stringAt(old, row))).toEqual([text(0), text(1), text(2)])
    expect([0, 1, 2].map((row) => stringAt(strings.view(), row))).toEqual([57, 58, 59].map(text))
    versions.release(pin)
  })

  it('reorganises no strings that another column uses, too', () => {
    const strings = column({ kind: 'STRING' })
    writeText(strings, 0, 'first')
    const { dictionary } = strings
    strings.sharesStrings = true
    for (let number = 0; number < 40; number++) {
      writeText(strings, 0, `${number}`.padEnd(100_000, 'x'))
    }
    expect(strings.dictionary).toBe(dictionary)
    strings.sharesStrings = false
    writeText(strings, 0, 'last')
    expect(strings.dictionary!.count).toBe(2)
    expect(stringAt(strings.view(), 0)).toBe('last')
  })

  it('counts what was overwritten before it switches to offsets', () => {
    const strings = column({ kind: 'STRING' })
    for (let row = 0; row < 3_000; row++) writeText(strings, row, `short ${row}`)
    for (let row = 0; row < 3_000; row++) writeText(strings, row, `${row}`.padEnd(350, 'w'))
    expect(strings.storage).toBe('offset')
    for (let row = 0; row < 3_000; row++) writeText(strings, row, `${row}`.padEnd(351, 'v'))
    expect(strings.isWasteful).toBe(true)
  })

  it('holds long and non-ASCII values', () => {
    const strings = column({ kind: 'STRING' })
    const values = ['é'.repeat(300), '😀', 'x'.repeat(70_000), 'plain']
    for (const [row, value] of values.entries()) writeText(strings, row, value)
    expect(values.map((_value, row) => stringAt(strings.view(), row))).toEqual(values)
  })

  it('moves to a new heap when most of the old one is garbage', () => {
    const strings = column({ kind: 'LIST', element: { kind: 'STRING' } })
    const text = 'x'.repeat(1000)
    for (let round = 0; round < 4; round++) {
      for (let row = 0; row < 1000; row++) writeNested(strings, row, [`${text}${round} ${row}`])
    }
    const before = strings.sizeBytes
    const old = strings.view()
    expect(strings.isWasteful).toBe(true)
    strings.compact()
    expect(strings.isWasteful).toBe(false)
    expect(strings.sizeBytes).toBeLessThan(before / 2)
    for (const view of [old, strings.view()]) {
      expect(valueAt(view, 999)).toEqual([`${text}3 999`])
    }
  })

  it('moves to a new heap in pieces while it is read, written and grows', () => {
    const random = createRandom(3)
    const versions = new Versions()
    const strings = column({ kind: 'STRING' }, {}, versions)
    const texts: string[] = []
    const write = (row: number, text: string) => {
      texts[row] = text
      writeText(strings, row, text)
    }
    for (let row = 0; row < 60_000; row++) write(row, `the text of row ${row}`)
    expect(strings.storage).toBe('offset')
    versions.pin(null)
    const before = strings.view()
    const pinned = [...texts]
    let pieces = 0
    for (const _piece of strings.compactInPieces()) {
      pieces++
      for (let i = 0; i < 50; i++) {
        const row = random.below(texts.length)
        write(row, `changed ${row} ${pieces}`)
        expect(stringAt(strings.view(), row)).toBe(texts[row])
      }
      const gone = random.below(texts.length)
      strings.forget(gone)
      texts[gone] = ''
      if (pieces < 6) write(texts.length, 'a new row')
    }
    expect(pieces).toBeGreaterThan(4)
    const after = strings.view()
    expect(texts.map((_text, row) => stringAt(after, row))).toEqual(texts)
    expect(pinned.map((_text, row) => stringAt(before, row))).toEqual(pinned)
  })

  it('gives a move to a new heap up when it is released', () => {
    const meter = { bytes: 0 }
    const type = { kind: 'LIST', element: { kind: 'INT' } } as const
    const memory = { meter, versions: new Versions() }
    const lists = makeColumn({ id: 1, name: 'x', type }, [], memory, 20_000)
    for (let row = 0; row < 20_000; row++) writeNested(lists, row, [row])
    const pieces = lists.compactInPieces()
    pieces.next()
    lists.release()
    expect(pieces.next().done).toBe(true)
    expect(meter.bytes).toBe(0)
  })

  it('fills new rows with a declared default', () => {
    const strings = column({ kind: 'STRING' }, { defaultText: 'none' })
    strings.ensure(3)
    strings.fillDefault(0, 3, true)
    expect(stringAt(strings.view(), 2)).toBe('none')
  })
})

describe('JSON of attribute values', () => {
  it('prints numbers with their significant digits', () => {
    const floats = column({ kind: 'FLOAT' })
    const doubles = column({ kind: 'DOUBLE' })
    floats.ensure(4)
    doubles.ensure(8)
    for (const [row, value] of [0.1, 1, 123456.789, -0].entries()) floats.writeNumber(row, value)
    const values = [0.1 + 0.2, 1, 1e20, 1 / 3, Number.NaN, Infinity, -Infinity, -0]
    for (const [row, value] of values.entries()) doubles.writeNumber(row, value)
    expect([0, 1, 2, 3].map((row) => jsonAt(floats.view(), row))).toEqual([
      '0.1',
      '1',
      '123456.8',
      '0',
    ])
    expect(values.map((_value, row) => jsonAt(doubles.view(), row))).toEqual([
      '0.3',
      '1',
      '100000000000000000000',
      '0.3333333333333333',
      '"NaN"',
      '"inf"',
      '"-inf"',
      '0',
    ])
  })

  it('prints collections, maps and tuples, and their empty forms', () => {
    const list = column({ kind: 'LIST', element: { kind: 'TUPLE', name: 'Addr' } })
    writeNested(list, 0, [['Elm "1"', 5, 60]])
    list.ensure(2)
    expect(jsonAt(list.view(), 0)).toBe(
      '[{"street":"Elm \\"1\\"","no":5,"on":"1970-01-01 00:01:00"}]',
    )
    expect(jsonAt(list.view(), 1)).toBe('[]')
    const map = column({ kind: 'MAP', key: { kind: 'INT' }, value: { kind: 'DOUBLE' } })
    writeNested(map, 0, [
      [2, 0.5],
      [1, 3],
    ])
    map.ensure(2)
    expect(JSON.parse(jsonAt(map.view(), 0))).toEqual({ 1: 3, 2: 0.5 })
    expect(jsonAt(map.view(), 1)).toBe('{}')
    const tuple = column({ kind: 'TUPLE', name: 'Addr' })
    tuple.ensure(1)
    expect(jsonAt(tuple.view(), 0)).toBe('{"street":"","no":0,"on":"1970-01-01 00:00:00"}')
    const binary = column({ kind: 'FIXED_BINARY', length: 3 })
    writeNested(binary, 0, new Uint8Array([1, 255, 0]))
    binary.ensure(2)
    expect(jsonAt(binary.view(), 0)).toBe('"Bytes 1 -1 0"')
    expect(jsonAt(binary.view(), 1)).toBe('"Bytes 0 0 0"')
  })
})
