/** Mutation batches of loading jobs: docs/formats/mutation-frame.md, version 3. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert } from '#kernel/assert.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import type { LoadPosition } from '../load-positions.ts'
import {
  FRAME_VERSION,
  frameKind,
  MUTATION_HEADER_SIZE_BYTES,
  POSITION_SIZE_BYTES,
  POSITIONED_FRAME_VERSION,
} from './frame-format.ts'

const encoder = new TextEncoder()

/** The batch with a position in front of its runs. @param frame null: one without runs */
export function withPosition(frame: Uint8Array | null, position: LoadPosition): Uint8Array {
  const { bytes, runs } = positioned(frame, position)
  bytes.set(runs, bytes.length - runs.length)
  return bytes
}

/** As `withPosition`; of a long batch, others have their turns between the pieces that are copied. */
export async function withPositionInPieces(
  frame: Uint8Array,
  position: LoadPosition,
): Promise<Uint8Array> {
  const { bytes, runs } = positioned(frame, position)
  const start = bytes.length - runs.length
  for (let at = 0; at < runs.length; at += VALUE_PIECE_BYTES) {
    if (at > 0) await nextTurn()
    bytes.set(runs.subarray(at, at + VALUE_PIECE_BYTES), start + at)
  }
  return bytes
}

/** All but the runs, which belong at the end. */
function positioned(frame: Uint8Array | null, position: LoadPosition) {
  assert(frame === null || frame[1] === FRAME_VERSION, 'a batch has one position')
  const run = encoder.encode(position.run)
  const runs = frame?.subarray(MUTATION_HEADER_SIZE_BYTES) ?? new Uint8Array(0)
  const bytes = new Uint8Array(
    MUTATION_HEADER_SIZE_BYTES + POSITION_SIZE_BYTES + run.length + runs.length,
  )
  const view = new DataView(bytes.buffer)
  if (frame === null) bytes[0] = frameKind.mutation
  else bytes.set(frame.subarray(0, MUTATION_HEADER_SIZE_BYTES))
  bytes[1] = POSITIONED_FRAME_VERSION
  let at = MUTATION_HEADER_SIZE_BYTES
  view.setUint32(at, position.statement, true)
  view.setUint32(at + 4, position.input, true)
  view.setFloat64(at + 8, position.line, true)
  view.setUint16(at + 16, run.length, true)
  at += POSITION_SIZE_BYTES
  bytes.set(run, at)
  return { bytes, runs }
}
