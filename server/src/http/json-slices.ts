/**
 * Parses a large JSON body without holding the event loop: containers are cut into runs of members
 * of some size, and each run is left to `JSON.parse`. The result, and what is refused, are the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { markBytes } from '#kernel/byte-order-mark.ts'
import { DbError } from '#kernel/errors.ts'
import {
  APPLY_SLICE_MS_MAX,
  JSON_DEPTH_MAX,
  JSON_OBJECT_MEMBERS_MAX,
  JSON_VALUE_SIZE_BYTES,
} from '#kernel/limits.ts'
import { LoopTurns } from '#kernel/loop-turns.ts'
import { checkDepth, invalidJson, parseText, tooDeep } from './json.ts'
import { isSpace } from './text-start.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
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

/** Yields between two looks at the clock. */
type Sliced<T> = Generator<null | undefined, T>

/** @throws DbError INVALID_JSON as `parseJson` does */
export async function parseJsonInSlices(
  bytes: Uint8Array,
  pieceBytes = JSON_PIECE_BYTES,
): Promise<unknown> {
  try {
    return await inSlices(new Parsing(bytes, pieceBytes).all())
  } catch (cause) {
    throw cause instanceof DbError ? cause : invalidJson(bytes, cause)
  }
}

/**
 * Of all bodies one slice runs in each turn of the event loop: a hundred that arrive together hold it
 * no longer than one does.
 */
const turns = new LoopTurns({ yieldToOthers: () => nextTurn() })

async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let sliceStartMs = performance.now()
  let step = work.next()
  while (!step.done) {
    if (performance.now() - sliceStartMs >= APPLY_SLICE_MS_MAX) {
      await turns.next()
      sliceStartMs = performance.now()
    }
    step = work.next()
  }
  return step.value
}

/** What the values of a JSON text take in memory once it is parsed, about, in bytes. */
export async function memoryEstimateOf(bytes: Uint8Array): Promise<MemoryEstimate> {
  return await inSlices(estimating(bytes))
}

function* estimating(bytes: Uint8Array): Sliced<MemoryEstimate> {
  const estimate = new MemoryEstimate()
  for (let at = 0; at < bytes.length; ) {
    at = estimate.add(bytes, at, Math.min(at + JSON_PIECE_BYTES, bytes.length))
    yield
  }
  return estimate
}

/**
 * Each comma, colon and opening bracket outside of strings counts as a value. Strings count with their
 * length, and twice if the text is not all ASCII: V8 then needs two bytes for each character.
 */
class MemoryEstimate {
  values = 0
  #stringBytes = 0
  #allBits = 0
  #isInString = false

  get sizeBytes(): number {
    return this.values * JSON_VALUE_SIZE_BYTES + this.#stringBytes * (this.#allBits < 0x80 ? 1 : 2)
  }

  /** @returns where the next piece begins */
  add(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    while (at < end)
      at = this.#isInString ? this.#string(bytes, at, end) : this.#other(bytes, at, end)
    return at
  }

