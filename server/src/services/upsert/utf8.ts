/** Request bodies must be UTF-8: checked once, so that no reader behind it has to. */
import { isUtf8 } from 'node:buffer'
import { DbError } from '#kernel/errors.ts'

/**
 * Checks `bytes[start .. end)`, where `end` is moved back to the beginning of a character.
 * @returns where the next piece begins
 * @throws DbError INVALID_JSON
 */
export function checkUtf8(bytes: Uint8Array, start: number, end: number): number {
  let stop = end
  if (end < bytes.length) {
    for (let back = 0; back < 3 && ((bytes[stop] ?? 0) & 0xc0) === 0x80; back++) stop--
  }
  if (!isUtf8(bytes.subarray(start, stop))) {
    throw new DbError('INVALID_JSON', 'The request body is not valid JSON: it is not UTF-8.', {
      details: { from: start, to: stop },
    })
  }
  return stop
}
