/** How a run notices, every so many rows, that it is to stop. */
import { DbError } from '#kernel/errors.ts'
import { type RunControl, stopReason } from './control.ts'

/** Counts, and ends the run when it is to stop. */
export function poll(control: RunControl, edges: number, rows: number): void {
  control.add(edges, rows)
  const reason = control.stopped()
  if (reason !== stopReason.none) throw stopError(reason)
  control.lookAtHeap(edges + rows)
}

function stopError(reason: number): DbError {
  switch (reason) {
    case stopReason.timedOut:
      return new DbError('QUERY_TIMEOUT', 'The query timed out.', {
        details: { code: 'REST-3002' },
      })
    case stopReason.memory:
      return new DbError('QUERY_MEMORY_LIMIT', 'The query kept too much of an old version.', {
        details: { code: 'SYS-0002' },
      })
    default:
      return new DbError('QUERY_ABORTED', 'The query was aborted by the user.', {
        details: { code: 'REST-12002' },
      })
  }
}
