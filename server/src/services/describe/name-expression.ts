/**
 * Regular expressions over names (`SHOW … -r`), which must match a whole name. Nothing is tried one
 * way after the other: each part turns all the places where it may begin into all those where it
 * may end. So the time grows with the lengths alone, whatever repeats what.
 */
import { DbError } from '#kernel/errors.ts'

/** From the places of a name where a part begins to those where it ends. */
type Part = (name: string, from: ReadonlySet<number>) => ReadonlySet<number>

const EXPRESSION_SIZE_CHARS_MAX = 100
/** Of a counted repetition: no name is longer. */
const REPEAT_COUNT_MAX = 256

/** @throws DbError INVALID_PARAMETER for a text that is none, or looks beyond one character */
export function nameExpression(text: string): (name: string) => boolean {
  if (text.length > EXPRESSION_SIZE_CHARS_MAX) throw noExpression(text)
  const whole = new Reader(text).whole()
  return (name) => whole(name, new Set([0])).has(name.length)
}

function noExpression(text: string): DbError {
  const shown = text.slice(0, EXPRESSION_SIZE_CHARS_MAX)
  return new DbError('INVALID_PARAMETER', `Invalid syntax: '${shown}' is no simple expression.`)
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Part {
    const part = this.#choice()
    if (this.#at < this.#text.length) throw noExpression(this.#text)
    return part
  }

  #choice(): Part {
    const parts = [this.#sequence()]
    while (this.#take(/\|/y) !== null) parts.push(this.#sequence())
    return (name, from) => new Set(parts.flatMap((part) => [...part(name, from)]))
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at]!)) {
      parts.push(this.#repeated())
    }
    return (name, from) => parts.reduce((places, part) => part(name, places), from)
  }

  #repeated(): Part {
    const part = this.#atom()
    const found = this.#take(/([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (found === null) return part
    const [, sign = '', count, comma, last] = found
    const few = count === undefined ? (sign === '+' ? 1 : 0) : Number(count)
    const open = count === undefined ? sign !== '?' : comma !== undefined && last === ''
    const many = count === undefined ? 1 : Number(last ?? count)
    if (few > REPEAT_COUNT_MAX || (!open && (many > REPEAT_COUNT_MAX || many < few))) {
      throw noExpression(this.#text)
    }
    const some = times(part, few)
    const more = reached(part, open ? Number.POSITIVE_INFINITY : many - few)
    return (name, from) => more(name, some(name, from))
  }

  #atom(): Part {
    if (this.#take(/\((\?:)?/y) !== null) {
      const part = this.#choice()
      if (this.#take(/\)/y) === null) throw noExpression(this.#text)
      return part
    }
    if (this.#take(/\^/y) !== null) return (_name, from) => (from.has(0) ? new Set([0]) : nowhere)
    if (this.#take(/\$/y) !== null) {
      return ({ length }, from) => (from.has(length) ? new Set([length]) : nowhere)
    }
    // A class, a character by its escape, or itself; \b and references look elsewhere.
    const one = this.#take(/\[\^?(?:\\.|[^\]\\])*\]|\\[^bBkpPcux0-9]|\{(?!\d)|[^\\()[*+?|{]/y)
    if (one === null) throw noExpression(this.#text)
    return character(one[0], this.#text)
  }

  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)
    this.#at += found?.[0].length ?? 0
    return found
  }
}

const nowhere: ReadonlySet<number> = new Set()

function character(written: string, text: string): Part {
  const tests = singleCharacter(written, text)
  return (name, from) => {
    const places = [...from].filter((place) => place < name.length && tests.test(name[place]!))
    return new Set(places.map((place) => place + 1))
  }
}

function singleCharacter(written: string, text: string): RegExp {
  try {
    return new RegExp(`^${/^[.[\\]/.test(written) ? written : escaped(written)}$`, 's')
  } catch {
    throw noExpression(text)
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function times(part: Part, count: number): Part {
  return (name, from) => {
    let places = from
    for (let done = 0; done < count; done++) {
      const next = part(name, places)
      // From here on every round leads to the same places.
      if (isSame(next, places)) break
      places = next
    }
    return places
  }
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((place) => other.has(place))
}

/** Where up to `count` of a part lead; each round goes on from new places alone. */
function reached(part: Part, count: number): Part {
  return (name, from) => {
    const all = new Set(from)
    let last: ReadonlySet<number> = from
    for (let done = 0; done < count && last.size > 0; done++) {
      last = new Set([...part(name, last)].filter((place) => !all.has(place)))
      for (const place of last) all.add(place)
    }
    return all
  }
}
