import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, isUnauthenticated, isUnreachable } from '#api/api-error.ts'
import { useLogIn } from '#api/session.ts'
import { ErrorNotice } from '#ui/states.tsx'
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
  const refused = isUnauthenticated(logIn.error)

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
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
      <Button type="submit" loading={logIn.isPending} fullWidth>
        Sign in
      </Button>
    </form>
  )
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.message !== ''
    ? error.message
    : 'User or password is not right.'
