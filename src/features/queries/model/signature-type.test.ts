import { expect, it } from 'vitest'
import { signatureType } from '#compiler/signature-type.ts'
import { fieldsOf } from './parameters.ts'

it.each([
  ['INT', 'int'],
  ['Boolean', 'bool'],
  ['VERTEX', 'vertex'],
  ['vertex < Person >', 'vertex<Person>'],
  ['SET<VERTEX<BankAccount> >', 'set<vertex<BankAccount>>'],
  ['MAP<STRING,\n  INT>', 'map<string,int>'],
])('%s is %s', (written, type) => {
  expect(signatureType(written)).toBe(type)
})

it('makes the fields that the installed query has', () => {
  const [field] = fieldsOf([{ who: signatureType('SET<VERTEX<Person>>') }])
  expect(field).toMatchObject({ kind: 'vertex', many: true, vertexType: 'Person' })
})
