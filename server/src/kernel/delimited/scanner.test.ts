import { describe, expect, it } from 'vitest'
import {
  type DelimitedFormat,
  type DelimitedRow,
  DelimitedScanner,
  EOL_WINDOW_CHARS,
  type RowSizes,
  rowSizes,
  rowsOfText,
} from './scanner.ts'

const csv: DelimitedFormat = { separator: ',', eol: '\n', quote: '"' }

/** Reads a text cut into pieces of a length. */
function inPieces(text: string, size: number, format = csv, sizes?: RowSizes): DelimitedRow[] {
  const scanner = new DelimitedScanner(format, sizes)
  const rows: DelimitedRow[] = []
  for (let at = 0; at < text.length; at += size)
    rows.push(...scanner.read(text.slice(at, at + size), false))
  return [...rows, ...scanner.read('', true)]
}

/** Reads a text in one piece, in pieces of every length, and in two at every place: all the same. */
function read(text: string, format = csv, sizes?: RowSizes): DelimitedRow[] {
  const whole = new DelimitedScanner(format, sizes).read(text, true)
  for (let size = 1; size <= text.length; size++) {
    expect(inPieces(text, size, format, sizes), `pieces of ${size}`).toEqual(whole)
    const scanner = new DelimitedScanner(format, sizes)
    const first = scanner.read(text.slice(0, size), false)
    const two = [...first, ...scanner.read(text.slice(size), true)]
    expect(two, `cut at ${size}`).toEqual(whole)
  }
  return whole
}

const tokensOf = (text: string, format = csv) => read(text, format).map(({ tokens }) => tokens)
const faultsOf = (text: string, format = csv) =>
  read(text, format).map(({ line, fault, tokens }) =>
    fault === null ? tokens.join('|') : `${line} ${fault}`,
  )

