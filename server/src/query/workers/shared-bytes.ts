/** Plain data as bytes that several threads read without a copy. */
import { serialize } from 'node:v8'

export function sharedBytes(value: unknown): Uint8Array<SharedArrayBuffer> {
  const bytes = serialize(value)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}
