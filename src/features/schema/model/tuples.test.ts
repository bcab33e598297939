import { expect, it } from 'vitest'
import { readTupleFields } from './tuples.ts'

it('reads fields from lines and between commas', () => {
  expect(readTupleFields('street string(40), no INT\n\nzip  uint(4)')).toEqual({
    ok: true,
    fields: [
      { name: 'street', type: 'STRING(40)' },
      { name: 'no', type: 'INT' },
      { name: 'zip', type: 'UINT(4)' },
    ],
  })
})

it.each([
  ['street', 'write a name and a type'],
  ['1st INT', 'starts with a letter'],
  ['a LIST<INT>', 'write a name and a type'],
  ['a MAP', 'a field is INT'],
  ['a INT(3)', '1, 2, 4 or 8'],
  ['a BOOL(1)', 'takes no length'],
  ['a STRING(0)', '1 to 65535'],
  ['a INT, a INT', 'there already'],
])('says what is wrong with %j', (text, problem) => {
  expect(readTupleFields(text)).toEqual({ ok: false, problems: [expect.stringContaining(problem)] })
})

it('has nothing to say about an empty text', () => {
  expect(readTupleFields(' \n')).toEqual({ ok: false, problems: [] })
})
