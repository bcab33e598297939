/**
 * A text cell as the JSON text of an attribute value. Texts, not values, because integers of 64
 * bits must reach the server digit by digit.
 */

import { parseLossless } from '../json/lossless-json.ts'
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
  return scalarJson(type, type === 'STRING' || type === 'STRING COMPRESS' ? cell : text)
}

/** What is wrong with an id, or null. */
export function idProblem(idType: string, id: string): string | null {
  if (id === '') return 'the id is empty'
  if (idType === 'STRING') return null
  const problem = defaultProblem(idType, id)
  return problem === null ? null : `the id ${id} is no ${idType}`
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
    case 'STRING':
    case 'STRING COMPRESS':
      return checked(type, text, JSON.stringify(text))
    default:
      return anyJson(type, text)
  }
}

function checked(type: string, text: string, json: string): CellResult {
  const problem = defaultProblem(type, text)
  return problem === null
    ? { ok: true, json }
    : { ok: false, problem: `${quoted(text)} is no ${type}` }
}

/** Tuples and fixed binaries have no text form of their own: the cell holds the JSON itself. */
function anyJson(type: string, text: string): CellResult {
  try {
    JSON.parse(text)
    return { ok: true, json: text }
  } catch {
    return { ok: false, problem: `${quoted(text)} is no JSON for ${type}` }
  }
}

/** A JSON array, or values between `|` or `;`. */
function listJson(element: string, text: string): CellResult {
  if (text.startsWith('[')) return anyJson(`LIST<${element}>`, text)
  const parts = text.split(/[|;]/).filter((part) => part.trim() !== '')
  return joined(parts.map((part) => scalarJson(element, part.trim())))
}

/** A JSON object, or `key:value` between `|` or `;`. */
function mapJson(key: string, value: string, text: string): CellResult {
  const entries = text.startsWith('{') ? objectEntries(text) : pairEntries(text)
  if (entries === null) return { ok: false, problem: `${quoted(text)} is no MAP` }
  const keys = joined(entries.map(([name]) => scalarJson(key, name)))
  if (!keys.ok) return keys
  const values = joined(entries.map(([, one]) => scalarJson(value, one)))
  if (!values.ok) return values
  return { ok: true, json: `{"keylist":${keys.json},"valuelist":${values.json}}` }
}

function objectEntries(text: string): (readonly [string, string])[] | null {
  try {
    const entries = Object.entries(parseLossless(text) as object)
    return entries.map(([name, one]) => [name, String(one)])
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
