import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isThrottled, isUnauthenticated } from '#api/api-error.ts'
import { call } from '#api/client.ts'
import { NOT_CHECKED, useRetryWait } from '#api/retry-wait.ts'
import { sessionKey, sessionQuery } from '#api/session.ts'
import { changePassword, PASSWORD_LENGTH_MIN } from '#contract/session.ts'
import { formatDuration } from '#lib/format.ts'
import { ErrorNotice, messageOf } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { passwordProblem } from '../model/password.ts'
import classes from './password-form.module.css'

const empty = { current: '', next: '', again: '' }

export function PasswordForm() {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  const [fields, setFields] = useState(empty)
  const [submitted, setSubmitted] = useState(false)
  const [revokeTokens, setRevokeTokens] = useState(false)
  const change = useMutation({
    mutationFn: () =>
      call(changePassword, {
        body: { current: fields.current, next: fields.next, revokeTokens },
      }),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session)
      setFields(empty)
      setSubmitted(false)
      setRevokeTokens(false)
      notify('The password was changed. From now on everyone signs in.')
    },
  })
  const problem = submitted ? passwordProblem(fields) : undefined
  const wrong = isUnauthenticated(change.error) || isThrottled(change.error)
  const waitSeconds = useRetryWait(change.error)
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setFields((past) => ({ ...past, [name]: value }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (waitSeconds > 0) return
    if (passwordProblem(fields) === undefined) change.mutate()
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.intro}>
        {session.data?.passwordIsDefault === true
          ? 'The password is still “tigergraph”. Once you set your own, every client must sign in, and the server may listen on other addresses.'
          : `For the user ${session.data?.user ?? ''}. Changing it ends all other sessions. Secrets go on working, and so do tokens unless you revoke them.`}
      </p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        value={fields.current}
        onChange={set('current')}
        error={problemOf(change.error, waitSeconds)}
      />
      <PasswordInput
        label="New password"
        description={`At least ${PASSWORD_LENGTH_MIN} characters`}
        autoComplete="new-password"
        value={fields.next}
        onChange={set('next')}
        error={problem?.field === 'next' ? problem.text : undefined}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        value={fields.again}
        onChange={set('again')}
        error={problem?.field === 'again' ? problem.text : undefined}
      />
      <Checkbox
        label="Also revoke all tokens"
        description="Programs that use one need a new one"
        checked={revokeTokens}
        onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
      />
      {change.isError && !wrong && (
        <ErrorNotice title="The password was not changed" error={change.error} />
      )}
      <div>
        <Button type="submit" loading={change.isPending} disabled={waitSeconds > 0}>
          {waitSeconds > 0 ? `Wait ${formatDuration(waitSeconds * 1_000)}` : 'Change password'}
        </Button>
      </div>
    </form>
  )
}

/** What is wrong with the current password, as far as it is known. */
function problemOf(error: unknown, waitSeconds: number): string | undefined {
  if (isThrottled(error)) return waitSeconds > 0 ? NOT_CHECKED : undefined
  if (!isUnauthenticated(error)) return undefined
  // Nobody gave a user name here.
  const text = messageOf(error)
  return text.includes('wrong user name or password') ? 'The current password is wrong.' : text
}
