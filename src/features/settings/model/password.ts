import { PASSWORD_LENGTH_MIN } from '#contract/session.ts'

interface PasswordFields {
  readonly current: string
  readonly next: string
  readonly again: string
}

/** What keeps the form from being sent; the server has the last word on everything else. */
export function passwordProblem({ current, next, again }: PasswordFields) {
  if (next.length < PASSWORD_LENGTH_MIN) {
    return { field: 'next', text: `Use at least ${PASSWORD_LENGTH_MIN} characters.` } as const
  }
  if (next === current) {
    return { field: 'next', text: 'The new password is the current one.' } as const
  }
  if (next !== again) return { field: 'again', text: 'The two are not the same.' } as const
  return undefined
}
