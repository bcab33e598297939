/** Mutation batches with the key of their request: docs/formats/mutation-frame.md, version 4. */
import { assert } from '#kernel/assert.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { KEY_SIZE_BYTES, KEYED_FRAME_VERSION, MUTATION_HEADER_SIZE_BYTES } from './frame-format.ts'

/** Header, key, version of what follows. */
const KEYED_HEADER_SIZE_BYTES = MUTATION_HEADER_SIZE_BYTES + KEY_SIZE_BYTES + 1

/** @param key KEY_SIZE_BYTES as hexadecimal digits */
export function withKey(frame: Uint8Array, key: string): Uint8Array {
  const { bytes, body } = keyed(frame, key)
  bytes.set(body, KEYED_HEADER_SIZE_BYTES)
  return bytes
}

/** As `withKey`; others have their turns between the pieces of a long batch that are copied. */
export async function withKeyInPieces(
  frame: Uint8Array,
  key: string,
  yieldToOthers: () => Promise<void>,
): Promise<Uint8Array> {
  const { bytes, body } = keyed(frame, key)
  for (let at = 0; at < body.length; at += VALUE_PIECE_BYTES) {
    if (at > 0) await yieldToOthers()
    bytes.set(body.subarray(at, at + VALUE_PIECE_BYTES), KEYED_HEADER_SIZE_BYTES + at)
  }
  return bytes
}

/** All but the body, which belongs behind the header. */
function keyed(frame: Uint8Array, key: string) {
  assert(frame[1]! < KEYED_FRAME_VERSION, 'a batch has one key')
  const keyBytes = Buffer.from(key, 'hex')
  assert(keyBytes.length === KEY_SIZE_BYTES, 'keys have one size')
  const body = frame.subarray(MUTATION_HEADER_SIZE_BYTES)
  const bytes = new Uint8Array(KEYED_HEADER_SIZE_BYTES + body.length)
  bytes.set(frame.subarray(0, MUTATION_HEADER_SIZE_BYTES))
  bytes[1] = KEYED_FRAME_VERSION
  bytes.set(keyBytes, MUTATION_HEADER_SIZE_BYTES)
  bytes[KEYED_HEADER_SIZE_BYTES - 1] = frame[1]!
  return { bytes, body }
}
