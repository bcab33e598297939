/**
 * JSON lines: only what a loading job reads of an object becomes values; the rest is stepped over, so that
 * memory follows the job and not the line.
 */
import { isDbError } from '#kernel/errors.ts'
import { LOAD_JSON_VALUES_MAX } from '#kernel/limits.ts'
import { JsonBytes } from '../upsert/json-bytes.ts'
import { LineLimit } from './line-limits.ts'
import type { JsonObject, JsonTokens } from './row.ts'

/** What is read below a name: all of it, or only some names in it. */
type Wanted = 'all' | Map<string, Wanted>

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c
/** Shorter texts hold fewer values than the limit. */
const SHORT_SIZE_BYTES = LOAD_JSON_VALUES_MAX

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => JsonTokens

export class JsonColumns {
  readonly #wanted: Map<string, Wanted> = new Map()

  /** @param paths of the names that the job reads, outermost first */
  constructor(paths: Iterable<readonly string[]>) {
    for (const path of paths) want(this.#wanted, path)
  }

  /**
   * @returns null for what is no JSON object
   * @throws LineLimit for a column of too many values
   */
  read(line: string): JsonObject | null {
    const reader = new JsonBytes(Buffer.from(line))
    try {
      if (reader.peek() !== OPEN_OBJECT) return null
      const object = members(reader, this.#wanted)
      return reader.peek() < 0 ? object : null
    } catch (error) {
      if (isDbError(error, 'INVALID_JSON') || error instanceof SyntaxError) return null
      throw error
    }
  }
}

function want(names: Map<string, Wanted>, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return
  const known = names.get(name)
  if (known === 'all') return
  if (rest.length === 0) {
    names.set(name, 'all')
    return
  }
  const inner = known ?? new Map<string, Wanted>()
  names.set(name, inner)
  want(inner, rest)
}

/** Of the object that begins at the reader; a name that repeats has its last value. */
function members(reader: JsonBytes, wanted: ReadonlyMap<string, Wanted>): JsonObject {
  const object: Record<string, JsonTokens> = Object.create(null) as Record<string, JsonTokens>
  reader.at++
  for (let isFirst = true; reader.nextMember(CLOSE_OBJECT, isFirst); isFirst = false) {
    reader.key()
    const name = reader.textOf()
    const inner = wanted.get(name)
    if (inner === 'all') object[name] = wholeValue(reader, name)
    else if (inner !== undefined && reader.peek() === OPEN_OBJECT) {
      object[name] = members(reader, inner)
    } else {
      // Of a name that repeats the last one counts, whatever it is.
      delete object[name]
      reader.skipValue(1)
    }
  }
  return object
}

/** Numbers are kept as they were written: 64 bits stay exact. */
function wholeValue(reader: JsonBytes, name: string): JsonTokens {
  reader.peek()
  const start = reader.at
  reader.skipValue(1)
  const { bytes, at: end } = reader
  if (end - start > SHORT_SIZE_BYTES && valuesIn(bytes, start, end) > LOAD_JSON_VALUES_MAX) {
    throw new LineLimit(`${name} has more than ${LOAD_JSON_VALUES_MAX} values`)
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
  return parseWithSource(text, (_key, part, { source }) =>
    typeof part === 'number' ? (source ?? String(part)) : part,
  )
}

/** Commas outside of texts, each of which is followed by a value. */
function valuesIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 1
  let isInText = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === 0x22) isInText = !isInText
    else if (byte === 0x5c) at++
    else if (byte === COMMA && !isInText) count++
  }
  return count
}
