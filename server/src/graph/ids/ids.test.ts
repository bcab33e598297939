import { describe, expect, it } from 'vitest'
import type { VertexTableView } from '../view.ts'
import { NumberIds } from './number-ids.ts'
import { findRow, findRowOfNumber, idNumber, idText } from './read.ts'
import { StringIds } from './string-ids.ts'

const encoder = new TextEncoder()

function tableOf(ids: StringIds | NumberIds): VertexTableView {
  return {
    typeId: 1,
    typeName: 'V',
    ordinals: null,
    rowCount: ids.count,
    liveCount: ids.count,
    deleted: { words: null, pages: null },
    ids: ids.view(),
    keyKinds: null,
    columns: [],
  }
}

function add(ids: StringIds, text: string): number {
  const bytes = encoder.encode(text)
  return ids.findOrAdd(bytes, 0, bytes.length)
}

function bytesOf(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value), true)
  return bytes
}

describe('string ids', () => {
  const awkward = [
    '',
    'a',
    'a\0',
    'a\0\0',
    '\0',
    '12345678',
    '12345678\0',
    '123456789',
    '1234567',
    'Zürich',
    '😀',
    '😀😀😀',
    '__proto__',
    'a/b%20c',
    'x'.repeat(2560),
    `${'x'.repeat(2559)}y`,
  ]

  it('tell apart ids that differ in length, zeros or only at the end', () => {
    const ids = new StringIds({ bytes: 0 })
    for (const [row, text] of awkward.entries()) expect(add(ids, text)).toBe(row)
    for (const [row, text] of awkward.entries()) expect(add(ids, text)).toBe(row)
    const table = tableOf(ids)
    for (const [row, text] of awkward.entries()) {
      expect(findRow(table, text)).toBe(row)
      expect(idText(table.ids, row)).toBe(text)
    }
    expect(findRow(table, 'b')).toBe(-1)
  })

  it('agree with a Map over many ids, through every doubling', () => {
    const ids = new StringIds({ bytes: 0 })
    const model = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const text = `user:${(i * 7919) % 12_000}`
      const expected = model.get(text) ?? model.size
      model.set(text, expected)
      expect(add(ids, text)).toBe(expected)
    }
    const table = tableOf(ids)
    for (const [text, row] of model) {
      expect(findRow(table, text)).toBe(row)
      expect(idText(table.ids, row)).toBe(text)
    }
    expect(findRow(table, 'user:12000')).toBe(-1)
  })

  it('hide ids that were added after the view was made', () => {
    const ids = new StringIds({ bytes: 0 })
    add(ids, 'short')
    add(ids, 'one that is long')
    const old = tableOf(ids)
    for (let i = 0; i < 500; i++) add(ids, `another that is long ${i}`)
    add(ids, 'new')
    expect(findRow(old, 'new')).toBe(-1)
    expect(findRow(old, 'another that is long 3')).toBe(-1)
    expect(findRow(old, 'one that is long')).toBe(1)
    expect(findRow(tableOf(ids), 'new')).toBe(502)
  })

  it('count their memory', () => {
    const meter = { bytes: 0 }
    const ids = new StringIds(meter)
    for (let i = 0; i < 10_000; i++) add(ids, `id ${i}`)
    expect(meter.bytes).toBe(ids.sizeBytes)
    ids.release()
    expect(meter.bytes).toBe(0)
  })
})

describe('number ids', () => {
  it('keep all 64 bits of INT and UINT ids', () => {
    for (const type of ['INT', 'UINT'] as const) {
      const values =
        type === 'INT'
          ? [0n, -1n, 5n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n]
          : [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]
      const ids = new NumberIds(type, { bytes: 0 })
      for (const [row, value] of values.entries()) {
        expect(ids.findOrAdd(bytesOf(value), 0, 8)).toBe(row)
      }
      const table = tableOf(ids)
      for (const [row, value] of values.entries()) {
        expect(findRow(table, String(value))).toBe(row)
        expect(findRowOfNumber(table, value)).toBe(row)
        expect(idText(table.ids, row)).toBe(String(value))
        expect(BigInt(idNumber(table.ids, row))).toBe(value)
      }
      // Upserts take leading zeros, however many.
      expect(findRow(table, `+${'0'.repeat(40)}`)).toBe(0)
      for (const text of ['', 'x', '1.5', '99999999999999999999999', '7e2', ' 5']) {
        expect(findRow(table, text)).toBe(-1)
      }
    }
  })

  it('read DATETIME ids as text or seconds', () => {
    const ids = new NumberIds('DATETIME', { bytes: 0 })
    ids.findOrAdd(bytesOf(86_400n), 0, 8)
    const table = tableOf(ids)
    expect(idText(table.ids, 0)).toBe('1970-01-02 00:00:00')
    expect(findRow(table, '1970-01-02 00:00:00')).toBe(0)
    expect(findRow(table, '86400')).toBe(0)
  })

  it('agree with a Map through every doubling', () => {
    const ids = new NumberIds('INT', { bytes: 0 })
    for (let i = 0; i < 30_000; i++) {
      const value = BigInt(i % 20_000) * 4_294_967_296n
      expect(ids.findOrAdd(bytesOf(value), 0, 8)).toBe(i % 20_000)
    }
  })
})

describe('an id whose row is dead', () => {
  const key = (type: 'STRING' | 'INT', text: string) =>
    type === 'STRING' ? new TextEncoder().encode(text) : bytesOf(BigInt(text))
  const deadRows = (...rows: number[]) => ({
    count: rows.length,
    has: (row: number) => rows.includes(row),
  })

  it.each(['STRING', 'INT'] as const)(
    'of %s gets a new row, and old versions find the old one',
    (type) => {
      const ids =
        type === 'STRING' ? new StringIds({ bytes: 0 }) : new NumberIds(type, { bytes: 0 })
      const bytes = key(type, '123456789012')
      const find = (dead = deadRows()) => ids.find(bytes, 0, bytes.length, dead)
      expect(ids.findOrAdd(bytes, 0, bytes.length)).toBe(0)
      expect(find(deadRows(0))).toBe(-1)
      // While somebody reads, the slot of the dead row stays.
      expect(ids.add(bytes, 0, bytes.length)).toBe(1)
      expect([find(), find(deadRows(0)), find(deadRows(0, 1))]).toEqual([0, 1, -1])
      for (let i = 0; i < 100; i++)
        ids.findOrAdd(key(type, String(i)), 0, key(type, String(i)).length)
      expect([find(), find(deadRows(0)), find(deadRows(0, 1))]).toEqual([0, 1, -1])
      // When nobody does, the new row takes it, so that an id that comes and goes fills no table.
      expect(ids.findOrAdd(bytes, 0, bytes.length, deadRows(0, 1))).toBe(102)
      expect([find(), find(deadRows(0, 1)), find(deadRows(0, 1, 102))]).toEqual([102, 102, -1])
    },
  )
})
