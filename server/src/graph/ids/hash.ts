/** Hashes for ids, dictionaries and edges: multiply and mix, all 32 bits well spread. */

export function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Hash of `length` bytes of `bytes` from `start`, four at a time. */
export function hashBytes(bytes: Uint8Array, start: number, length: number): number {
  let hash = Math.imul(length + 1, 0x9e3779b1)
  const end = start + length
  let position = start
  for (; position + 4 <= end; position += 4) {
    const word =
      bytes[position]! |
      (bytes[position + 1]! << 8) |
      (bytes[position + 2]! << 16) |
      (bytes[position + 3]! << 24)
    hash = Math.imul(hash ^ Math.imul(word, 0xcc9e2d51), 0x1b873593)
    hash ^= hash >>> 15
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
