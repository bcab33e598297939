import { describe, expect, it } from 'vitest'
import {
  isDiscriminable,
  isIndexable,
  parseAttributeType,
  typeJson,
  typeText,
} from './attribute-type.ts'

describe('parseAttributeType', () => {
  it.each([
    ['int', 'INT'],
    [' list < string > ', 'LIST<STRING>'],
    ['map<string, int>', 'MAP<STRING,INT>'],
    ['fixed_binary(16)', 'FIXED_BINARY(16)'],
    ['Addr', 'Addr'],
    ['set<Addr>', 'SET<Addr>'],
    ['string compress', 'STRING COMPRESS'],
  ])('reads %j as %s', (text, type) => {
    expect(parseAttributeType(text, ['Addr'])).toMatchObject({ ok: true, type })
  })

  it.each([
    ['', 'Give a type'],
    ['INTEGER', 'No type INTEGER'],
    ['LIST<BOOL>', 'LIST holds'],
    ['MAP<DOUBLE,INT>', 'MAP keys'],
    ['MAP<INT,BOOL>', 'MAP values'],
    ['FIXED_BINARY(0)', 'at least 1'],
    ['addr', 'No type addr'],
  ])('refuses %j', (text, message) => {
    expect(parseAttributeType(text, ['Addr'])).toEqual({
      ok: false,
      message: expect.stringContaining(message),
    })
  })

  it('gives the same text again after the wire form', () => {
    const texts = [
      'DATETIME',
      'LIST<Addr>',
      'SET<INT>',
      'MAP<STRING,Addr>',
      'FIXED_BINARY(8)',
      'Addr',
    ]
    expect(texts.map((text) => typeText(typeJson(text)))).toEqual(texts)
  })
})

it('indexes and discriminators take only the types the contract names', () => {
  const types = ['INT', 'FLOAT', 'BOOL', 'STRING', 'DATETIME', 'LIST<INT>', 'Addr']
  expect(types.filter(isIndexable)).toEqual(['INT', 'FLOAT', 'BOOL', 'STRING', 'DATETIME'])
  expect(types.filter(isDiscriminable)).toEqual(['INT', 'STRING', 'DATETIME'])
})