  #string(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    let allBits = this.#allBits
    while (at < end) {
      const byte = bytes[at]!
      allBits |= byte
      if (byte === QUOTE) break
      at += byte === BACKSLASH ? 2 : 1
    }
    this.#allBits = allBits
    this.#isInString = at >= end
    this.#stringBytes += at - start
    return this.#isInString ? at : at + 1
  }

  #other(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    let values = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) break
      if (byte === COMMA || byte === COLON || byte === 0x5b || byte === 0x7b) values++
    }
    this.values += values
    this.#isInString = at < end
    return this.#isInString ? at + 1 : at
  }
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
    return this.#value({ start: markBytes(this.#bytes), end: this.#bytes.length })
  }

  *#value(whole: Range): Sliced<unknown> {
    const range = yield* this.#trimmed(whole)
    const open = this.#bytes[range.start]
    const isLong = range.end - range.start > this.#pieceBytes
    if (isLong && open === QUOTE) return yield* this.#text(range)
    const isContainer = open === 0x5b || open === 0x7b
    if (!isContainer && range.end - range.start > JSON_PIECE_BYTES)
      throw new Error('it has a word or a number that is too long')
    if (!isContainer || !isLong) return this.#parsed(range)
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
    let memberCount = 0
    for (const run of this.#runs(inside)) {
      yield
      if (run === null) continue
      if (run.isOneLarge) {
        const colon = yield* this.#endOfKey(run)
        const key = String(yield* this.#value({ start: run.start, end: colon }))
        setOwn(made, key, yield* this.#value({ start: colon + 1, end: run.end }))
        memberCount++
      } else {
        const members = this.#parsed(run, '{', '}') as Record<string, unknown>
        const keys = Object.keys(members)
        memberCount += keys.length
        for (const key of keys) setOwn(made, key, members[key])
      }
      if (memberCount > JSON_OBJECT_MEMBERS_MAX) throw tooManyMembers()
    }
    return made
  }

  /** A long string, from quote to quote: read in pieces that part neither escapes nor characters. */
  *#text({ start, end }: Range): Sliced<string> {
    const last = end - 1
    if ((yield* this.#endOfString(start, end)) !== last) throw new Error('text follows a string')
    let made = ''
    for (let at = start + 1; at < last; ) {
      const cut = this.#cutInString(at, last)
      made += JSON.parse(`"${decoder.decode(this.#bytes.subarray(at, cut))}"`) as string
      at = cut
      yield
    }
    return made
  }

  #cutInString(start: number, last: number): number {
    const wanted = start + this.#pieceBytes
    let at = start
    while (at < wanted && at < last) {
      if (this.#bytes[at] !== BACKSLASH) at++
      else at += this.#bytes[at + 1] === 0x75 ? 6 : 2
    }
    while (at < last && (this.#bytes[at]! & 0xc0) === 0x80) at++
    return Math.min(at, last)
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
        yield yield* this.#run({ start: runStart, end: start - 1, isOneLarge: false })
        runStart = start
      }
      const isLast = end === inside.end
      // Nothing in it at all.
      if (isLast && start === inside.start && (yield* this.#isBlank(member))) return
      if (isLarge || isLast || end - runStart > this.#pieceBytes) {
        yield yield* this.#run({ start: runStart, end, isOneLarge: isLarge })
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
      if (byte === QUOTE) at = yield* this.#endOfString(at, end)
      else depth += depthOf(byte)
      if (depth < 0) throw new Error('it has a bracket too many')
      if (byte !== COMMA || depth > 0) continue
      yield { start: memberStart, end: at }
      memberStart = at + 1
    }
    if (depth !== 0) throw new Error('a bracket is not closed')
    yield { start: memberStart, end }
  }

  *#run(run: Run): Generator<null, Run> {
    if (yield* this.#isBlank(run)) throw new Error('it has a comma too many')
    return run
  }

  *#isBlank(whole: Range): Generator<null, boolean> {
    return (yield* this.#firstText(whole)) === whole.end
  }

  /** The position of the colon behind the key of a member. */
  *#endOfKey({ start, end }: Range): Generator<null, number> {
    const quote = yield* this.#firstText({ start, end })
    if (this.#bytes[quote] !== QUOTE) throw new Error('a key is no string')
    const behind = (yield* this.#endOfString(quote, end)) + 1
    const at = yield* this.#firstText({ start: behind, end })
    if (at === end || this.#bytes[at] !== COLON) throw new Error('there is no colon behind a key')
    return at
  }

  /** The position of the quote that closes the string opened at `start`. */
  *#endOfString(start: number, end: number): Generator<null, number> {
    for (let at = start + 1; at < end; ) {
      const stop = Math.min(at + this.#pieceBytes, end)
      while (at < stop) {
        const byte = this.#bytes[at]
        if (byte === QUOTE) return at
        at += byte === BACKSLASH ? 2 : 1
      }
      yield null
    }
    throw new Error('a string is not closed')
  }

  *#trimmed(whole: Range): Generator<null, Range> {
    const start = yield* this.#firstText(whole)
    let end = whole.end
    while (end > start) {
      const stop = Math.max(end - this.#pieceBytes, start)
      while (end > stop && isSpace(this.#bytes[end - 1]!)) end--
      if (end > stop) break
      yield null
    }
    return { start, end }
  }

  /** The position of the first byte that is no blank; the end when there is none. */
  *#firstText({ start, end }: Range): Generator<null, number> {
    let at = start
    while (at < end) {
      const stop = Math.min(at + this.#pieceBytes, end)
      while (at < stop && isSpace(this.#bytes[at]!)) at++
      if (at < stop) break
      yield null
    }
    return at
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

function tooManyMembers(): DbError {
  const text = `The JSON has an object of more than ${JSON_OBJECT_MEMBERS_MAX} members`
  return new DbError('INVALID_JSON', text)
}

/** `__proto__` is an own key like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else {
    const property = { value, writable: true, enumerable: true, configurable: true }
    Object.defineProperty(object, key, property)
  }
}
