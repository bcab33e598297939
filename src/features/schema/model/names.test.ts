import { describe, expect, it } from 'vitest'
import { nameProblem, reservedWords } from '#catalog/names.ts'
import { defaultProblem } from '#lib/graph-schema/default-value.ts'
import { identifierProblem, toIdentifier } from '#lib/graph-schema/identifier.ts'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { attributeNameProblem, freeTypeName, typeNameProblem } from './names.ts'

describe('names', () => {
  it.each(['Person', '_x', 'count', 'type', 'a1'])('accepts %s', (name) => {
    expect(identifierProblem(name)).toBeNull()
  })

  it.each([
    '',
    '1a',
    'a-b',
    'naïve',
    'vertex',
    'SELECT',
    '__proto__',
    'gsql_sys_x',
    'a'.repeat(257),
  ])('refuses %j', (name) => {
    expect(identifierProblem(name)).not.toBeNull()
  })

  it('refuses exactly the words that the server refuses', () => {
    for (const word of reservedWords) expect(identifierProblem(word), word).not.toBeNull()
    for (const word of ['count', 'type', 'a', 'STAR', 'Works_At', 'key', '_']) {
      expect(identifierProblem(word) === null, word).toBe(nameProblem(word) === null)
    }
  })

  it.each([
    ['First name', 'First_name'],
    ['größe (cm)', 'gro_e_cm'],
    ['  2020 sales', '_2020_sales'],
    ['from', 'from_'],
    ['#', ''],
    ['€€', ''],
    ['x'.repeat(400), 'x'.repeat(255)],
  ])('makes a name of %j', (text, name) => {
    expect(toIdentifier(text)).toBe(name)
    if (name !== '') expect(identifierProblem(name)).toBeNull()
  })

  it('keeps vertex, edge and reverse names apart', () => {
    expect(typeNameProblem(sampleSchema, 'Person')).toBe('Person is already a vertex type.')
    expect(typeNameProblem(sampleSchema, 'Knows')).toBe('Knows is already an edge type.')
    expect(typeNameProblem(sampleSchema, 'Employs')).toContain('reverse edge of Works_At')
    expect(typeNameProblem(sampleSchema, 'person')).toBeNull()
    expect(typeNameProblem(sampleSchema, 'Person', 'Person')).toBeNull()
    expect(freeTypeName(sampleSchema, 'Person')).toBe('Person2')
  })

  it('keeps attribute names apart from each other, and from the id', () => {
    const person = findVertex(sampleSchema, 'Person')!
    expect(attributeNameProblem(person, 'age')).toContain('already has an attribute')
    expect(attributeNameProblem(person, 'pid')).toContain('primary id')
  })
})

it.each([
  ['INT', '9223372036854775807', true],
  ['INT', '9223372036854775808', false],
  ['UINT', '18446744073709551615', true],
  ['UINT', '-1', false],
  ['INT', '1.5', false],
  ['DOUBLE', '1e3', true],
  ['DOUBLE', 'x', false],
  ['BOOL', 'True', true],
  ['BOOL', '1', false],
  ['DATETIME', '2024-02-29', true],
  ['DATETIME', '2023-02-29', false],
  ['DATETIME', '2024-01-01 24:00:00', false],
  ['DATETIME', '1200-01-01', false],
  ['LIST<INT>', '[]', false],
  ['STRING', 'anything', true],
])('a default of %s may be %s: %s', (type, text, fits) => {
  expect(defaultProblem(type, text) === null).toBe(fits)
})
