import { describe, expect, it } from 'vitest'
import {
  DATETIME_SECONDS_MAX,
  DATETIME_SECONDS_MIN,
  formatDatetime,
  parseDatetime,
  writeDatetime,
} from './datetime.ts'

describe('parseDatetime', () => {
  it.each([
    ['2024-03-01 09:30:00', '2024-03-01T09:30:00Z'],
    ['2024/03/01 09:30:00', '2024-03-01T09:30:00Z'],
    ['2024-02-29T23:59:59.123Z', '2024-02-29T23:59:59Z'],
    ['2024-3-1 9:3:7', '2024-03-01T09:03:07Z'],
    ['1969-12-31 23:59:59.5', '1969-12-31T23:59:59Z'],
    ['1872-11-30', '1872-11-30T00:00:00Z'],
    ['2000/12/31', '2000-12-31T00:00:00Z'],
    ['1582-10-15', '1582-10-15T00:00:00Z'],
    ['9999-12-31 23:59:59', '9999-12-31T23:59:59Z'],
  ])('reads %s', (text, iso) => {
    expect(parseDatetime(text) * 1_000).toBe(Date.parse(iso))
  })

  it.each([
    '',
    'x',
    '2024',
    '24-03-01',
    '2024-13-01',
    '2024-02-30',
    '2023-02-29',
    '2024-00-01',
    '2024-03-00',
    '2024-03/01',
    '2024-03-01 24:00:00',
    '2024-03-01 09:60:00',
    '2024-03-01 09:30',
    '2024-03-01 09:30:00+01',
    '2024-03-01 09:30:00.',
    '2024-03-01 ',
    '1582-10-14 23:59:59',
    '10000-01-01',
    '1709285400',
  ])('refuses "%s"', (text) => {
    expect(parseDatetime(text)).toBeNaN()
  })

  it('agrees with Date over the whole range, and formats back', () => {
    const step = (DATETIME_SECONDS_MAX - DATETIME_SECONDS_MIN) / 2_000
    for (let index = 0; index <= 2_000; index++) {
      const seconds = Math.floor(DATETIME_SECONDS_MIN + index * step)
      expect(parseDatetime(formatDatetime(seconds))).toBe(seconds)
    }
  })
})

describe('writeDatetime', () => {
  it('writes the bytes of formatDatetime over the whole range', () => {
    const bytes = new Uint8Array(24)
    const step = (DATETIME_SECONDS_MAX - DATETIME_SECONDS_MIN) / 20_000
    for (let index = 0; index <= 20_000; index++) {
      const seconds = Math.floor(DATETIME_SECONDS_MIN + index * step)
      writeDatetime(bytes, 2, seconds)
      expect(Buffer.from(bytes.subarray(2, 21)).toString()).toBe(formatDatetime(seconds))
    }
  })
})
