/** One's own secrets, and tokens made from them: both stand for their owner in programs. */
import { Button, CopyButton, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { Section } from '#ui/page.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { notify } from '#ui/toasts.tsx'
import classes from '../access-page.module.css'
import {
  type Secret,
  secretsQuery,
  useCreateSecret,
  useCreateToken,
  useDropSecret,
  useRevokeToken,
} from '../api/access.ts'

export function Credentials() {
  return (
    <>
      <Secrets />
      <NewToken />
      <RevokeToken />
    </>
  )
}

function Secrets() {
  const secrets = useQuery(secretsQuery)
  const create = useCreateSecret()
  const drop = useDropSecret()
  const [alias, setAlias] = useState('')
  const [leaving, setLeaving] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (alias.trim() !== '') create.mutate(alias.trim(), { onSuccess: () => setAlias('') })
  }
  return (
    <Section
      title="Secrets"
      hint="programs sign in with one instead of a password"
      layout="flush"
      actions={
        <form className={classes.inline} onSubmit={submit}>
          <TextInput
            aria-label="Name of the new secret"
            placeholder="Name"
            value={alias}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setAlias(event.currentTarget.value)}
          />
          <Button type="submit" disabled={alias.trim() === ''} loading={create.isPending}>
            New secret
          </Button>
        </form>
      }
    >
      {create.isError && <ErrorNotice title="No secret was made" error={create.error} />}
      {secrets.isPending && <Loading what="secrets" rows={3} />}
      {secrets.isError && (
        <ErrorNotice
          title="The secrets could not be read"
          error={secrets.error}
          onRetry={secrets.refetch}
        />
      )}
      {secrets.data !== undefined && (
        <DataTable
          label="Secrets"
          rows={secrets.data}
          columns={columnsOf((one) => {
            create.reset()
            drop.reset()
            setLeaving(one)
          })}
          rowKey={(row) => row.alias}
          emptyText="You have no secret."
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          opened
          title={`Remove the secret ${leaving}?`}
          confirmLabel={`Remove ${leaving}`}
          danger
          busy={drop.isPending}
          error={drop.error}
          onConfirm={() => drop.mutate(leaving, { onSuccess: () => setLeaving(null) })}
          onClose={() => setLeaving(null)}
        >
          <p>
            Programs that sign in with it are refused from then on; tokens made from it work until
            they expire. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

const SHOWN_LETTERS = 4

function columnsOf(onDrop: (alias: string) => void): readonly Column<Secret>[] {
  return [
    { id: 'alias', header: 'Name', cell: ({ alias }) => alias, sortValue: ({ alias }) => alias },
    {
      id: 'value',
      header: 'Secret',
      cell: ({ value }) => <code>{value.slice(0, SHOWN_LETTERS)}…</code>,
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: ({ alias, value }) => (
        <>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`Copy the secret ${alias}`}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Remove the secret ${alias}`}
            onClick={() => onDrop(alias)}
          >
            Remove
          </Button>
        </>
      ),
    },
  ]
}

const HOUR_SECONDS = 3_600
const lifetimes = [
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(24 * HOUR_SECONDS), label: '1 day' },
  { value: String(7 * 24 * HOUR_SECONDS), label: '7 days' },
  { value: String(30 * 24 * HOUR_SECONDS), label: '30 days' },
]

function NewToken() {
  const secrets = useQuery(secretsQuery)
  const [alias, setAlias] = useState<string | null>(null)
  const [lifetime, setLifetime] = useState(lifetimes[2]?.value ?? '')
  const create = useCreateToken()
  const all = secrets.data ?? []
  const secret = all.find((one) => one.alias === alias) ?? all[0]
  return (
    <Section title="New token" hint="for the header Authorization: Bearer">
      <div className={classes.inline}>
        <NativeSelect
          label="From the secret"
          data={all.length === 0 ? ['make a secret first'] : all.map((one) => one.alias)}
          value={secret?.alias ?? ''}
          disabled={all.length === 0}
          onChange={(event) => setAlias(event.currentTarget.value)}
        />
        <NativeSelect
          label="Good for"
          data={lifetimes}
          value={lifetime}
          onChange={(event) => setLifetime(event.currentTarget.value)}
        />
        <Button
          disabled={secret === undefined}
          loading={create.isPending}
          onClick={() =>
            secret !== undefined &&
            create.mutate({ lifetime: Number(lifetime), secret: secret.value })
          }
        >
          Create token
        </Button>
      </div>
      {create.isError && <ErrorNotice title="No token was made" error={create.error} />}
      {create.data !== undefined && <MadeToken {...create.data} />}
    </Section>
  )
}

function MadeToken({ token, expiration }: { readonly token: string; readonly expiration: string }) {
  return (
    <div role="status" className={classes.form}>
      <p>Copy it now: it is not shown again. It works until {expiration}.</p>
      <Textarea aria-label="The new token" value={token} readOnly autosize maxRows={4} />
      <CopyButton value={token}>
        {({ copied, copy }) => (
          <Button variant="default" className={classes.start ?? ''} onClick={copy}>
            {copied ? 'Copied' : 'Copy token'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

function RevokeToken() {
  const [token, setToken] = useState('')
  const revoke = useRevokeToken()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = token.trim()
    if (given === '') return
    revoke.mutate(given, {
      onSuccess: () => {
        setToken('')
        notify('The token is refused from now on')
      },
    })
  }
  return (
    <Section title="Revoke a token" hint="one that was lost works for whoever finds it">
      <form className={classes.form} onSubmit={submit}>
        <Textarea
          aria-label="Token to revoke"
          placeholder="Paste the token"
          value={token}
          autosize
          maxRows={4}
          spellCheck={false}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        {revoke.isError && <ErrorNotice title="The token was not revoked" error={revoke.error} />}
        <Button
          type="submit"
          variant="default"
          className={classes.start ?? ''}
          disabled={token.trim() === ''}
          loading={revoke.isPending}
        >
          Revoke token
        </Button>
      </form>
    </Section>
  )
}
