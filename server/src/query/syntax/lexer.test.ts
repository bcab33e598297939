import { describe, expect, it } from 'vitest'
import { lex } from './lexer.ts'

const texts = (source: string) => lex(source).tokens.map(({ text }) => text)
const kinds = (source: string) => lex(source).tokens.map(({ kind }) => kind)

describe('lex', () => {
  it('keeps `>` single, so that two generics can close', () => {
    expect(texts('MapAccum<INT, ListAccum<INT>> @@m')).toEqual([
      'MapAccum',
      '<',
      'INT',
      ',',
      'ListAccum',
      '<',
      'INT',
      '>',
      '>',
      'm',
      '',
    ])
  })

  it('reads a dot after a bound as concatenation, not as a real', () => {
    expect(texts('*0..1.<E')).toEqual(['*', '0', '..', '1', '.', '<', 'E', ''])
    expect(texts('*1.(A|B)')).toEqual(['*', '1', '.', '(', 'A', '|', 'B', ')', ''])
  })

  it.each([
    ['1', 'int'],
    ['1.5', 'real'],
    ['1.', 'real'],
    ['.5', 'real'],
    ['1e3', 'real'],
    ['2.5E-3', 'real'],
  ])('reads %s as %s', (source, kind) => {
    expect(kinds(source)).toEqual([kind, 'end'])
  })

  it("takes ' after an accumulator as the previous value, elsewhere as a string", () => {
    expect(texts("s.@score' + 1")).toEqual(['s', '.', 'score', "'", '+', '1', ''])
    expect(kinds("'a b'")).toEqual(['string', 'end'])
    expect(texts('s.@score’')).toEqual(['s', '.', 'score', "'", ''])
  })

  it('drops comments, whatever they contain', () => {
    expect(texts('a # it\'s\n b // "\n /* ; */ c')).toEqual(['a', 'b', 'c', ''])
  })

  it('reads POST-ACCUM and POST_ACCUM as one token', () => {
    expect(texts('post-accum POST_ACCUM')).toEqual(['POST-ACCUM', 'POST-ACCUM', ''])
  })

  it('unescapes strings and keeps unknown escapes', () => {
    expect(texts('"a\\"b\\\\c\\n\\]"')).toEqual(['a"b\\c\n\\]', ''])
  })

  it('lets accumulator names begin with a digit', () => {
    expect(kinds('@2hop @@x')).toEqual(['vertexAccum', 'globalAccum', 'end'])
  })

  it('reports what it does not know and goes on', () => {
    const { tokens, problems } = lex('a § "open')
    expect(problems.map(({ message }) => message)).toEqual([
      "token recognition error at: '§'",
      'unterminated string',
    ])
    expect(tokens.at(-1)?.kind).toBe('end')
  })
})
