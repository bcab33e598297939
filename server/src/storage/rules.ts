/** What every store refuses alike, so that a test over one speaks for the others. */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { DOCUMENT_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { FRAME_PAYLOAD_SIZE_BYTES_MAX } from './frame/frame.ts'

/** @throws DbError BODY_TOO_LARGE */
export function checkPayload(payload: Uint8Array): void {
  assert(payload.length > 0, 'a log entry carries a payload')
  if (payload.length > FRAME_PAYLOAD_SIZE_BYTES_MAX) {
    throw new DbError(
      'BODY_TOO_LARGE',
      `a commit of ${payload.length} bytes is over the limit of ${FRAME_PAYLOAD_SIZE_BYTES_MAX}`,
    )
  }
}

/** @throws DbError BODY_TOO_LARGE */
export function checkDocument(bytes: Uint8Array): void {
  if (bytes.length > DOCUMENT_SIZE_BYTES_MAX) {
    throw new DbError(
      'BODY_TOO_LARGE',
      `a document of ${bytes.length} bytes is over the limit of ${DOCUMENT_SIZE_BYTES_MAX}`,
    )
  }
}

/** A checkpoint never folds what is not in the log, and never un-folds. */
export function foldBounds(folded: number, currentlyFolded: number, lastSequence: number): void {
  assert(folded >= currentlyFolded, 'a checkpoint contains at least what the one before contained')
  assert(folded <= lastSequence, 'a checkpoint contains only durable entries')
}
