/**
 * Layout of a query text: each line at the depth of what it stands in, no blanks at the ends of
 * lines, one empty line at most. Lines are neither joined nor broken, and nothing between the first
 * and the last token of a line is touched, so a text means the same after as before.
 *
 * A frame is something that is open: a bracket, or a block that END closes. What it holds stands
 * one step deeper than the line that opened it; what closes it stands with that line.
 */
import { lex } from './lexer.ts'
import type { Token } from './token.ts'

const STEP = '  '

const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
])
const BLOCKS = new Set(['IF', 'WHILE', 'FOREACH', 'CASE', 'TRY'])
/** Where statements of a block begin. */
const BODY_WORDS = new Set(['THEN', 'DO', 'ELSE', 'TRY'])
/** Words that stand with the line which opened their block. */
const HINGES = new Set(['ELSE', 'ELSEIF', 'THEN', 'DO', 'EXCEPTION', 'END'])
const CLAUSES = new Set(
  'FROM WHERE SAMPLE ACCUM POST-ACCUM HAVING GROUP ORDER LIMIT OFFSET PER'.split(' '),
)
const CYPHER_CLAUSES = new Set(
  `MATCH OPTIONAL WHERE WITH RETURN ORDER SKIP LIMIT UNWIND CREATE MERGE SET REMOVE DELETE DETACH
  UNION CALL ON`.split(/\s+/),
)

interface Frame {
  /** `}`, `)`, `]`, or `END`; empty: the text itself. */
  readonly closer: string
  readonly isCase: boolean
  /** Of the line that opened it. */
  readonly base: number
  /** Begun and not ended: what follows on another line belongs to it. */
  inStatement: boolean
  inSelect: boolean
}

/** Null for a text whose tokens cannot be told apart. */
export function formatText(text: string): string | null {
  const { tokens, problems } = lex(text)
  if (problems.length > 0) return null
  const layout = new Layout(tokens.some(({ upper }) => upper === 'OPENCYPHER'))
  const within = linesWithin(text, tokens)
  const lines: string[] = []
  let start = 0
  let next = 0
  for (const [number, line] of text.split('\n').entries()) {
    const end = start + line.length
    const first = next
    while (tokens[next]!.kind !== 'end' && tokens[next]!.start <= end) next++
    const own = tokens.slice(first, next)
    const isComment = /^\s*(#|\/[/*])/.test(line)
    const depth = layout.depthOf(isComment ? undefined : own[0])
    const shown = within.has(number + 1) ? line : line.trimEnd()
    addLine(
      lines,
      within.has(number) ? shown : STEP.repeat(depth) + shown.trimStart(),
      within.has(number),
    )
    layout.take(own, depth)
    start = end + 1
  }
  while (lines.at(-1) === '') lines.pop()
  return lines.join('\n') + (text.endsWith('\n') && lines.length > 0 ? '\n' : '')
}

/** @param within the line begins inside a text or a comment, in which empty lines stay */
function addLine(lines: string[], line: string, within: boolean): void {
  if (within || line.trim() !== '') lines.push(line)
  else if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
}

/** Numbers of the lines that begin inside a text or a comment. */
function linesWithin(text: string, tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>()
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1
  const note = (from: number, to: number) => {
    const count = text.slice(from, to).split('\n').length - 1
    const first = count === 0 ? 0 : lineOf(from)
    for (let line = 1; line <= count; line++) found.add(first + line)
  }
  let gapStart = 0
  for (const { start, end } of tokens) {
    for (const comment of text
      .slice(gapStart, start)
      .matchAll(/(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//g)) {
      note(gapStart + comment.index, gapStart + comment.index + comment[0].length)
    }
    note(start, end)
    gapStart = end
  }
  return found
}

class Layout {
  readonly #clauses: ReadonlySet<string>
  readonly #isCypher: boolean
  readonly #frames: Frame[] = [frame('', -1)]
  #previous = ''

  constructor(isCypher: boolean) {
    this.#isCypher = isCypher
    this.#clauses = isCypher ? CYPHER_CLAUSES : CLAUSES
  }

  get #top(): Frame {
    return this.#frames.at(-1)!
  }

  /** Of a line that begins with this token; a comment stands where a statement would. */
  depthOf(first: Token | undefined): number {
    const { closer, base } = this.#top
    const word = first?.upper ?? ''
    if (closer === '') return 0
    if (word === closer) return base
    switch (closer) {
      case 'END':
        return base + this.#stepsInBlock(word)
      case '}':
        return base + this.#stepsInBody(word)
      default:
        return base + 1
    }
  }

  #stepsInBlock(word: string): number {
    if (this.#top.isCase) return word === 'WHEN' || word === 'ELSE' ? 1 : 2
    return HINGES.has(word) ? 0 : this.#stepsInBody(word)
  }

  #stepsInBody(word: string): number {
    if (this.#isCypher) return this.#clauses.has(word) || word === '' ? 1 : 2
    if (!this.#top.inStatement) return 1
    return this.#top.inSelect && !this.#clauses.has(word) ? 3 : 2
  }

  /** The tokens of a line at this depth. */
  take(tokens: readonly Token[], depth: number): void {
    for (const token of tokens) {
      this.#takeOne(token, depth)
      this.#previous = token.upper
    }
  }

  #takeOne({ kind, upper, text }: Token, depth: number): void {
    const top = this.#top
    const closer = kind === 'symbol' ? BRACKETS.get(text) : undefined
    if (closer !== undefined) {
      top.inStatement = true
      this.#frames.push(frame(closer, top.closer === '' ? 0 : depth))
    } else if (top.closer !== '' && upper === top.closer && kind !== 'string') {
      this.#frames.pop()
    } else if (kind === 'name' && this.#opensBlock(upper)) {
      top.inStatement = true
      this.#frames.push(frame('END', depth, upper === 'CASE'))
      this.#top.inStatement = upper !== 'TRY'
    } else this.#continue(kind, upper)
  }

  #opensBlock(word: string): boolean {
    if (!BLOCKS.has(word)) return false
    if (this.#isCypher) return word === 'CASE'
    // ELSE IF goes on with the block that is open; TRY is a word at the start of a statement only.
    if (word === 'IF') return this.#previous !== 'ELSE'
    return word !== 'TRY' || !this.#top.inStatement
  }

  #continue(kind: Token['kind'], upper: string): void {
    const top = this.#top
    const ends = upper === ';' || (top.closer === 'END' && (upper === ',' || BODY_WORDS.has(upper)))
    top.inStatement = kind === 'string' || !ends
    if (!top.inStatement) top.inSelect = false
    else if (kind === 'name' && upper === 'SELECT') top.inSelect = true
  }
}

const frame = (closer: string, base: number, isCase = false): Frame => ({
  closer,
  isCase,
  base,
  inStatement: false,
  inSelect: false,
})
