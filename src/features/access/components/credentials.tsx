/** One's own secrets, and tokens made from them: both stand for their owner in programs. */
import { Button, CopyButton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from '../access-page.module.css'
import {
  type Secret,
  secretsQuery,
  secretUsageQuery,
  useCreateSecret,
  useDropSecret,
} from '../api/access.ts'
import { IssuedTokens, lastUseText, NewToken, RevokeToken } from './tokens.tsx'

export function Credentials() {
  return (
    <>
      <Secrets />
      <NewToken />
      <IssuedTokens />
      <RevokeToken />
    </>
  )
}

function Secrets() {
  const secrets = useQuery(secretsQuery)
  const usage = useQuery(secretUsageQuery).data
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
      {create.isError && <ErrorNotice title="No secret was created" error={create.error} />}
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
          columns={columnsOf(usage, (one) => {
            create.reset()
            drop.reset()
            setLeaving(one)
          })}
          rowKey={(row) => row.alias}
          emptyText="You have no secrets."
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

/** @param usage absent until it is read */
function columnsOf(
  usage: ReadonlyMap<string, number | null> | undefined,
  onDrop: (alias: string) => void,
): readonly Column<Secret>[] {
  return [
    {
      id: 'alias',
      header: 'Name',
      lead: true,
      cell: ({ alias }) => <span className={classes.name}>{alias}</span>,
      sortValue: ({ alias }) => alias,
    },
    {
      id: 'value',
      header: 'Secret',
      fold: 'narrow',
      cell: ({ value }) => <code>{value.slice(0, SHOWN_LETTERS)}…</code>,
    },
    {
      id: 'used',
      header: 'Last used',
      fold: 'narrow',
      cell: ({ alias }) => usage && lastUseText(usage.get(alias) ?? null),
      sortValue: ({ alias }) => usage?.get(alias),
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
