/** How long the server asks to wait before a request is repeated. */
import { useEffect, useState } from 'react'
import { ApiError, isThrottled } from './api-error.ts'

/** Where a 429 does not say how long. */
const WAIT_SECONDS_DEFAULT = 1
const TICK_MS = 1_000

/** A 429 is answered before the password is compared: it may be the right one. */
export const NOT_CHECKED = 'Too many attempts. Password not checked.'

/** @returns whole seconds of `Retry-After`; 0: the request may be repeated at once */
export function retryWaitSeconds(error: unknown): number {
  const seconds = error instanceof ApiError ? error.details.retryAfterSeconds : undefined
  // The header may also hold a date, which is not a number.
  if (seconds !== undefined && Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  return isThrottled(error) ? WAIT_SECONDS_DEFAULT : 0
}

/** @returns the seconds that are left, counted down from the arrival of the error */
export function useRetryWait(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const seconds = retryWaitSeconds(error)
    const untilMs = Date.now() + seconds * 1_000
    const tick = () => setLeft(Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000)))
    tick()
    if (seconds === 0) return
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [error])
  return left
}
