import { expect, it } from 'vitest'
import { ColumnVotes, typeOfValues } from './column-type.ts'
import { profileCsv } from './csv-profile.ts'
import { sniffCsv } from './csv-sniff.ts'

it.each([
  [['1', '-7', '0', ''], 'INT'],
  [['9223372036854775807', '-9223372036854775808'], 'INT'],
  [['9223372036854775808'], 'STRING'],
  [['01234', '99999'], 'STRING'],
  [['+49301234', '1'], 'STRING'],
  [['-0'], 'DOUBLE'],
  [['1', '2.5', '.5', '-1e-7'], 'DOUBLE'],
  [['9007199254740993', '1.5'], 'STRING'],
  [['007', '1.5'], 'STRING'],
  [['0x10'], 'STRING'],
  [['1e999'], 'STRING'],
  [['1,000'], 'STRING'],
  [['Infinity'], 'STRING'],
  [['true', 'FALSE'], 'BOOL'],
  [['true', '1'], 'STRING'],
  [['2024-02-29', '2024-01-01 10:00:00'], 'DATETIME'],
  [['2023-02-29'], 'STRING'],
  [['', ' '], 'STRING'],
])('the type of %j is %s', (values, type) => {
  expect(typeOfValues(values)).toBe(type)
})

it('a type that nearly all values have is named, with the others', () => {
  const votes = new ColumnVotes()
  for (let value = 0; value < 99; value++) votes.add(String(value))
  votes.add('four')
  expect(votes.type).toBe('STRING')
  expect(votes.near).toEqual({ type: 'INT', count: 99, others: ['four'] })
  for (let value = 0; value < 10; value++) votes.add('NA')
  expect(votes.near).toBeNull()
})

it('all of a file is read for the types of its columns', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `${row},${row}`)
  rows[19_998] = '007,"x\ny"'
  rows[100] = '5'
  rows[200] = '6,"a"b'
  rows[300] = '6,7,8'
  const file = new File([`id,n\n${rows.join('\n')}\n`], 'late.csv')
  const shape = sniffCsv(await file.slice(0, 1_000).text(), { isWhole: false })
  expect(shape.columns.map(({ type }) => type)).toEqual(['INT', 'INT'])
  const profile = await profileCsv(file, { ...shape, encoding: 'utf-8' })
  expect(profile).toMatchObject({ rows: 20_000, short: 1, long: 1, damaged: 1 })
  expect(profile.columns).toEqual([
    { type: 'STRING', near: { type: 'INT', count: 19_998, others: ['007'] }, filled: 19_999 },
    { type: 'STRING', near: { type: 'INT', count: 19_997, others: ['x\ny'] }, filled: 19_998 },
  ])
})
