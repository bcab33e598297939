/** JSON with the place of every member, for messages that point into the text. */

/** Offsets in the text, `to` exclusive. */
export interface Place {
  readonly from: number
  readonly to: number
}

export type PlacedJson =
  | {
      readonly ok: true
      readonly value: unknown
      /** Of a member of an object or list; of the whole text where there is no such member. */
      readonly placeOf: (owner: object, key: string | number) => Place
    }
  | ({ readonly ok: false; readonly message: string } & Place)

interface Token extends Place {
  readonly text: string
}

const tokens =
  /[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b|[^\s{}[\],:"]+|"/y
const blanks = /\s*/y
const wholeNumber = /^-?\d+$/

class Mistake extends Error {
  readonly at: Place

  constructor(message: string, at: Place) {
    super(message)
    this.at = at
  }
}

export function readPlacedJson(text: string): PlacedJson {
  const reader = new Reader(text)
  try {
    const value = reader.whole()
    const placeOf = (owner: object, key: string | number) =>
      reader.places.get(owner)?.get(String(key)) ?? { from: 0, to: 1 }
    return { ok: true, value, placeOf }
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, message: error.message, ...error.at }
    if (!(error instanceof RangeError)) throw error
    return { ok: false, message: 'This is nested too deep.', from: 0, to: 1 }
  }
}

class Reader {
  readonly places = new WeakMap<object, Map<string, Place>>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value(this.#next())
    const rest = this.#next()
    if (rest.text !== '') throw new Mistake('The text ends before this.', rest)
    return value
  }

  /** The empty text at the end. */
  #next(): Token {
    blanks.lastIndex = this.#at
    blanks.exec(this.#text)
    const from = blanks.lastIndex
    tokens.lastIndex = from
    const text = tokens.exec(this.#text)?.[0] ?? ''
    this.#at = from + text.length
    return { text, from, to: this.#at }
  }

  #value(token: Token): unknown {
    if (token.text === '{') return this.#members('}', {})
    if (token.text === '[') return this.#members(']', [])
    if (/^[\]},:]?$/.test(token.text)) throw new Mistake('A value belongs here.', token)
    return scalar(token)
  }

  #members(end: string, owner: object): object {
    const places = new Map<string, Place>()
    this.places.set(owner, places)
    for (let first = this.#next(); first.text !== end || places.size > 0; first = this.#next()) {
      const key = end === ']' ? String(places.size) : this.#key(first)
      if (places.has(key)) throw new Mistake(`${key} stands here twice.`, first)
      const value = this.#value(end === ']' ? first : this.#next())
      Object.defineProperty(owner, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
      places.set(key, { from: first.from, to: this.#at })
      const after = this.#next()
      if (after.text === end) break
      if (after.text !== ',') throw new Mistake(`A comma or ${end} belongs here.`, after)
    }
    return owner
  }

  #key(token: Token): string {
    const key = token.text.startsWith('"') ? scalar(token) : null
    if (typeof key !== 'string') throw new Mistake('A name in quotes belongs here.', token)
    const colon = this.#next()
    if (colon.text !== ':') throw new Mistake('A colon belongs here.', colon)
    return key
  }
}

function scalar(token: Token): unknown {
  try {
    const value: unknown = JSON.parse(token.text)
    const isExact = typeof value !== 'number' || Number.isSafeInteger(value)
    return isExact || !wholeNumber.test(token.text) ? value : BigInt(token.text)
  } catch {
    throw new Mistake('This is not JSON.', token)
  }
}
