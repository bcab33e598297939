/** What the functions of one line make together: each text is within its limit, their sum is not. */
import { describe, expect, it } from 'vitest'
import { LOAD_LINE_CHARS_MADE_MAX, LOAD_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import type { ValueSyntax } from '#query/syntax/script/ast-script.ts'
import { Evaluator } from './evaluate.ts'
import { LineLimit } from './line-limits.ts'
import type { Row } from './row.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }
const row = {} as Row
const constant = (text: string): ValueSyntax => ({ kind: 'constant', text })
const call = (name: string, ...given: ValueSyntax[]): ValueSyntax => ({
  kind: 'call',
  name,
  arguments: given,
})
/** A text of the longest size, made by a function. */
const longest = call('lpad', constant('x'), constant(String(LOAD_TEXT_CHARS_MAX)), constant('ab'))
const textCount = LOAD_LINE_CHARS_MADE_MAX / LOAD_TEXT_CHARS_MAX

describe('the functions of a line', () => {
  it('make so many characters in nested calls, and no more', () => {
    const evaluator = new Evaluator(clock)
    const lists = (count: number) => call('list', ...Array.from({ length: count }, () => longest))
    expect(() => evaluator.value(lists(textCount), row)).not.toThrow()
    evaluator.budget.reset()
    expect(() => evaluator.value(lists(textCount + 1), row)).toThrow(LineLimit)
  })

  it('make them anew for the next line', () => {
    const evaluator = new Evaluator(clock)
    for (let line = 0; line < 2 * textCount; line++) {
      evaluator.budget.reset()
      expect(evaluator.text(longest, row)).toHaveLength(LOAD_TEXT_CHARS_MAX)
    }
  })

  it('make them in values that are not nested, too', () => {
    const evaluator = new Evaluator(clock)
    for (let value = 0; value < textCount; value++) evaluator.text(longest, row)
    expect(() => evaluator.text(longest, row)).toThrow(LineLimit)
  })
})
