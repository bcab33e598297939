/** The text under which each query of a script is kept. */
import { lex } from '#query/syntax/lexer.ts'
import type { SourceRange } from '#query/syntax/source.ts'

/** A query has the comments before it, and the last of a script those after it, too. */
export function queryTexts(text: string, ranges: readonly SourceRange[]): readonly string[] {
  return ranges.map(({ start, end }, place) => {
    const before = text.slice(ranges[place - 1]?.end ?? 0, start)
    const after = place + 1 < ranges.length ? '' : text.slice(end)
    return (comments(before) + text.slice(start, end) + comments(after)).trim()
  })
}

/** Empty where there is more than comments between two queries. */
const comments = (part: string): string =>
  lex(part).tokens.every(({ kind }) => kind === 'end') ? part : ''