describe('rows', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('end in %s, the last one with or without it', (_name, end) => {
    const wanted = [['a', 'b'], ['1', '2'], [''], ['3', '']]
    expect(tokensOf(['a,b', '1,2', '', '3,'].join(end))).toEqual(wanted)
    expect(tokensOf(`${['a,b', '1,2', '', '3,'].join(end)}${end}`)).toEqual(wanted)
    expect(tokensOf(`"a",b${end}"1",2${end}`)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('end in both ways in one text', () => {
    expect(tokensOf('a,b\n1,2\r\n3,"4"\r\n"5","6"\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
  })

  it('hold a CR as data where rows end in LF', () => {
    expect(tokensOf('a\rb,c\n')).toEqual([['a\rb', 'c']])
  })

  it('end in CR only where no LF is near', () => {
    const row = 'x'.repeat(EOL_WINDOW_CHARS / 4)
    const text = `${row}\r`.repeat(5)
    expect(inPieces(text, 1_000)).toHaveLength(5)
    expect(inPieces(`a\rb\n${text}`, 1_000)).toHaveLength(2)
    expect(inPieces(`${'x'.repeat(EOL_WINDOW_CHARS)}\ra\nb`, 1_000)).toHaveLength(2)
  })

  it('end in what the format says', () => {
    const format = { separator: '\x1d', eol: '\x1c', quote: '"' }
    expect(tokensOf('a\x1db\n\x1c"c\x1c"\x1dd\x1c', format)).toEqual([
      ['a', 'b\n'],
      ['c\x1c', 'd'],
    ])
    expect(tokensOf('a|b||\n"c||\n"|d||\n', { separator: '|', eol: '||\n', quote: '"' })).toEqual([
      ['a', 'b'],
      ['c||\n', 'd'],
    ])
    expect(tokensOf('a,b\r\n1,2\n\r\n', { ...csv, eol: '\r\n' })).toEqual([
      ['a', 'b'],
      ['1', '2\n'],
    ])
  })

  it('say the line at which they begin and their text', () => {
    expect(read('h\r\n\n"a\nb\r\nc",1\n"d",e\n')).toMatchObject([
      { line: 1, text: 'h' },
      { line: 2, text: '' },
      { line: 3, text: '"a\nb\r\nc",1' },
      { line: 6, text: '"d",e' },
    ])
  })

  it('are one token without a separator, whatever is in them', () => {
    const format = { separator: null, eol: '\n', quote: '"' }
    expect(tokensOf('{"a":"x,y"}\n{"b\n', format)).toEqual([['{"a":"x,y"}'], ['{"b']])
  })

  it('begin behind a byte order mark, which elsewhere is data', () => {
    expect(tokensOf('\ufeff"a",b\n\ufeffc,d')).toEqual([
      ['a', 'b'],
      ['\ufeffc', 'd'],
    ])
    expect(tokensOf('\ufeff')).toEqual([])
  })

  it('are none in an empty text', () => {
    expect(read('')).toEqual([])
    expect(new DelimitedScanner(csv).read('', true)).toEqual([])
  })
})

describe('separators', () => {
  it('have one character or more', () => {
    const format = { ...csv, separator: '|||' }
    expect(tokensOf('a|||b||c|||"d|||e"|||\n', format)).toEqual([['a', 'b||c', 'd|||e', '']])
    expect(tokensOf('a::b:c\n', { ...csv, separator: '::' })).toEqual([['a', 'b:c']])
  })

  it('may be blanks, which then are no blanks around quotes', () => {
    expect(tokensOf('a "b c"  d\n', { ...csv, separator: ' ' })).toEqual([['a', 'b c', '', 'd']])
    expect(tokensOf('a\t"b"\t\t "c" \n', { ...csv, separator: '\t' })).toEqual([
      ['a', 'b', '', 'c'],
    ])
    expect(tokensOf('"a" | "b" | c\n', { ...csv, separator: ' | ' })).toEqual([['a', 'b', 'c']])
  })
})

describe('quotes', () => {
  it.each([
    ['"a,b",c', ['a,b', 'c']],
    ['"a\nb","c\r\nd"', ['a\nb', 'c\r\nd']],
    ['"say ""hi""",""', ['say "hi"', '']],
    ['""""', ['"']],
    ['"""",""""""', ['"', '""']],
    ['"A", 1999, "one, two"', ['A', ' 1999', 'one, two']],
    [' \t"a" ,\t"b"\t', ['a', 'b']],
    ['5" tall,say "x"', ['5" tall', 'say "x"']],
    [' a ,  ', [' a ', '  ']],
    ['"a\0b",\0', ['a\0b', '\0']],
    ["'a,b'", ["'a", "b'"]],
    ['"😀""😀",é', ['😀"😀', 'é']],
  ])('%j', (text, tokens) => {
    expect(tokensOf(text)).toEqual([tokens])
    expect(tokensOf(`x,y\r\n${text}\r\n${text}`)).toEqual([['x', 'y'], tokens, tokens])
  })

  it('may be single, or data', () => {
    expect(tokensOf(`'it''s, so',"x"\n`, { ...csv, quote: "'" })).toEqual([["it's, so", '"x"']])
    expect(tokensOf('"a,b"\n"c\n', { ...csv, quote: null })).toEqual([['"a', 'b"'], ['"c']])
  })
})

describe('damaged quotes', () => {
  it('cost one line where the quote is never closed', () => {
    expect(faultsOf('1,a\n2,"b\n3,c\n4,d')).toEqual(['1|a', '2 unclosedQuote', '3|c', '4|d'])
    expect(faultsOf('1,"a')).toEqual(['1 unclosedQuote'])
    expect(faultsOf('1,a\r\n2,"\r\n')).toEqual(['1|a', '2 unclosedQuote'])
  })

  it('cost one line where the next quoted value seems to close it', () => {
    const text = 'a,"x\nb,y\nc,"z"\nd,"v\nw"\n'
    expect(faultsOf(text)).toEqual(['1 textAfterQuote', 'b|y', 'c|z', 'd|v\nw'])
  })

  it('cost one line where text follows the closing quote', () => {
    expect(faultsOf('1,"a"b\n2,"c" d,e\n3,f\n')).toEqual([
      '1 textAfterQuote',
      '2 textAfterQuote',
      '3|f',
    ])
  })

  it('cost the lines of the value that look as if they were parts of it', () => {
    expect(faultsOf('1,"He said\nwell "hello" to me",5\n2,x,y\n')).toEqual([
      '1 textAfterQuote',
      '2 strayQuote',
      '2|x|y',
    ])
    expect(faultsOf('1,"a\nb"c\n2,x" y\n')).toEqual(['1 textAfterQuote', '2 strayQuote', '2|x" y'])
  })

  it('leave lines as they are in the text', () => {
    expect(read('1,"a\r\n2,b')).toMatchObject([
      { text: '1,"a', line: 1 },
      { text: '2,b', line: 2 },
    ])
  })
})

describe('the size of a row', () => {
  it('is counted from its first character to its last', () => {
    const rows = (text: string) =>
      read(text, csv, { ...rowSizes, rowSizeMax: 6 }).map(
        ({ fault, tokens }) => fault ?? tokens.join('|'),
      )
    expect(rows('123456\n1234567\nab\n')).toEqual(['123456', 'oversize', 'ab'])
    expect(rows('1234567')).toEqual(['oversize'])
    expect(rows('12345678901234567890\n\nab')).toEqual(['oversize', '', 'ab'])
    expect(rows('"23456\n')).toEqual(['unclosedQuote'])
    expect(rows('"2\n45"\n"2345"\n')).toEqual(['2\n45', '2345'])
    expect(rows('"2345"  \n"234"     ,a\nb\n')).toEqual(['oversize', 'oversize', 'b'])
    expect(rows('a,"4,6",8\nab')).toEqual(['oversize', 'ab'])
    expect(rows('"2,4\n6"\nab')).toEqual(['oversize', 'ab'])
    expect(rows('"2,4\n67"\nab')).toEqual(['unclosedQuote', 'strayQuote', 'ab'])
  })

  it.each([
    ['a long line', (size: number) => 'x'.repeat(4 * size)],
    ['a long quoted value', (size: number) => `"${'x\n'.repeat(size / 2)}"`],
    ['quotes that are never closed', (size: number) => '"a\n'.repeat(size / 8)],
  ])('costs linear time: %s', (_name, textOf) => {
    const timeOf = (size: number) => {
      const text = textOf(size)
      const started = performance.now()
      inPieces(text, 512)
      return performance.now() - started
    }
    timeOf(2 ** 16)
    const ratio = () => timeOf(2 ** 21) / timeOf(2 ** 18)
    // Eight times the text; with the square of the length it takes 64 times as long.
    expect(Math.min(ratio(), ratio(), ratio())).toBeLessThan(48)
  })

  it('is counted in tokens, too', () => {
    const faults = (text: string) =>
      read(text, csv, { ...rowSizes, tokenCountMax: 3 }).map(({ fault, tokens }) => fault ?? tokens)
    const three = [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
    ]
    expect(faults('a,b,c\n"1",2,3\n')).toEqual(three)
    expect(faults('a,b,c\n1,2,3,4\n"1",2,3,4,5\n1,2,3')).toEqual([
      three[0],
      'tooManyTokens',
      'tooManyTokens',
      three[1],
    ])
  })

  it('does not move the count of lines', () => {
    const text = `${'x'.repeat(20)}\n"a\nb"${'y'.repeat(20)}\nc\n`
    expect(
      read(text, csv, { ...rowSizes, rowSizeMax: 8 }).map(({ line, fault }) => [line, fault]),
    ).toEqual([
      [1, 'oversize'],
      [2, 'textAfterQuote'],
      [3, 'oversize'],
      [4, null],
    ])
  })
})

it('reads a whole text', () => {
  expect(rowsOfText('a,b\n', csv)).toMatchObject([{ tokens: ['a', 'b'] }])
})
