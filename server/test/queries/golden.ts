/**
 * Golden files: queries and their answers as text.
 *
 * ```
 * # A line of explanation.
 * > PRINT 7 / 2, 7 / 2.0;
 * {"7/2":3,"7/2.0":3.5}
 *
 * > (INT k) { PRINT k; }
 * ? k=5
 * {"k":5}
 * ```
 *
 * `>` lines are one query: a body, or from its parameters on, or from OPENCYPHER on. `?` gives arguments as in a URL.
 * What follows, up to a blank line, is the answer: one line per PRINT, digit for digit; or
 * `error CODE at line:column: message` per compile error, `warning …` likewise before the answer;
 * or `failed CODE: message`. `! restart` opens the store again, `! fresh` begins with the people as
 * they were; every file does. A query behind `AD HOC ` is a block without a query around it.
 *
 * `! source …` says where the expectation comes from, in a block of its own for all cases below it:
 *
 * - `oracle`: the naive interpreter (`server/test/oracle`) gives the same answer, checked in each run;
 * - `reference`: the section of the language reference that the comment names;
 * - `by hand`: worked out by hand;
 * - `reviewed`: written by the program and read by a person, as are most messages of errors.
 */
import type { Diagnostic } from '#query/syntax/source.ts'

export interface GoldenCase {
  /** The line of the query in the file, from 1. */
  readonly line: number
  /** The lines that stay: comments, query, arguments. */
  readonly kept: readonly string[]
  readonly query: string
  readonly arguments: string
  readonly restart: boolean
  readonly fresh: boolean
  readonly source: Source | null
  /** A file whose lines follow the answer, each behind `| `; empty: none. */
  readonly file: string
  readonly expected: readonly string[]
}

export const sources = ['oracle', 'reference', 'by hand', 'reviewed'] as const

export type Source = (typeof sources)[number]

/** @throws Error when a source is none of those above */
export function parseGolden(text: string): GoldenCase[] {
  const blocks = text.trimEnd().split(/\n\s*\n/)
  let line = 1
  let common: Source | null = null
  return blocks.map((block) => {
    const lines = block.split('\n')
    const isKept = (at: string) => /^(?:[#>?!]|$)/.test(at)
    const source: Source | null = sourceOf(lines) ?? common
    if (!lines.some((at) => at.startsWith('>'))) common = source
    const golden: GoldenCase = {
      line:
        line +
        Math.max(
          0,
          lines.findIndex((at) => at.startsWith('>')),
        ),
      kept: lines.filter(isKept),
      query: lines.flatMap((at) => (at.startsWith('>') ? [at.replace(/^> ?/, '')] : [])).join('\n'),
      arguments:
        lines
          .find((at) => at.startsWith('?'))
          ?.slice(1)
          .trim() ?? '',
      restart: lines.some((at) => at.startsWith('! restart')),
      file:
        lines
          .find((at) => at.startsWith('! file '))
          ?.slice(7)
          .trim() ?? '',
      fresh: lines.some((at) => at.startsWith('! fresh')),
      source,
      expected: lines.filter((at) => !isKept(at)),
    }
    line += lines.length + 1
    return golden
  })
}

function sourceOf(lines: readonly string[]): Source | null {
  const given = lines.find((at) => at.startsWith('! source '))?.slice('! source '.length)
  if (given === undefined) return null
  const known = sources.find((one) => one === given.trim())
  if (known === undefined) throw new Error(`no source of a golden: ${given}`)
  return known
}

/** Where the expectation of a new case comes from, as far as a program can tell. */
export function likelySource({ kept, query }: GoldenCase, isOracles: boolean): Source {
  if (isOracles) return 'oracle'
  const cites = kept.some((at) => /^# (?:gsql\.md |docs\/reference\/|\d+\.\d+[:,])/.test(at))
  return cites && query !== '' ? 'reference' : 'reviewed'
}

/** The lines that stay, with a source where there was none. */
export function withSource(golden: GoldenCase, source: Source): GoldenCase {
  if (golden.query === '' || golden.source !== null) return golden
  const at = golden.kept.findIndex((line) => line.startsWith('>'))
  return { ...golden, kept: golden.kept.toSpliced(at, 0, `! source ${source}`) }
}

export function formatGolden(
  cases: readonly (GoldenCase & { readonly actual: readonly string[] })[],
): string {
  return `${cases.map(({ kept, actual }) => [...kept, ...actual].join('\n')).join('\n\n')}\n`
}

/** The text that is compiled, and by how many lines its places are further down. */
export function queryText(query: string): { readonly text: string; readonly shift: number } {
  if (query.startsWith('OPENCYPHER')) return { text: `INTERPRET ${query}`, shift: 0 }
  if (query.startsWith('AD HOC ')) return { text: query.slice(7), shift: 0 }
  if (query.startsWith('(')) return { text: `INTERPRET QUERY ${query}`, shift: 0 }
  return { text: `INTERPRET QUERY () {\n${query}\n}`, shift: 1 }
}

export function diagnosticLine(
  { code, severity, place, message }: Diagnostic,
  shift: number,
): string {
  return `${severity} ${code} at ${place.line - shift}:${place.column}: ${message}`
}

/** The elements of a JSON array as they were written. */
export function arrayElements(json: string): string[] {
  const elements: string[] = []
  let depth = 0
  let start = 1
  for (let at = 0; at < json.length; at++) {
    const unit = json[at]
    if (unit === '"') at = endOfString(json, at)
    else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') depth--
    if ((depth === 1 && json[at] === ',') || depth === 0) {
      const element = json.slice(start, at).trim()
      if (element !== '') elements.push(element)
      start = at + 1
    }
  }
  return elements
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
