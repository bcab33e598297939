/** Token functions of loading jobs (docs/reference/gsql/loading.md): texts in, a text out. */
import { randomUUID } from 'node:crypto'
import { parseDatetime } from '#kernel/datetime.ts'
import { agreement, soundex } from '#query/functions/strings.ts'
import { piecesOf } from './line-limits.ts'
import { tokenExpression } from './token-expression.ts'
import {
  characterCount,
  concat,
  positionOf,
  replaceMatches,
  replaceText,
  reverse,
  sized,
  soundOf,
  translate,
} from './token-texts.ts'

export type TokenFunction = (args: readonly string[]) => string

const bool = (value: boolean): string => String(value)
const arg = (args: readonly string[], index: number): string => args[index] ?? ''
const int = (args: readonly string[], index: number, otherwise = 0): number => {
  const value = Number.parseInt(arg(args, index), 10)
  return Number.isNaN(value) ? otherwise : value
}

const texts: Readonly<Record<string, TokenFunction>> = {
  gsql_concat: concat,
  concat,
  gsql_reverse: (args) => reverse(arg(args, 0)),
  gsql_upper: (args) => arg(args, 0).toUpperCase(),
  gsql_lower: (args) => arg(args, 0).toLowerCase(),
  gsql_trim: (args) => arg(args, 0).trim(),
  gsql_ltrim: (args) => arg(args, 0).trimStart(),
  gsql_rtrim: (args) => arg(args, 0).trimEnd(),
  gsql_substring: (args) => {
    const begin = int(args, 1)
    const length = args.length > 2 ? int(args, 2) : Number.POSITIVE_INFINITY
    return arg(args, 0).slice(begin, begin + length)
  },
  gsql_find: (args) => String(positionOf(arg(args, 0), arg(args, 1))),
  gsql_length: (args) => String(characterCount(arg(args, 0))),
  token_len: (args) => String(characterCount(arg(args, 0))),
  gsql_replace: (args) => {
    const countMax = args.length < 4 ? Number.POSITIVE_INFINITY : Math.max(0, int(args, 3))
    return replaceText({ text: arg(args, 0), old: arg(args, 1), by: arg(args, 2), countMax })
  },
  gsql_regex_replace: (args) =>
    replaceMatches(arg(args, 0), tokenExpression(arg(args, 1), 'g'), arg(args, 2)),
  gsql_regex_match: (args) => bool(tokenExpression(`^(?:${arg(args, 1)})$`, '').test(arg(args, 0))),
  ascii: (args) => String(arg(args, 0).codePointAt(0) ?? 0),
  chr: (args) => String.fromCharCode(((int(args, 0) % 256) + 256) % 256),
  left: (args) => arg(args, 0).slice(0, Math.max(0, int(args, 1))),
  right: (args) => (int(args, 1) <= 0 ? '' : arg(args, 0).slice(-int(args, 1))),
  lpad: (args) => arg(args, 0).padStart(sized(int(args, 1)), arg(args, 2) || ' '),
  rpad: (args) => arg(args, 0).padEnd(sized(int(args, 1)), arg(args, 2) || ' '),
  space: (args) => ' '.repeat(Math.min(1_000_000, Math.max(0, int(args, 0)))),
  instr: (args) => String(positionOf(arg(args, 0), arg(args, 1), int(args, 2))),
  insert: (args) => {
    const text = arg(args, 0)
    const added = arg(args, args.length - 1)
    const at = int(args, 1)
    const count = args.length > 3 ? int(args, 2) : 0
    // A negative position counts from the end, so that both parts may overlap.
    sized(2 * text.length + added.length)
    return text.slice(0, at) + added + text.slice(at + count)
  },
  translate: (args) => translate(arg(args, 0), arg(args, 1), arg(args, 2)),
  soundex: (args) => soundex(soundOf(arg(args, 0))),
  difference: (args) =>
    String(agreement(soundex(soundOf(arg(args, 0))), soundex(soundOf(arg(args, 1))))),
  find_in_set: (args) => {
    let index = 0
    for (const piece of piecesOf(arg(args, 1), ',')) {
      if (piece === arg(args, 0)) return String(index)
      index++
    }
    return '-1'
  },
}

/**
 * Truncated towards zero, as texts: 64-bit integers stay exact. Nothing is nothing, and what is no number
 * is given back, so that it does not fit an attribute, as without the function.
 */
function wholeText(text: string): string {
  if (text.trim() === '') return ''
  const plain = /^\s*([+-]?\d+)(?:\.\d*)?\s*$/.exec(text)?.[1]
  if (plain !== undefined) return plain.replace(/^\+/, '')
  const value = Math.trunc(Number(text))
  return Number.isFinite(value) ? String(value) : text
}

type Part = (date: Date) => number
/** What is no time is given back, as by `wholeText`. */
const dateParts = (part: Part) => (args: readonly string[]) => {
  const seconds = parseDatetime(arg(args, 0))
  return Number.isNaN(seconds) ? arg(args, 0) : String(part(new Date(seconds * 1000)))
}
const epochParts = (part: Part) => (args: readonly string[]) => {
  const value = part(new Date(int(args, 0, Number.NaN) * 1000))
  return Number.isNaN(value) ? arg(args, 0) : String(value)
}

const others: Readonly<Record<string, TokenFunction>> = {
  gsql_to_bool: (args) => bool(/^(t|true)$/i.test(arg(args, 0))),
  gsql_to_int: (args) => wholeText(arg(args, 0)),
  gsql_to_uint: (args) => wholeText(arg(args, 0)),
  to_int: (args) => wholeText(arg(args, 0)),
  to_float: (args) => arg(args, 0).trim(),
  gsql_ts_to_epoch_seconds: (args) => {
    const seconds = parseDatetime(arg(args, 0))
    return Number.isNaN(seconds) ? arg(args, 0) : String(seconds)
  },
  gsql_year: dateParts((date) => date.getUTCFullYear()),
  gsql_month: dateParts((date) => date.getUTCMonth() + 1),
  gsql_day: dateParts((date) => date.getUTCDate()),
  gsql_year_epoch: epochParts((date) => date.getUTCFullYear()),
  gsql_month_epoch: epochParts((date) => date.getUTCMonth() + 1),
  gsql_day_epoch: epochParts((date) => date.getUTCDate()),
  gsql_uuid_v4: () => randomUUID(),
  gsql_is_not_empty_string: (args) => bool(arg(args, 0) !== ''),
  gsql_token_equal: (args) => bool(arg(args, 0) === arg(args, 1)),
  gsql_token_ignore_case_equal: (args) =>
    bool(arg(args, 0).toLowerCase() === arg(args, 1).toLowerCase()),
  gsql_is_true: (args) => bool(/^(t|true|1)$/i.test(arg(args, 0))),
  gsql_is_false: (args) => bool(/^(f|false|0)$/i.test(arg(args, 0))),
}

/** All of them, by name. */
export function tokenFunctions(): readonly {
  readonly name: string
  readonly run: TokenFunction
}[] {
  const all = Object.entries({ ...texts, ...others }).map(([name, run]) => ({ name, run }))
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export function findTokenFunction(name: string): TokenFunction | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(texts, key)
    ? texts[key]
    : Object.hasOwn(others, key)
      ? others[key]
      : undefined
}
