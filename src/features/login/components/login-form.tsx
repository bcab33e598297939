import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, isThrottled, isUnauthenticated, isUnreachable } from '#api/api-error.ts'
import { NOT_CHECKED, useRetryWait } from '#api/retry-wait.ts'
import { useLogIn } from '#api/session.ts'
import { formatDuration } from '#lib/format.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import classes from './login-form.module.css'

interface LoginFormProps {
  /** Who is meant to sign in. */
  readonly name?: string | undefined
  readonly onDone?: () => void
}

export function LoginForm({ name = 'tigergraph', onDone }: LoginFormProps) {
  const [user, setUser] = useState(name)
  const [password, setPassword] = useState('')
  const logIn = useLogIn()
  const refused = isUnauthenticated(logIn.error) || isThrottled(logIn.error)
  const retryWaitSeconds = useRetryWait(logIn.error)
  // Failed logins count per user: another one need not wait.
  const isSameUser = logIn.variables?.user === user
  const waitSeconds = isSameUser ? retryWaitSeconds : 0

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (waitSeconds > 0) return
    logIn.mutate(
      { user, password },
      {
        onSuccess: () => onDone?.(),
        // The button was disabled meanwhile, which takes the keyboard from it.
        onError: (error) => {
          field.current?.focus()
          if (isUnauthenticated(error)) field.current?.select()
        },
      },
    )
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label="User"
        name="username"
        autoComplete="username"
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
        required
        withAsterisk={false}
        spellCheck={false}
      />
      <PasswordInput
        ref={field}
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isSameUser ? problemOf(logIn.error, waitSeconds) : undefined}
        required
        withAsterisk={false}
        data-autofocus
      />
      {logIn.isError && !refused && (
        <ErrorNotice
          title={isUnreachable(logIn.error) ? 'Quiver does not answer' : 'Signing in failed'}
          error={logIn.error}
        />
      )}
      <Button type="submit" loading={logIn.isPending} disabled={waitSeconds > 0} fullWidth>
        {waitSeconds > 0 ? `Wait ${formatDuration(waitSeconds * 1_000)}` : 'Sign in'}
      </Button>
    </form>
  )
}

/** What is wrong with the password, as far as it is known. */
function problemOf(error: unknown, waitSeconds: number): string | undefined {
  if (isThrottled(error)) return waitSeconds > 0 ? NOT_CHECKED : undefined
  return isUnauthenticated(error) ? reasonOf(error) : undefined
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.message !== ''
    ? error.message
    : 'User or password is not right.'
