import { afterEach, describe, expect, it } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
  formatField,
  formatPercent,
  formatShort,
  setNumberFormat,
} from './format.ts'

describe('formats', () => {
  it('groups counts, 64-bit ones exactly', () => {
    expect(formatCount(1234567)).toBe('1,234,567')
    expect(formatCount(18446744073709551615n)).toBe('18,446,744,073,709,551,615')
  })

  it.each([
    [0, '0'],
    [0.004, '0.004'],
    [7.25, '7.25'],
    [98.04, '98'],
    [987, '987'],
    [12_345, '12.3k'],
    [1_040_000, '1.04M'],
    [-2_500, '-2.5k'],
  ])('shortens %d to %s', (value, text) => expect(formatShort(value)).toBe(text))

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'.replace(',', '')],
    [1024, '1 KiB'],
    [1536 * 1024, '1.5 MiB'],
    [3.25 * 1024 ** 3, '3.25 GiB'],
  ])('writes %d bytes as %s', (value, text) => expect(formatBytes(value)).toBe(text))

  it.each([
    [0.42, '0.42 ms'],
    [18, '18 ms'],
    [1_250, '1.25 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [356_400_000, '4 d 3 h'],
  ])('writes %d ms as %s', (value, text) => expect(formatDuration(value)).toBe(text))

  it('never shows a small share as nothing', () => {
    expect(formatPercent(0.004)).toBe('0.4 %')
    expect(formatPercent(0.42)).toBe('42 %')
  })

  it('writes times of day in UTC when asked', () => {
    expect(formatClock(Date.UTC(2026, 0, 2, 3, 4, 5), 'utc')).toBe('03:04:05')
    expect(formatDateTime(Date.UTC(2026, 0, 2, 3, 4, 5), 'utc')).toBe('2026-01-02 03:04:05')
  })

  it('tells the age of data', () => {
    expect(formatAge(300)).toBe('now')
    expect(formatAge(12_000)).toBe('12 s ago')
    expect(formatAge(320_000)).toBe('5 min ago')
  })
})

describe('number formats', () => {
  afterEach(() => setNumberFormat('comma'))

  it.each([
    ['comma', '1,234,567', '12.3k', '1.5 MiB', '7.5 %', '1,234'],
    ['point', '1.234.567', '12,3k', '1,5 MiB', '7,5 %', '1234'],
    ['space', '1\u202f234\u202f567', '12,3k', '1,5 MiB', '7,5 %', '1\u202f234'],
    ['none', '1234567', '12.3k', '1.5 MiB', '7.5 %', '1234'],
  ] as const)('%s', (format, count, short, bytes, percent, field) => {
    setNumberFormat(format)
    expect(formatCount(1_234_567)).toBe(count)
    expect(formatShort(12_345)).toBe(short)
    expect(formatBytes(1.5 * 1024 ** 2)).toBe(bytes)
    expect(formatPercent(0.075)).toBe(percent)
    expect(formatField(1_234)).toBe(field)
  })
})
