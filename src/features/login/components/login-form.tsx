import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, isThrottled, isUnauthenticated, isUnreachable } from '#api/api-error.ts'
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
  const waitSeconds = useWait(logIn.error)

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (waitSeconds > 0) return
    logIn.mutate({ user, password }, { onSuccess: () => onDone?.() })
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
        error={refused ? reasonOf(logIn.error) : undefined}
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

/** @returns how many seconds the server still asks to wait */
function useWait(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const asked = error instanceof ApiError ? (error.details.retryAfterSeconds ?? 0) : 0
    const untilMs = Date.now() + asked * 1_000
    const tick = () => setLeft(Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000)))
    tick()
    if (asked === 0) return
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [error])
  return left
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.message !== ''
    ? error.message
    : 'User or password is not right.'
