import { describe, expect, it } from 'vitest'
import { keyParts, storedKey, storedPart } from './key-parts.ts'

describe('a composite id', () => {
  it('is one text, however its parts are written', () => {
    const kinds = ['INT', 'STRING', 'DATETIME'] as const
    const stored = '7,x,2024-01-01 00:00:00'
    for (const id of ['7,x,2024-01-01', '007,x,2024/1/1', '+7,x,2024-01-01T00:00:00Z', stored]) {
      expect(storedKey(id, kinds), id).toBe(stored)
    }
    expect(storedKey('7, x,2024-01-01', kinds)).toBe('7, x,2024-01-01 00:00:00')
  })

  it('is none with too few parts, or a part that is no value', () => {
    expect(storedKey('7,x', ['INT', 'STRING', 'DATETIME'])).toBeNull()
    expect(storedKey('7.0,x', ['INT', 'STRING'])).toBeNull()
    expect(storedKey('x,2024-02-30', ['STRING', 'DATETIME'])).toBeNull()
  })

  it('gives a comma too many to its last part', () => {
    expect(keyParts('a,b,c', 2)).toEqual(['a', 'b,c'])
    expect(storedKey('01,b,c', ['INT', 'STRING'])).toBe('1,b,c')
  })
})

describe('a part', () => {
  it.each([
    ['INT', '-007', '-7'],
    ['INT', '9223372036854775807', '9223372036854775807'],
    ['INT', '9223372036854775808', null],
    ['UINT', '18446744073709551615', '18446744073709551615'],
    ['UINT', '-1', null],
    ['INT', ' 7', null],
    ['DOUBLE', '1.0', '1'],
    ['DOUBLE', '1e0', '1'],
    ['DOUBLE', '-0', '0'],
    ['DOUBLE', '1e400', null],
    ['DOUBLE', '', null],
    ['FLOAT', '0.1', '0.1'],
    ['FLOAT', '0.10000000149', '0.1'],
    ['FLOAT', '16777217', '16777216'],
    ['FLOAT', '1e39', null],
    ['BOOL', 'true', 'true'],
    ['BOOL', '1', null],
    ['DATETIME', '2024-1-1', '2024-01-01 00:00:00'],
    ['DATETIME', '2023-02-29', null],
    ['STRING', ' 007 ', ' 007 '],
  ] as const)('%s %j is stored as %j', (kind, part, stored) => {
    expect(storedPart(part, kind)).toBe(stored)
  })
})
