/** How a run that gave no result is told. */
import { isUnreachable } from '#api/api-error.ts'

/** Without an answer nobody here knows whether it ran. */
export const failureOf = (error: unknown): string =>
  isUnreachable(error) ? 'No answer came' : 'The query ended early'
