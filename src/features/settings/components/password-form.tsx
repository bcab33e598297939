import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isThrottled, isUnauthenticated } from '#api/api-error.ts'
import { call } from '#api/client.ts'
import { sessionKey, sessionQuery } from '#api/session.ts'
import { changePassword, PASSWORD_LENGTH_MIN } from '#contract/session.ts'
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
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setFields((past) => ({ ...past, [name]: value }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (passwordProblem(fields) === undefined) change.mutate()
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.intro}>
        {session.data?.passwordIsDefault === true
          ? 'The password is still “tigergraph”. Once you set your own, every client must sign in, and the server may listen on other addresses.'
          : `For the user ${session.data?.user ?? ''}. All other sessions end. Tokens and secrets stay good.`}
      </p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        value={fields.current}
        onChange={set('current')}
        error={wrong ? messageOf(change.error) : undefined}
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
        label="Revoke all tokens, too"
        description="Programs that use one are refused from then on"
        checked={revokeTokens}
        onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
      />
      {change.isError && !wrong && (
        <ErrorNotice title="The password was not changed" error={change.error} />
      )}
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
