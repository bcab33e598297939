/**
 * Parses a large JSON body without holding the event loop: containers are cut into runs of members
 * of some size, and each run is left to `JSON.parse`. The result, and what is refused, are the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DbError } from '#kernel/errors.ts'
import { APPLY_SLICE_MS_MAX, JSON_DEPTH_MAX } from '#kernel/limits.ts'
import { checkDepth, endOfString, invalidJson, parseText, tooDeep } from './json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes that are parsed, or looked through, between two looks at the clock. */
export const JSON_PIECE_BYTES = 64 * 1024

interface Range {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

interface Run extends Range {
  readonly isOneLarge: boolean
}

type Sliced<T> = Generator<undefined, T>

/** @throws DbError INVALID_JSON as `parseJson` does */
export async function parseJsonInSlices(
  bytes: Uint8Array,
  pieceBytes = JSON_PIECE_BYTES,
): Promise<unknown> {
  const parsing = new Parsing(bytes, pieceBytes).all()
  let sliceStartMs = performance.now()
  try {
    let step = parsing.next()
    while (!step.done) {
      if (performance.now() - sliceStartMs >= APPLY_SLICE_MS_MAX) {
        await nextTurn()
        sliceStartMs = performance.now()
      }
      step = parsing.next()
    }
    return step.value
  } catch (cause) {
    throw cause instanceof DbError ? cause : invalidJson(bytes, cause)
  }
}

/** About how many values a JSON text holds: its commas, colons and opening brackets, in slices. */
export async function countValues(bytes: Uint8Array): Promise<number> {
  let count = 0
  let sliceStartMs = performance.now()
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === COMMA || byte === COLON || byte === 0x5b || byte === 0x7b) count++
    if (at % JSON_PIECE_BYTES !== 0 || performance.now() - sliceStartMs < APPLY_SLICE_MS_MAX)
      continue
    await nextTurn()
    sliceStartMs = performance.now()
  }
  return count
}

class Parsing {
  readonly #bytes: Uint8Array
  readonly #pieceBytes: number
  #depth = 0

  constructor(bytes: Uint8Array, pieceBytes: number) {
    this.#bytes = bytes
    this.#pieceBytes = pieceBytes
  }

  all(): Sliced<unknown> {
    // A byte order mark is no part of the text.
    const hasMark = this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf
    return this.#value({ start: hasMark ? 3 : 0, end: this.#bytes.length })
  }

  *#value(whole: Range): Sliced<unknown> {
    const range = this.#trimmed(whole)
    const open = this.#bytes[range.start]
    const isContainer = open === 0x5b || open === 0x7b
    if (!isContainer || range.end - range.start <= this.#pieceBytes) return this.#parsed(range)
    const isArray = open === 0x5b
    if (this.#bytes[range.end - 1] !== (isArray ? 0x5d : 0x7d))
      throw new Error('a bracket is not closed')
    this.#depth++
    if (this.#depth > JSON_DEPTH_MAX) throw tooDeep()
    const inside = { start: range.start + 1, end: range.end - 1 }
    const made: unknown = isArray ? yield* this.#array(inside) : yield* this.#object(inside)
    this.#depth--
    return made
  }

  *#array(inside: Range): Sliced<unknown[]> {
    const items: unknown[] = []
    for (const run of this.#runs(inside)) {
      yield
      if (run === null) continue
      if (run.isOneLarge) items.push(yield* this.#value(run))
      else for (const item of this.#parsed(run, '[', ']') as unknown[]) items.push(item)
    }
    return items
  }

  *#object(inside: Range): Sliced<object> {
    const made: Record<string, unknown> = {}
    for (const run of this.#runs(inside)) {
      yield
      if (run === null) continue
      if (run.isOneLarge) {
        const colon = this.#endOfKey(run)
        const key = String(this.#parsed({ start: run.start, end: colon }))
        setOwn(made, key, yield* this.#value({ start: colon + 1, end: run.end }))
      } else {
        const members = this.#parsed(run, '{', '}') as Record<string, unknown>
        for (const key of Object.keys(members)) setOwn(made, key, members[key])
      }
    }
    return made
  }

  /**
   * Members of a container in runs of about a piece, or one that is larger by itself; null between
   * two looks at the clock.
   */
  *#runs(inside: Range): Generator<Run | null, void> {
    let runStart = inside.start
    for (const member of this.#members(inside)) {
      if (member === null) {
        yield null
        continue
      }
      const { start, end } = member
      const isLarge = end - start > this.#pieceBytes
      if (isLarge && runStart < start) {
        yield this.#run(runStart, start - 1, false)
        runStart = start
      }
      const isLast = end === inside.end
      // Nothing in it at all.
      if (isLast && start === inside.start && this.#isBlank(start, end)) return
      if (isLarge || isLast || end - runStart > this.#pieceBytes) {
        yield this.#run(runStart, end, isLarge)
        runStart = end + 1
      }
    }
  }

  /** What the commas of a container part; null between two looks at the clock. */
  *#members({ start, end }: Range): Generator<Range | null, void> {
    let memberStart = start
    let lookAt = start + this.#pieceBytes
    let depth = 0
    for (let at = start; at < end; at++) {
      if (at >= lookAt) {
        lookAt = at + this.#pieceBytes
        yield null
      }
      const byte = this.#bytes[at]!
      if (byte === QUOTE) at = this.#endOfString(at, end)
      else depth += depthOf(byte)
      if (depth < 0) throw new Error('it has a bracket too many')
      if (byte !== COMMA || depth > 0) continue
      yield { start: memberStart, end: at }
      memberStart = at + 1
    }
    if (depth !== 0) throw new Error('a bracket is not closed')
    yield { start: memberStart, end }
  }

  #run(start: number, end: number, isOneLarge: boolean): Run {
    if (this.#isBlank(start, end)) throw new Error('it has a comma too many')
    return { start, end, isOneLarge }
  }

  #isBlank(start: number, end: number): boolean {
    const range = this.#trimmed({ start, end })
    return range.start === range.end
  }

  /** The position of the colon behind the key of a member. */
  #endOfKey({ start, end }: Range): number {
    let at = this.#trimmed({ start, end }).start
    if (this.#bytes[at] !== QUOTE) throw new Error('a key is no string')
    at = this.#endOfString(at, end) + 1
    while (at < end && isSpace(this.#bytes[at]!)) at++
    if (this.#bytes[at] !== COLON) throw new Error('there is no colon behind a key')
    return at
  }

  /** The position of the quote that closes the string opened at `start`. */
  #endOfString(start: number, end: number): number {
    const at = endOfString(this.#bytes, start)
    if (at >= end) throw new Error('a string is not closed')
    return at
  }

  #trimmed({ start, end }: Range): Range {
    let [first, last] = [start, end]
    while (first < last && isSpace(this.#bytes[first]!)) first++
    while (last > first && isSpace(this.#bytes[last - 1]!)) last--
    return { start: first, end: last }
  }

  #parsed({ start, end }: Range, open = '', close = ''): unknown {
    const piece = this.#bytes.subarray(start, end)
    checkDepth(piece, JSON_DEPTH_MAX - this.#depth)
    return parseText(open + decoder.decode(piece) + close)
  }
}

/** How a byte outside of strings changes it. */
function depthOf(byte: number): number {
  if (byte === 0x7b || byte === 0x5b) return 1
  return byte === 0x7d || byte === 0x5d ? -1 : 0
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** `__proto__` is an own key like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else {
    const property = { value, writable: true, enumerable: true, configurable: true }
    Object.defineProperty(object, key, property)
  }
}
