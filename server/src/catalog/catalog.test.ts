import { describe, expect, it } from 'vitest'
import { acmeCatalog } from '../../test/fixtures/acme.ts'
import { typeFromJson, typeText, typeToJson } from './attribute-type.ts'
import { defaultValueOf, parseDefault, zeroOf } from './defaults.ts'
import {
  edgeTypeNamesOf,
  findEdgeType,
  findVertexType,
  requireEdgeType,
  requireGraphInPath,
  requireVertexType,
  schemaVersionOf,
} from './lookup.ts'
import { nameProblem } from './names.ts'

const acme = acmeCatalog()

describe('names', () => {
  it('takes letters, digits and _, and words that real schemas use', () => {
    for (const name of [
      'a',
      '_x9',
      'Person',
      'count',
      'type',
      'id',
      'date',
      'name',
      'x'.repeat(256),
    ]) {
      expect(nameProblem(name), name).toBeNull()
    }
  })

  it('refuses everything else with a reason', () => {
    for (const name of [
      '',
      '9a',
      'a-b',
      'a b',
      'é',
      '__proto__ ',
      'vertex',
      'SELECT',
      'Where',
      'gsql_sys_x',
    ]) {
      expect(nameProblem(name), name).not.toBeNull()
    }
    expect(nameProblem('x'.repeat(257))).toContain('longer than 256')
  })
})

describe('lookup', () => {
  it('finds types of a graph by name and edges by their reverse name too', () => {
    expect(findVertexType(acme, 'acme', 'Person')?.name).toBe('Person')
    expect(findEdgeType(acme, 'acme', 'Works_At')).toMatchObject({ reversed: false })
    expect(findEdgeType(acme, 'acme', 'Employs')).toMatchObject({
      type: { name: 'Works_At' },
      reversed: true,
    })
    expect(edgeTypeNamesOf(acme, 'acme')).toEqual(['Works_At', 'Employs', 'Knows', 'Pays'])
  })

  it('says what is missing in the words of the contract', () => {
    expect(() => requireGraphInPath(acme, 'x', '/graph/x?y=1')).toThrow(
      "The graph name 'x' parsed from the url = '/graph/x' is not found, please provide a valid graph name.",
    )
    expect(() => requireVertexType(acme, 'acme', '__proto__')).toThrow(
      "The input parameter vertex_type = '__proto__' is not a valid vertex type in graph acme.",
    )
    expect(() => requireEdgeType(acme, 'acme', 'constructor')).toThrow('is not a valid edge type')
    expect(schemaVersionOf(acme, 'nowhere')).toBe(0)
  })
})

describe('attribute types', () => {
  it('reads and writes every JSON form', () => {
    for (const json of [
      { Name: 'INT' },
      { Name: 'DATETIME' },
      { Name: 'FIXED_BINARY', FixedBinaryLength: 16 },
      { Name: 'LIST', ValueTypeName: 'STRING' },
      { Name: 'SET', ValueTypeName: 'Addr' },
      { Name: 'MAP', KeyTypeName: 'DATETIME', ValueTypeName: 'DOUBLE' },
      { Name: 'UDT', ValueTypeName: 'Addr' },
    ]) {
      expect(typeToJson(typeFromJson(acme, json))).toEqual(json)
    }
  })

  it('reads types spelled out, in any letter case', () => {
    const text = (name: string) => typeText(typeFromJson(acme, { Name: name }))
    expect(text('map<string, Int>')).toBe('MAP<STRING, INT>')
    expect(text('fixed_binary(8)')).toBe('FIXED_BINARY(8)')
    expect(text('STRING COMPRESS')).toBe('STRING')
    expect(text('Addr')).toBe('Addr')
  })

  it('refuses what the contract does not allow', () => {
    for (const json of [
      { Name: 'VARCHAR' },
      { Name: 'LIST' },
      { Name: 'LIST', ValueTypeName: 'UINT' },
      { Name: 'MAP', KeyTypeName: 'BOOL', ValueTypeName: 'INT' },
      { Name: 'MAP', ValueTypeName: 'INT' },
      { Name: 'FIXED_BINARY' },
      { Name: 'FIXED_BINARY(0)' },
      { Name: '' },
    ]) {
      expect(() => typeFromJson(acme, json), json.Name).toThrow('Semantic Check Fails')
    }
  })
})

describe('defaults', () => {
  it('reads the declared text as a value of the type', () => {
    expect(parseDefault({ kind: 'INT' }, '-9223372036854775808')).toBe(-(2n ** 63n))
    expect(parseDefault({ kind: 'UINT' }, '18446744073709551615')).toBe(2n ** 64n - 1n)
    expect(parseDefault({ kind: 'INT' }, '7')).toBe(7)
    expect(parseDefault({ kind: 'DOUBLE' }, '1.5e3')).toBe(1500)
    expect(parseDefault({ kind: 'BOOL' }, 'TRUE')).toBe(true)
    expect(parseDefault({ kind: 'STRING' }, ' x ')).toBe(' x ')
    expect(parseDefault({ kind: 'DATETIME' }, '1970-01-02')).toBe(86_400)
  })

  it('refuses text that is no value of the type', () => {
    for (const [kind, text] of [
      ['INT', '9223372036854775808'],
      ['INT', '1.5'],
      ['UINT', '-1'],
      ['UINT', '18446744073709551616'],
      ['BOOL', 'yes'],
      ['DATETIME', 'soon'],
      ['DOUBLE', 'NaN'],
    ] as const) {
      expect(() => parseDefault({ kind }, text), `${kind} ${text}`).toThrow('is not a valid')
    }
  })

  it('knows the zero of every type', () => {
    expect(zeroOf(acme, { kind: 'TUPLE', name: 'Addr' })).toEqual(['', 0])
    expect(zeroOf(acme, { kind: 'FIXED_BINARY', length: 2 })).toEqual(new Uint8Array(2))
    expect(defaultValueOf(acme, { id: 1, name: 'x', type: { kind: 'BOOL' } })).toBe(false)
    expect(
      defaultValueOf(acme, { id: 1, name: 'x', type: { kind: 'INT' }, defaultText: '3' }),
    ).toBe(3)
  })
})
