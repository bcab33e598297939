/** Mutation batches with the key of their request: docs/formats/mutation-frame.md, version 4. */
import { assert } from '#kernel/assert.ts'
import { KEY_SIZE_BYTES, KEYED_FRAME_VERSION, MUTATION_HEADER_SIZE_BYTES } from './frame-format.ts'

/** Header, key, version of what follows. */
const KEYED_HEADER_SIZE_BYTES = MUTATION_HEADER_SIZE_BYTES + KEY_SIZE_BYTES + 1

/** @param key KEY_SIZE_BYTES as hexadecimal digits */
export function withKey(frame: Uint8Array, key: string): Uint8Array {
  assert(frame[1]! < KEYED_FRAME_VERSION, 'a batch has one key')
  const keyBytes = Buffer.from(key, 'hex')
  assert(keyBytes.length === KEY_SIZE_BYTES, 'keys have one size')
  const body = frame.subarray(MUTATION_HEADER_SIZE_BYTES)
  const bytes = new Uint8Array(KEYED_HEADER_SIZE_BYTES + body.length)
  bytes.set(frame.subarray(0, MUTATION_HEADER_SIZE_BYTES))
  bytes[1] = KEYED_FRAME_VERSION
  bytes.set(keyBytes, MUTATION_HEADER_SIZE_BYTES)
  bytes[KEYED_HEADER_SIZE_BYTES - 1] = frame[1]!
  bytes.set(body, KEYED_HEADER_SIZE_BYTES)
  return bytes
}
