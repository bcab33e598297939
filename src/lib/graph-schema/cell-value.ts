/**
 * A text cell as the JSON text of an attribute value. Texts, not values, because integers of 64
 * bits must reach the server digit by digit.
 */

import { parseLossless, stringifyLossless } from '../json/lossless-json.ts'
import { defaultProblem } from './default-value.ts'

export type CellResult =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly problem: string }

/** An empty cell leaves the attribute out; callers do not ask. */
export function cellJson(type: string, cell: string): CellResult {
  const text = cell.trim()
  const element = /^(?:LIST|SET)<(.+)>$/.exec(type)?.[1]
  if (element !== undefined) return listJson(element, text)
  const map = /^MAP<([^,]+),(.+)>$/.exec(type)
  if (map !== null) return mapJson(map[1] ?? '', map[2] ?? '', text)
  return scalarJson(type, /^(STRING|FIXED_BINARY)/.test(type) ? cell : text)
}

/** What is wrong with an id, or null. */
export function idProblem(idType: string, id: string): string | null {
  if (id === '') return 'the id is empty'
  if (idType === 'STRING') return null
  const problem = defaultProblem(idType, id)
  return problem === null ? null : `the id ${id} is not a valid ${idType}`
}

function scalarJson(type: string, text: string): CellResult {
  switch (type) {
    case 'INT':
    case 'UINT':
      return checked(type, text, text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
    case 'FLOAT':
    case 'DOUBLE':
      return checked(type, text, String(Number(text)))
    case 'BOOL':
      return /^[01]$/.test(text)
        ? { ok: true, json: text === '1' ? 'true' : 'false' }
        : checked(type, text, text.toLowerCase())
    case 'DATETIME':
      return checked(type, ofSeconds(text), JSON.stringify(ofSeconds(text)))
    case 'STRING':
    case 'STRING COMPRESS':
      return checked(type, text, JSON.stringify(text))
    default: {
      const length = /^FIXED_BINARY\((\d+)\)$/.exec(type)?.[1]
      return length === undefined ? tupleJson(type, text) : binaryJson(Number(length), text)
    }
  }
}

/** Seconds since 1970 as the date that they are; any other text as it is. */
function ofSeconds(text: string): string {
  if (!/^-?\d{1,12}$/.test(text)) return text
  return new Date(Number(text) * 1_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** A text of so many bytes, their values as exports write them (`Bytes 97 -1`), or a text as JSON. */
function binaryJson(length: number, text: string): CellResult {
  const type = `FIXED_BINARY(${length})`
  const found = [text, bytesText(text), jsonText(text)].find(
    (one) => one !== null && new TextEncoder().encode(one).length === length,
  )
  if (typeof found === 'string') return { ok: true, json: JSON.stringify(found) }
  return { ok: false, problem: `${quoted(text)} is not a valid ${type}` }
}

function bytesText(text: string): string | null {
  if (!/^Bytes(?: -?\d{1,3})+$/.test(text)) return null
  try {
    const bytes = Int8Array.from(text.split(' ').slice(1).map(Number))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function jsonText(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function checked(type: string, text: string, json: string): CellResult {
  const problem = defaultProblem(type, text)
  return problem === null
    ? { ok: true, json }
    : { ok: false, problem: `${quoted(text)} is not a valid ${type}` }
}

/** Tuples have no text form of their own: the cell holds JSON, by the names of fields or as an upsert has it. */
function tupleJson(type: string, text: string): CellResult {
  try {
    const value = parseLossless(text)
    return { ok: true, json: isObject(value) ? stringifyLossless(asLists(value)) : text }
  } catch {
    return { ok: false, problem: `${quoted(text)} is not valid JSON for ${type}` }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asLists(value: object): object {
  const isUpsert = 'keylist' in value || 'keyList' in value
  return isUpsert ? value : { keylist: Object.keys(value), valuelist: Object.values(value) }
}

const scalarTypes = /^(INT|UINT|FLOAT|DOUBLE|BOOL|STRING|STRING COMPRESS|DATETIME)$/

function arrayJson(element: string, text: string): CellResult {
  try {
    const items = parseLossless(text)
    if (scalarTypes.test(element) || !Array.isArray(items)) return { ok: true, json: text }
    const tuples: readonly unknown[] = items
    return {
      ok: true,
      json: stringifyLossless(tuples.map((one) => (isObject(one) ? asLists(one) : one))),
    }
  } catch {
    return { ok: false, problem: `${quoted(text)} is not valid JSON for LIST<${element}>` }
  }
}

/** A JSON array, or values between `|` or `;`. */
function listJson(element: string, text: string): CellResult {
  if (text.startsWith('[')) return arrayJson(element, text)
  const parts = text.split(/[|;]/).filter((part) => part.trim() !== '')
  return joined(parts.map((part) => scalarJson(element, part.trim())))
}

/** A JSON object, or `key:value` between `|` or `;`. */
function mapJson(key: string, value: string, text: string): CellResult {
  const entries = text.startsWith('{') ? objectEntries(text) : pairEntries(text)
  if (entries === null) return { ok: false, problem: `${quoted(text)} is not a valid MAP` }
  const keys = joined(entries.map(([name]) => scalarJson(key, name)))
  if (!keys.ok) return keys
  const values = joined(entries.map(([, one]) => scalarJson(value, one)))
  if (!values.ok) return values
  return { ok: true, json: `{"keylist":${keys.json},"valuelist":${values.json}}` }
}

function objectEntries(text: string): (readonly [string, string])[] | null {
  try {
    const entries = Object.entries(parseLossless(text) as object)
    return entries.map(([name, one]) => [
      name,
      isObject(one) ? stringifyLossless(one) : String(one),
    ])
  } catch {
    return null
  }
}

function pairEntries(text: string): (readonly [string, string])[] | null {
  const parts = text.split(/[|;]/).filter((part) => part.trim() !== '')
  const pairs = parts.map((part) => {
    const colon = part.indexOf(':')
    return colon < 0 ? null : ([part.slice(0, colon).trim(), part.slice(colon + 1).trim()] as const)
  })
  return pairs.every((pair) => pair !== null) ? pairs : null
}

function joined(results: readonly CellResult[]): CellResult {
  const wrong = results.find((result) => !result.ok)
  if (wrong !== undefined) return wrong
  return { ok: true, json: `[${results.map((one) => (one.ok ? one.json : '')).join(',')}]` }
}

function quoted(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`
}
