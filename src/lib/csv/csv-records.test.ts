import { describe, expect, it } from 'vitest'
import { CsvReader, type CsvRecord } from './csv-records.ts'

/** Reads a text cut at every `size` characters. */
function read(text: string, size: number, delimiter = ','): readonly CsvRecord[] {
  const reader = new CsvReader(delimiter)
  const records: CsvRecord[] = []
  for (let start = 0; start < text.length; start += size) {
    const isLast = start + size >= text.length
    for (const record of reader.read(text.slice(start, start + size), isLast)) records.push(record)
  }
  return records
}

const cellsOf = (records: readonly CsvRecord[]) => records.map(({ cells }) => cells)

describe('CsvReader', () => {
  const text = 'id,name\r\n1,"a, ""b""\r\nc"\r\n\r\n2,\r\n3,z'
  const cells = [
    ['id', 'name'],
    ['1', 'a, "b"\r\nc'],
    ['2', ''],
    ['3', 'z'],
  ]

  it.each([1, 2, 3, 7, 1_000])('reads the same in pieces of %d characters', (size) => {
    const records = read(text, size)
    expect(cellsOf(records)).toEqual(cells)
    expect(records.map(({ row }) => row)).toEqual([1, 2, 4, 5])
    expect(records.every(({ problem }) => problem === null)).toBe(true)
  })

  it.each([
    ['\n', '\n'],
    ['\r', '\r'],
    ['\r\n', '\r\n'],
  ])('knows lines that end with %j', (_name, newline) => {
    const lines = ['a;b', '1;2', '3;4'].join(newline)
    expect(cellsOf(read(lines, 4, ';'))).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('reads lines that end in both ways', () => {
    expect(cellsOf(read('a,b\n1,2\r\n3,4\n', 1_000))).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('gives up the line whose quote is never closed, not what follows', () => {
    const records = read('1,a\n2,"b\n3,c\n4,d\n', 5)
    expect(cellsOf(records)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
      ['4', 'd'],
    ])
    expect(records.map(({ problem }) => problem)).toEqual([
      null,
      'has a quote that is not closed',
      null,
      null,
    ])
  })

  it('does so in the middle of a file that is much longer', () => {
    const lines = Array.from({ length: 200_000 }, (_, row) => (row === 3 ? '3,"x' : `${row},name`))
    const records = read(lines.join('\n'), 500_000)
    expect(records).toHaveLength(200_000)
    expect(records.filter(({ problem }) => problem !== null)).toMatchObject([{ row: 4 }])
  })

  it('marks text behind a closing quote', () => {
    expect(read('1,"a"b"\n2,c\n', 1_000)).toMatchObject([
      { cells: ['1', 'ab'], problem: 'has text behind a closing quote' },
      { cells: ['2', 'c'], problem: null },
    ])
  })
})
