/** Limits and settings of the HTTP layer. */
import type { HttpLimits } from '#http/app.ts'
import { bodyBudgetBytes } from '#http/body-budget.ts'
import type { AuthService } from '#services/auth/auth-service.ts'
import type { Sharing } from '#services/instances/sharing.ts'
import { queryLimitsOf } from './queries.ts'
import type { ServerOptions } from './server-options.ts'

/** Limits of the HTTP layer: those not given follow from the memory limit. */
export function httpLimits({ memoryLimitBytes, http }: ServerOptions): HttpLimits {
  return { bodyBudgetBytes: bodyBudgetBytes(memoryLimitBytes), ...http }
}

export function httpSettings(options: ServerOptions, auth: Pick<AuthService, 'sign'>) {
  return {
    sharing: sharingOf(options, auth),
    lockedWriteGuard: options.consoleSettings?.locked.writeGuard ?? 'off',
    responseSizeBytesMax: queryLimitsOf(options).responseSizeBytesMax,
  } as const
}

/** How long a change waits until a writer is known, and how old a read may be. */
const WRITE_WAIT_MS = 10_000
const STALENESS_MS_MAX = 300_000

/** Null: the store is of this server alone. */
function sharingOf(options: ServerOptions, auth: Pick<AuthService, 'sign'>): Sharing | null {
  const { shared = null, writeWaitMs } = options
  if (shared === null) return null
  return {
    log: shared,
    writeWaitMs: writeWaitMs ?? WRITE_WAIT_MS,
    maxStalenessMs: maxStalenessOf(options),
    counts: { forwarded: 0 },
    sign: (text) => auth.sign(text),
  }
}

export function maxStalenessOf({ maxStalenessMs }: ServerOptions): number | null {
  return maxStalenessMs === undefined ? STALENESS_MS_MAX : maxStalenessMs
}
