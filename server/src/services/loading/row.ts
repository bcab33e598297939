/** One line as the column expressions see it: tokens by position and name, or a JSON object. */

export interface Row {
  /** Null: there is no such column. */
  at(position: number): string | null
  column(path: readonly string[]): Loaded
  readonly fileName: string
}

/** What an expression yields: null for nothing, a token, or what only an attribute can hold. */
export type Loaded =
  | null
  | string
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'entries'; readonly entries: readonly (readonly [string, string])[] }
  | { readonly kind: 'tuple'; readonly name: string; readonly fields: readonly string[] }
  /** The JSON text of a whole attribute. */
  | { readonly kind: 'json'; readonly text: string }

export class TokenRow implements Row {
  readonly #tokens: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly fileName: string

  constructor(tokens: readonly string[], positions: ReadonlyMap<string, number>, fileName: string) {
    this.#tokens = tokens
    this.#positions = positions
    this.fileName = fileName
  }

  at(position: number): string | null {
    return this.#tokens[position] ?? null
  }

  column(path: readonly string[]): Loaded {
    const position = this.#positions.get(path[0] ?? '')
    return position === undefined ? null : this.at(position)
  }
}

/** Numbers of JSON are kept as they were written: 64 bits stay exact. */
export type JsonTokens = string | boolean | null | readonly JsonTokens[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonTokens
}

export class JsonRow implements Row {
  readonly #object: JsonObject
  readonly fileName: string

  constructor(object: JsonObject, fileName: string) {
    this.#object = object
    this.fileName = fileName
  }

  at(): string | null {
    return null
  }

  column(path: readonly string[]): Loaded {
    return tokenOf(this.json(path))
  }

  json(path: readonly string[]): JsonTokens {
    return walk(this.#object, path)
  }
}

export function walk(value: JsonTokens, path: readonly string[]): JsonTokens {
  let found = value
  for (const key of path) {
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found)
    if (!isObject || !Object.hasOwn(found as JsonObject, key)) return null
    found = (found as JsonObject)[key] ?? null
  }
  return found
}

/** The JSON text that a value holds or is; numbers in it are texts. */
export function jsonText(value: JsonTokens): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Arrays of plain values are lists; objects, and arrays of them, are text again. */
export function tokenOf(value: JsonTokens): Loaded {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return { kind: 'list', items: value.map((item) => String(item ?? '')) }
  }
  return JSON.stringify(value)
}
