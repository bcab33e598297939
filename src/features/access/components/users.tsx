/** Every user with roles; the chosen one's roles are changed below. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import { sessionQuery } from '#api/session.ts'
import { formatDateTime } from '#lib/format.ts'
import { type Preferences, usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from '../access-page.module.css'
import { type User, type UserList, usersQuery } from '../api/access.ts'
import { EVERYWHERE, matrixScopes, rolesOn } from '../model/scopes.ts'
import { CreateUserDialog, DropUserDialog, PasswordDialog } from './user-dialogs.tsx'
import { UserRights } from './user-rights.tsx'

type Dialog = { readonly kind: 'create' | 'password' | 'drop'; readonly user: string } | null

export function Users() {
  const users = useQuery(usersQuery(useCurrentGraph()))
  const session = useQuery(sessionQuery)
  const graphs = useQuery(graphsQuery).data?.map(({ name }) => name) ?? []
  const [search, setSearch] = useSearchParams()
  const [dialog, setDialog] = useState<Dialog>(null)
  const { timeZone } = usePreferences()
  const choose = (user: string) => setSearch({ tab: 'users', user }, { replace: true })
  const chosen = chosenOf(users.data, search.get('user'))
  const close = () => setDialog(null)
  return (
    <>
      <Section
        title="Users"
        hint={users.data?.graph != null && `those who have a role on ${users.data.graph}`}
        layout="flush"
        actions={
          users.data !== undefined &&
          (users.data.mayChange ? (
            <Button
              leftSection={<Plus size={14} aria-hidden="true" />}
              onClick={() => setDialog({ kind: 'create', user: '' })}
            >
              New user
            </Button>
          ) : (
            users.data.graph !== null && <OtherUser onChoose={choose} />
          ))
        }
      >
        {users.isPending && <Loading what="users" />}
        {users.isError && (
          <ErrorNotice
            title="The users could not be read"
            error={users.error}
            onRetry={users.refetch}
          />
        )}
        {users.data !== undefined && (
          <DataTable
            id="access.users"
            label="Users"
            rows={users.data.users}
            columns={[
              ...columnsOf(session.data?.user ?? '', timeZone),
              ...roleColumns(users.data, graphs),
              ...(users.data.mayChange ? [actionsColumn(session.data?.user ?? '', setDialog)] : []),
            ]}
            rowKey={({ name }) => name}
            selectedKey={chosen?.name}
            onSelect={({ name }) => choose(name)}
          />
        )}
      </Section>
      {chosen !== undefined && <UserRights key={chosen.name} user={chosen} />}
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} onCreated={choose} />}
      {dialog?.kind === 'password' && <PasswordDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'drop' && <DropUserDialog user={dialog.user} onClose={close} />}
    </>
  )
}

/** Whoever has no role on the graph yet is not in its list, and may be given one all the same. */
function chosenOf(list: UserList | undefined, name: string | null) {
  const found = list?.users.find((user) => user.name === name)
  const isOther = list !== undefined && list.graph !== null && name !== null && name !== ''
  return found ?? (isOther ? { name, roles: {} } : undefined)
}

function OtherUser({ onChoose }: { readonly onChoose: (user: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onChoose(name.trim())
  }
  return (
    <form className={classes.inline} onSubmit={submit}>
      <TextInput
        aria-label="Name of another user"
        placeholder="Another user"
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''}>
        Show rights
      </Button>
    </form>
  )
}

/** A column for each place where roles may be held. */
function roleColumns(list: UserList, graphs: readonly string[]): readonly Column<User>[] {
  const known = list.graph === null ? graphs : [list.graph]
  return matrixScopes(list.users, known).map((scope) => ({
    id: `roles ${scope}`,
    header: scope === EVERYWHERE ? 'Everywhere' : `On ${scope}`,
    fold: 'medium',
    cell: ({ roles }) => rolesOn(roles, scope).join(', '),
    sortValue: ({ roles }) => rolesOn(roles, scope).join(', '),
  }))
}

function columnsOf(me: string, timeZone: Preferences['timeZone']): readonly Column<User>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      lead: true,
      cell: ({ name }) => (
        <span className={classes.name}>{name === me ? `${name} (you)` : name}</span>
      ),
      sortValue: ({ name }) => name,
    },
    {
      id: 'login',
      header: 'Last signed in',
      fold: 'narrow',
      cell: (user) => {
        const time = lastLogin(user)
        return time === null ? 'never' : formatDateTime(time, timeZone)
      },
      sortValue: lastLogin,
    },
    {
      id: 'state',
      header: 'State',
      fold: 'narrow',
      cell: ({ showAlterPasswordWarning, failedAttempts }) =>
        showAlterPasswordWarning ? (
          <StatusBadge status="warning">default password</StatusBadge>
        ) : failedAttempts > 0 ? (
          <StatusBadge status="neutral">{failedAttempts} failed sign-ins</StatusBadge>
        ) : (
          <StatusBadge status="success" look="plain">
            active
          </StatusBadge>
        ),
    },
  ]
}

/** In epoch milliseconds; null: never. The server writes it out. */
function lastLogin({ lastSuccessLogin }: User): number | null {
  return lastSuccessLogin === '' ? null : Date.parse(lastSuccessLogin)
}

function actionsColumn(me: string, open: (dialog: Dialog) => void): Column<User> {
  return {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    align: 'end',
    cell: ({ name }) => (
      // A click on a button is not one on its row.
      // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps clicks of the buttons.
      // biome-ignore lint/a11y/useKeyWithClickEvents: as above; keys are told apart by the row.
      <span onClick={(event) => event.stopPropagation()}>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Set the password of ${name}`}
          onClick={() => open({ kind: 'password', user: name })}
        >
          Password
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Drop ${name}`}
          disabled={name === me}
          onClick={() => open({ kind: 'drop', user: name })}
        >
          Drop
        </Button>
      </span>
    ),
  }
}
