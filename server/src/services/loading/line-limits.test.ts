/** What one line of a load may ask for: each limit has a case at it and one past it. */
import { describe, expect, it } from 'vitest'
import {
  LOAD_LINE_CHARS_MADE_MAX,
  LOAD_LIST_ITEMS_MAX,
  LOAD_SEARCH_STEPS_MAX,
  LOAD_TEXT_CHARS_MAX,
} from '#kernel/limits.ts'
import { LineBudget, LineLimit, piecesOf, splitText, TextBuilder } from './line-limits.ts'
import { findTokenFunction } from './token-functions.ts'

const call = (name: string, ...args: string[]) => findTokenFunction(name)!(args)
const longest = 'a'.repeat(LOAD_TEXT_CHARS_MAX)

describe('texts of token functions', () => {
  it.each([
    ['lpad', ['x', String(LOAD_TEXT_CHARS_MAX), 'ab']],
    ['rpad', ['x', String(LOAD_TEXT_CHARS_MAX), 'ab']],
    ['concat', [longest.slice(1), 'b']],
    ['gsql_concat', [longest.slice(1), 'b']],
    ['gsql_replace', [longest.slice(1), 'a', 'bb', '1']],
    ['gsql_replace', [longest.slice(0, LOAD_TEXT_CHARS_MAX / 2), 'a', 'bb']],
    ['gsql_regex_replace', [longest.slice(1), '^a', 'bb']],
    ['insert', [longest.slice(0, LOAD_TEXT_CHARS_MAX / 2), '0', '']],
  ])('%s makes up to the longest text', (name, args) => {
    expect(call(name, ...args).length).toBeLessThanOrEqual(LOAD_TEXT_CHARS_MAX)
  })

  it.each([
    ['lpad', ['x', String(LOAD_TEXT_CHARS_MAX + 1), 'ab']],
    ['lpad', ['x', '500000000', 'ab']],
    ['rpad', ['x', '999999999999', 'ab']],
    ['concat', [longest, 'b']],
    ['gsql_concat', [longest, longest, longest]],
    ['gsql_replace', [longest, 'a', 'bb', '1']],
    ['gsql_replace', [longest.slice(1), '', 'bb']],
    ['gsql_replace', [longest, 'a', 'b'.repeat(53)]],
    ['gsql_regex_replace', [longest, 'a', 'bb']],
    ['gsql_regex_replace', ['a'.repeat(30_000), 'a', "$`$'"]],
    ['gsql_regex_replace', ['a'.repeat(5_000), 'a', '$&'.repeat(5_000)]],
    ['gsql_regex_replace', ['a', 'a', 'b'.repeat(LOAD_TEXT_CHARS_MAX + 1)]],
    ['insert', [longest, '1', 'b']],
    ['insert', [longest, '-1', 'b']],
    [
      'translate',
      ['a', String.fromCodePoint(...Array.from({ length: 10_001 }, (_, i) => 65_536 + i)), ''],
    ],
  ])('%s makes no longer one', (name, args) => {
    expect(() => call(name, ...args)).toThrow(LineLimit)
  })

  it('take no more steps than their text has characters, whatever a count says', () => {
    expect(call('gsql_replace', 'zaz'.repeat(700), 'z', 'y', '2000000000')).toBe('yay'.repeat(700))
    expect(call('gsql_replace', 'zaz', 'z', 'y', '-1')).toBe('zaz')
    expect(call('gsql_replace', 'a,b,c', ',', '', '1')).toBe('ab,c')
    expect(call('gsql_replace', 'zz', 'z', 'zy', '1')).toBe('zyz')
    expect(call('space', '999999999')).toHaveLength(1_000_000)
  })

  it('are what they were for ordinary texts', () => {
    const text = 'a😀b,c😀'.repeat(400)
    expect(call('gsql_reverse', text)).toBe([...text].reverse().join(''))
    expect(call('gsql_length', text)).toBe(String([...text].length))
    expect(call('translate', text, 'a😀', 'x')).toBe(text.replaceAll('a', 'x').replaceAll('😀', ''))
    for (const by of ['$$', '$&-', "$`|$'", '$1$2$10$0$', '<$01>', '$9x']) {
      for (const [of, expression] of [
        ['abcabc', 'b(c)'],
        ['aaa', 'a*'],
        ['xyz', ''],
        ['ab'.repeat(600), '(a)b?'],
      ] as const) {
        const wanted = of.replace(new RegExp(expression, 'g'), by)
        expect(call('gsql_regex_replace', of, expression, by), `${expression} ${by}`).toBe(wanted)
      }
    }
  })

  it('are not looked for where that takes long', () => {
    const half = 'a'.repeat(2_000_000)
    for (const name of ['gsql_find', 'instr']) {
      expect(() => call(name, longest, `${half}b${half}`)).toThrow(LineLimit)
    }
    expect(() => call('gsql_replace', longest, `${half}b${half}`, 'x')).toThrow(LineLimit)
    expect(() => splitText(longest, `${half}b${half}`)).toThrow(LineLimit)
    expect(() => [...piecesOf(longest, `${half}b${half}`)]).toThrow(LineLimit)
    const pattern = 'b'.repeat(Math.floor(LOAD_SEARCH_STEPS_MAX / LOAD_TEXT_CHARS_MAX))
    expect(call('gsql_find', longest, pattern)).toBe('-1')
    expect(() => call('gsql_find', longest, `${pattern}b`)).toThrow(LineLimit)
  })
})

describe('lists and budgets', () => {
  it('hold so many items', () => {
    const commas = ','.repeat(LOAD_LIST_ITEMS_MAX)
    expect(splitText(commas.slice(1), ',')).toHaveLength(LOAD_LIST_ITEMS_MAX)
    expect(() => splitText(commas, ',')).not.toThrow()
    expect(() => splitText(`${commas},`, ',')).toThrow(LineLimit)
    expect(() => splitText(`${commas},`, '')).toThrow(LineLimit)
  })

  it('count all texts of a line', () => {
    const budget = new LineBudget()
    budget.spend(LOAD_LINE_CHARS_MADE_MAX)
    expect(() => budget.spend(1)).toThrow(LineLimit)
    budget.reset()
    budget.spend(1)
  })

  it('gives the pieces of a text as split does', () => {
    for (const [text, separator] of [
      ['', ','],
      [',', ','],
      ['a,b,,c', ','],
      ['a--b-c', '--'],
      ['abc', ''],
    ] as const) {
      expect([...piecesOf(text, separator)]).toEqual(text.split(separator))
    }
  })

  it('builds texts of pieces of all lengths', () => {
    const pieces = ['', 'é', '😀'.repeat(20), 'x'.repeat(5_000), '\ud83d', '\ude00']
    const builder = new TextBuilder()
    for (const piece of pieces) builder.add(piece)
    expect(builder.finish()).toBe(pieces.join(''))
  })
})
