/** The outcome of a batch that is known before it is applied: `ack: 'none'` answers with it. */
import { FrameCursor } from './frame-cursor.ts'
import { frameFlag, runKind } from './frame-format.ts'
import { type MutationOutcome, OutcomeBuilder } from './outcome.ts'

/** Null when flags, deletes or updates make the counts depend on the graph. */
export function plannedOutcome(frame: Uint8Array, sequence: number): MutationOutcome | null {
  const cursor = new FrameCursor(frame)
  if ((cursor.flags & ~frameFlag.atomic) !== 0) return null
  const outcome = new OutcomeBuilder()
  while (cursor.nextRun()) {
    if (cursor.isUpdate) return null
    if (cursor.kind === runKind.upsertVertices) outcome.acceptedVertices += cursor.count
    else if (cursor.kind === runKind.upsertEdges) outcome.acceptedEdges += cursor.count
    else return null
  }
  return outcome.finish(sequence)
}
