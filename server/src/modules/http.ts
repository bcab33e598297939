/** Limits and settings of the HTTP layer. */
import type { HttpLimits } from '#http/app.ts'
import { bodyBudgetBytes } from '#http/body-budget.ts'
import { queryLimitsOf } from './queries.ts'
import type { ServerOptions } from './server-options.ts'

/** Limits of the HTTP layer: those not given follow from the memory limit. */
export function httpLimits({ memoryLimitBytes, http }: ServerOptions): HttpLimits {
  return { bodyBudgetBytes: bodyBudgetBytes(memoryLimitBytes), ...http }
}

export function httpSettings(options: ServerOptions) {
  return {
    lockedWriteGuard: options.consoleSettings?.locked.writeGuard ?? 'off',
    responseSizeBytesMax: queryLimitsOf(options).responseSizeBytesMax,
  } as const
}
