/** What a run is answered with that did not come to its end. */
import { DbError, isDbError } from '#kernel/errors.ts'
import { stopReason } from '#query/runtime/control.ts'
import type { SlotEnd } from './slot.ts'

/** What of a run its errors tell. */
interface StoppedRun {
  readonly requestId: string
  readonly request: {
    readonly timeoutMs: number
    readonly timeoutCode: 'REST-3000' | 'REST-3001' | 'REST-3002'
  }
  readonly stopReason: number
}

export function errorOf(
  run: StoppedRun,
  end: Exclude<SlotEnd, { kind: 'done' | 'left' }>,
): DbError {
  if (run.stopReason !== stopReason.none) return stopErrorOf(run)
  if (end.kind === 'failed') {
    const { code, message, details } = end.error
    return new DbError(code, message, { details })
  }
  return new DbError('QUERY_RUNTIME', 'Runtime Error: the query lost its worker.', {
    details: { code: 'GSQL-8001' },
    cause: end.cause,
  })
}

/** What failed before a worker had it: the version could not be pinned, an index not be read. */
export function notBegun(cause: unknown): DbError {
  if (isDbError(cause)) return cause
  const message = 'Runtime Error: the query could not be begun.'
  return new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-8001' }, cause })
}

export function stopErrorOf(run: StoppedRun): DbError {
  if (run.stopReason === stopReason.timedOut) {
    const seconds = run.request.timeoutMs / 1000
    return new DbError('QUERY_TIMEOUT', timeoutText(run, seconds), {
      details: { code: run.request.timeoutCode },
    })
  }
  if (run.stopReason === stopReason.memory) {
    const message = 'The query was ended: too many writes changed what it was reading.'
    return new DbError('QUERY_MEMORY_LIMIT', message, { details: { code: 'SYS-0002' } })
  }
  return new DbError('QUERY_ABORTED', 'The query was aborted by the user.', {
    details: { code: 'REST-12002' },
  })
}

function timeoutText(run: StoppedRun, seconds: number): string {
  const start = `The query didn't finish because it exceeded the query timeout threshold (${seconds} seconds).`
  const logs = `Please check GSE log for license expiration and RESTPP/GPE log with request id (${run.requestId}) for details.`
  const advice =
    run.request.timeoutCode === 'REST-3000'
      ? 'Try increase header GSQL-TIMEOUT value.'
      : 'Try increase RESTPP.Factory.DefaultQueryTimeoutSec or add header GSQL-TIMEOUT to override default system timeout.'
  return `${start} ${logs} ${advice}`
}
