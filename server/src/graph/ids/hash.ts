/** Hashes for ids, dictionaries and edges: multiply and mix, all 32 bits well spread. */

export function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Values of at least this size are hashed in lanes. No id is as long, and tables of ids are stored. */
const LANES_SIZE_BYTES_MIN = 4_096
const LANES_STEP_BYTES = 16

/** Hash of `length` bytes of `bytes` from `start`, four at a time. */
export function hashBytes(bytes: Uint8Array, start: number, length: number): number {
  if (length >= LANES_SIZE_BYTES_MIN) return hashLong(bytes, start, length)
  return hashRange(bytes, start, start + length, length)
}

/** Four lanes that do not wait for one another: each word depends on the one four words before it. */
function hashLong(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length - (length % LANES_STEP_BYTES)
  let [first, second, third, fourth] = [1, 2, 3, 4]
  for (let at = start; at < end; at += LANES_STEP_BYTES) {
    first = mixWord(first, wordIn(bytes, at))
    second = mixWord(second, wordIn(bytes, at + 4))
    third = mixWord(third, wordIn(bytes, at + 8))
    fourth = mixWord(fourth, wordIn(bytes, at + 12))
  }
  const lanes = hashPair(hashPair(first, second), hashPair(third, fourth))
  return hashPair(lanes, hashRange(bytes, end, start + length, length))
}

function mixWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ Math.imul(word, 0xcc9e2d51), 0x1b873593)
  return mixed ^ (mixed >>> 15)
}

function wordIn(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
}

function hashRange(bytes: Uint8Array, start: number, end: number, length: number): number {
  let hash = Math.imul(length + 1, 0x9e3779b1)
  let position = start
  for (; position + 4 <= end; position += 4) {
    hash = mixWord(hash, wordIn(bytes, position))
  }
  for (; position < end; position++) hash = Math.imul(hash ^ bytes[position]!, 0x01000193)
  return mix(hash)
}

export function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ Math.imul(mix(second + 0x7f4a7c15), 0xcc9e2d51))
}

/** The bytes `start .. start + 3` as one number, those at or beyond `end` as 0. */
export function wordAt(bytes: Uint8Array, start: number, end: number): number {
  if (start + 4 <= end) {
    return (
      (bytes[start]! |
        (bytes[start + 1]! << 8) |
        (bytes[start + 2]! << 16) |
        (bytes[start + 3]! << 24)) >>>
      0
    )
  }
  let word = 0
  for (let i = 0; start + i < end; i++) word |= bytes[start + i]! << (8 * i)
  return word >>> 0
}
