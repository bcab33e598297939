/** Tokens: made from a secret and shown once, listed while they work, refused when one says so. */
import { Button, CopyButton, NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatAge, formatCount, formatDateTime } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from '../access-page.module.css'
import {
  secretsQuery,
  type Token,
  tokensQuery,
  useCreateToken,
  useRevokeAllTokens,
  useRevokeToken,
  useRevokeTokenById,
} from '../api/access.ts'
import { looksLikeToken } from '../model/token-text.ts'

const REVOKED = 'The token is refused from now on'

const HOUR_SECONDS = 3_600
const lifetimes = [
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(24 * HOUR_SECONDS), label: '1 day' },
  { value: String(7 * 24 * HOUR_SECONDS), label: '7 days' },
  { value: String(30 * 24 * HOUR_SECONDS), label: '30 days' },
]

export function NewToken() {
  const secrets = useQuery(secretsQuery)
  const [alias, setAlias] = useState<string | null>(null)
  const [lifetime, setLifetime] = useState(lifetimes[2]?.value ?? '')
  const create = useCreateToken()
  const all = secrets.data ?? []
  const secret = all.find((one) => one.alias === alias) ?? all[0]
  const none = secrets.isSuccess ? 'create a secret first' : 'not known yet'
  return (
    <Section title="New token" hint="for the header Authorization: Bearer">
      <div className={classes.inline}>
        <NativeSelect
          label="From the secret"
          data={all.length === 0 ? [none] : all.map((one) => one.alias)}
          value={secret?.alias ?? ''}
          disabled={all.length === 0}
          onChange={(event) => setAlias(event.currentTarget.value)}
        />
        <NativeSelect
          label="Valid for"
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
      {create.isError && <ErrorNotice title="No token was created" error={create.error} />}
      {create.data !== undefined && <MadeToken {...create.data} />}
    </Section>
  )
}

function MadeToken({ token, expiration }: { readonly token: string; readonly expiration: string }) {
  const { timeZone } = usePreferences()
  return (
    <div role="status" className={classes.form}>
      <p>
        Copy it now: it is not shown again. It expires on{' '}
        {formatDateTime(Date.parse(expiration), timeZone)}.
      </p>
      <Textarea aria-label="The new token" value={token} readOnly autosize maxRows={8} />
      <div className={classes.inline}>
        <CopyOf text={token} label="Copy token" />
        <CopyOf text={curlWith(token)} label="Copy as curl" />
      </div>
    </div>
  )
}

function CopyOf({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  )
}

/** A call that anybody may make, to see that it works. */
const curlWith = (token: string): string =>
  `curl -H 'Authorization: Bearer ${token}' '${window.location.origin}/gsql/v1/schema/graphs'`

/** Of a token or a secret; null: never. */
export const lastUseText = (lastUsedAt: number | null): string =>
  lastUsedAt === null ? 'never' : formatAge(Date.now() - lastUsedAt)

/** Those that still work; a token's text is known to whoever made it alone. */
export function IssuedTokens() {
  const tokens = useQuery(tokensQuery)
  const revoke = useRevokeTokenById()
  const [asked, setAsked] = useState<Token | null>(null)
  const { timeZone } = usePreferences()
  const live = tokens.data?.filter(({ revoked }) => !revoked) ?? []
  const confirm = ({ id }: Token) =>
    revoke.mutate(id, {
      onSuccess: () => {
        setAsked(null)
        notify(REVOKED)
      },
    })
  const columns: readonly Column<Token>[] = [
    {
      id: 'issued',
      header: 'Created',
      lead: true,
      cell: ({ issuedAt }) => formatDateTime(issuedAt * 1_000, timeZone),
      sortValue: ({ issuedAt }) => issuedAt,
    },
    {
      id: 'expires',
      header: 'Expires',
      fold: 'narrow',
      cell: ({ expiresAt }) => formatDateTime(expiresAt * 1_000, timeZone),
      sortValue: ({ expiresAt }) => expiresAt,
    },
    {
      id: 'used',
      header: 'Last used',
      fold: 'narrow',
      cell: ({ lastUsedAt }) => lastUseText(lastUsedAt),
      sortValue: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      id: 'graph',
      header: 'Graph',
      fold: 'narrow',
      cell: ({ graph }) => graph ?? 'all',
      sortValue: ({ graph }) => graph,
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (token) => (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Revoke the token of ${formatDateTime(token.issuedAt * 1_000, timeZone)}`}
          onClick={() => setAsked(token)}
        >
          Revoke
        </Button>
      ),
    },
  ]
  if (live.length === 0 && !tokens.isError) return null
  return (
    <Section
      title="Your tokens"
      hint="that have not expired"
      layout="flush"
      actions={<RevokeAll count={live.length} />}
    >
      {tokens.isError && (
        <ErrorNotice
          title="The tokens could not be read"
          error={tokens.error}
          onRetry={tokens.refetch}
        />
      )}
      <ConfirmDialog
        opened={asked !== null}
        title="Revoke this token?"
        confirmLabel="Revoke the token"
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onClose={() => setAsked(null)}
        onConfirm={() => asked !== null && confirm(asked)}
      >
        <p>Programs that use it are refused from then on. This cannot be undone.</p>
      </ConfirmDialog>
      {live.length > 0 && (
        <DataTable label="Your tokens" rows={live} columns={columns} rowKey={({ id }) => id} />
      )}
    </Section>
  )
}

/** The list may leave out the oldest of very many; this reaches them, too. */
function RevokeAll({ count }: { readonly count: number }) {
  const revoke = useRevokeAllTokens()
  const [asked, setAsked] = useState(false)
  // The section goes with the last token, and callbacks of a mutation go with their component.
  const confirm = () =>
    void revoke.mutateAsync(undefined).then(
      () => {
        setAsked(false)
        notify('All your tokens are refused from now on')
      },
      () => undefined,
    )
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setAsked(true)}>
        Revoke all
      </Button>
      <ConfirmDialog
        opened={asked}
        title="Revoke all your tokens?"
        confirmLabel="Revoke all tokens"
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onClose={() => setAsked(false)}
        onConfirm={confirm}
      >
        <p>
          Programs that use any of your tokens are refused from then on:{' '}
          {count === 1 ? 'the one' : `the ${formatCount(count)}`} listed here, and older ones that
          the list leaves out. This cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}

export function RevokeToken() {
  const [token, setToken] = useState('')
  const revoke = useRevokeToken()
  const given = token.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!looksLikeToken(given)) return
    revoke.mutate(given, {
      onSuccess: () => {
        setToken('')
        notify(REVOKED)
      },
    })
  }
  return (
    <Section title="Revoke a token" hint="a lost token works for whoever finds it">
      <form className={classes.token} onSubmit={submit}>
        <Textarea
          aria-label="Token to revoke"
          placeholder="Paste the token"
          value={token}
          autosize
          maxRows={4}
          spellCheck={false}
          error={
            given !== '' && !looksLikeToken(given)
              ? 'This is not a token: a token has three parts with a dot between them'
              : undefined
          }
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={!looksLikeToken(given)}
          loading={revoke.isPending}
        >
          Revoke token
        </Button>
      </form>
      {revoke.isError && <ErrorNotice title="The token was not revoked" error={revoke.error} />}
    </Section>
  )
}
