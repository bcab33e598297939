import { describe, expect, it } from 'vitest'
import {
  DATETIME_SECONDS_MAX,
  DATETIME_SECONDS_MIN,
  formatDateTime,
  isDateTime,
  parseDateTime,
} from './datetime.ts'

describe('parseDateTime', () => {
  it('reads every form of the contract', () => {
    const expected = Date.UTC(2024, 2, 1, 9, 30, 5) / 1000
    for (const text of [
      '2024-03-01 09:30:05',
      '2024/03/01 09:30:05',
      '2024-03-01T09:30:05',
      '2024-03-01T09:30:05.123Z',
      '2024-03-01 09:30:05.999',
      '2024-3-1 9:30:5',
    ]) {
      expect(parseDateTime(text), text).toBe(expected)
    }
    expect(parseDateTime('2024-03-01')).toBe(Date.UTC(2024, 2, 1) / 1000)
    expect(parseDateTime('2024/03/01')).toBe(Date.UTC(2024, 2, 1) / 1000)
  })

  it('refuses parts out of range, mixed separators and other texts', () => {
    for (const text of [
      '',
      'soon',
      '2024-13-01',
      '2023-02-29',
      '2024-00-10',
      '2024-03-01 24:00:00',
      '2024-03-01 10:60:00',
      '2024-03/01',
      '1582-10-14',
      '10000-01-01',
      '2024-03-01 09:30:05+02:00',
      '1709285405',
    ]) {
      expect(parseDateTime(text), text).toBeNull()
    }
  })

  it('covers the supported years to the second', () => {
    expect(parseDateTime('1582-10-15')).toBe(DATETIME_SECONDS_MIN)
    expect(parseDateTime('9999-12-31 23:59:59')).toBe(DATETIME_SECONDS_MAX)
    expect(isDateTime(DATETIME_SECONDS_MIN - 1)).toBe(false)
    expect(isDateTime(DATETIME_SECONDS_MAX + 1)).toBe(false)
  })

  it('writes back what it read', () => {
    for (const text of ['1582-10-15 00:00:00', '1969-12-31 23:59:59', '2024-02-29 12:00:01']) {
      expect(formatDateTime(parseDateTime(text) ?? 0)).toBe(text)
    }
  })
})
