/** String functions, 0-based positions. */
import { DbError } from '#kernel/errors.ts'
import { generalText } from '../exec/runtime/number-text.ts'
import type { BuiltIn, FunctionContext } from './functions.ts'

export function stringFunctions({
  text,
  intern,
}: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  const t = (code: unknown) => text(code as number)
  const n = (value: unknown) => Number(value)
  const map = (name: string, change: (value: string) => string): readonly [string, BuiltIn] => [
    name,
    (code) => intern(change(t(code))),
  ]
  return [
    map('lower', (value) => value.toLowerCase()),
    map('upper', (value) => value.toUpperCase()),
    map('reverse', (value) => [...value].reverse().join('')),
    ['length', (code) => t(code).length],
    ['ascii', (code) => t(code).charCodeAt(0) || 0],
    ['chr', (code) => intern(String.fromCharCode(n(code) % 256))],
    ['left', (code, count) => intern(t(code).slice(0, Math.max(0, n(count))))],
    ['right', (code, count) => intern(n(count) <= 0 ? '' : t(code).slice(-n(count)))],
    ['lpad', (code, size, pad) => intern(padded(t(code), n(size), padText(pad, t), true))],
    ['rpad', (code, size, pad) => intern(padded(t(code), n(size), padText(pad, t), false))],
    ['ltrim', (code, set) => intern(trimStart(t(code), set === undefined ? ' ' : t(set)))],
    ['rtrim', (code, set) => intern(trimEnd(t(code), set === undefined ? ' ' : t(set)))],
    ['trim', (code, set) => intern(trimBoth(t(code), set === undefined ? ' ' : t(set)))],
    ['repeat', (code, count) => intern(t(code).repeat(Math.max(0, n(count))))],
    ['space', (count) => intern(' '.repeat(Math.max(0, n(count))))],
    ['replace', (code, old, fresh) => intern(replaced(t(code), t(old), fresh && t(fresh)))],
    ['substr', (code, start, size) => intern(substring(t(code), n(start), size))],
    ['instr', (code, part, from) => t(code).indexOf(t(part), from === undefined ? 0 : n(from))],
    ['find_in_set', (code, list) => t(list).split(',').indexOf(t(code))],
    ['str_to_int', (code) => integerOf(t(code))],
    ['to_string', (value) => intern(generalText(n(value), 6))],
  ]
}

function padText(pad: unknown, text: (code: unknown) => string): string {
  return pad === undefined ? ' ' : text(pad)
}

function padded(value: string, size: number, pad: string, atStart: boolean): string {
  if (value.length >= size) return value.slice(0, Math.max(0, size))
  return atStart ? value.padStart(size, pad) : value.padEnd(size, pad)
}

function trimStart(value: string, set: string): string {
  let from = 0
  while (from < value.length && set.includes(value[from]!)) from++
  return value.slice(from)
}

function trimEnd(value: string, set: string): string {
  let to = value.length
  while (to > 0 && set.includes(value[to - 1]!)) to--
  return value.slice(0, to)
}

function trimBoth(value: string, set: string): string {
  return trimEnd(trimStart(value, set), set)
}

function replaced(value: string, old: string, fresh: unknown): string {
  return old === '' ? value : value.replaceAll(old, typeof fresh === 'string' ? fresh : '')
}

/** A negative start counts from the end. */
function substring(value: string, start: number, size: unknown): string {
  const from = start < 0 ? Math.max(0, value.length + start) : start
  return size === undefined ? value.slice(from) : value.slice(from, from + Number(size))
}

function integerOf(value: string): number {
  const match = /^\s*([+-]?\d+)/.exec(value)
  if (match !== null) return Number(match[1])
  throw new DbError('QUERY_RUNTIME', `Runtime Error: '${value}' is not an integer.`, {
    details: { code: 'GSQL-2601' },
  })
}
