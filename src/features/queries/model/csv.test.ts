import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('a table becomes CSV with every row, quoted where it must be, integers exact', () => {
  const rows = [
    { name: 'plain', n: 708663653625634816n, list: [1, 'a'] },
    { name: 'with, comma and "quote"', n: null },
    { name: 'two\nlines', n: -1.5 },
  ]
  const text = csvOf({ kind: 'table', name: 'T', columns: ['name', 'n', 'list'], rows })
  expect(text).toBe(
    [
      'name,n,list',
      'plain,708663653625634816,"[1,""a""]"',
      '"with, comma and ""quote""",null,',
      '"two\nlines",-1.5,',
      '',
    ].join('\r\n'),
  )
})
