import { expect, it } from 'vitest'
import { rowsOfText } from '#kernel/delimited/scanner.ts'
import { csvText } from './csv-text.ts'

const parts = [
  'a',
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  "'",
  '\\',
  '\0',
  '😀',
  '=1+1',
  '\ufeff',
]

it('every table of texts comes back as it was', () => {
  let seed = 7
  const below = (bound: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * bound)
  }
  for (let table = 0; table < 500; table++) {
    const width = 1 + below(4)
    const rows = Array.from({ length: 1 + below(6) }, () =>
      Array.from({ length: width }, () =>
        Array.from({ length: below(5) }, () => parts[below(parts.length)] ?? '').join(''),
      ),
    )
    const header = Array.from({ length: width }, (_, place) => `column ${place}`)
    const read = rowsOfText(csvText([header, ...rows]), { separator: ',', eol: '\n', quote: '"' })
    expect(read.map(({ tokens }) => tokens)).toEqual([header, ...rows])
  }
})
