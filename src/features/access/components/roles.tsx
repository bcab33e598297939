/** Built-in roles and own ones; what the chosen one gives, to be changed where it is one's own. */
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCurrentGraph } from '#api/current-graph.ts'
import { useRefusal } from '#api/rights.ts'
import { createRoles, dropRoles, grantPrivileges } from '#contract/roles.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from '../access-page.module.css'
import {
  privilegesQuery,
  roleQuery,
  rolesQuery,
  useCreateRole,
  useDropRole,
  useGrantPrivilege,
} from '../api/access.ts'
import {
  EVERYWHERE,
  furtherRights,
  graphOf,
  type RoleRow,
  roleRows,
  whereWords,
} from '../model/scopes.ts'
import { ScopeSelect, useScopeChoice } from './scope-select.tsx'
import { FormDialog } from './user-dialogs.tsx'

const columns: readonly Column<RoleRow>[] = [
  { id: 'role', header: 'Role', cell: ({ role }) => role, sortValue: ({ role }) => role },
  { id: 'where', header: 'Granted', cell: whereWords, sortValue: whereWords },
  {
    id: 'kind',
    header: 'Kind',
    cell: ({ own }) => (own ? 'own' : 'built in'),
    sortValue: ({ own }) => own,
  },
]

export function Roles() {
  const roles = useQuery(rolesQuery)
  const [search, setSearch] = useSearchParams()
  const [creating, setCreating] = useState(false)
  const refusal = useRefusal(createRoles, useCurrentGraph())
  const rows = roles.data === undefined ? [] : roleRows(roles.data)
  const chosen = rows.find(({ role }) => role === search.get('role'))
  const choose = (role: string) => setSearch({ tab: 'roles', role }, { replace: true })
  return (
    <>
      <Section
        title="Roles"
        layout="flush"
        actions={
          roles.data !== undefined && (
            <Refusable refusal={refusal}>
              <Button
                leftSection={<Plus size={14} aria-hidden="true" />}
                onClick={() => setCreating(true)}
              >
                New role
              </Button>
            </Refusable>
          )
        }
      >
        {roles.isPending && <Loading what="roles" />}
        {roles.isError && (
          <ErrorNotice
            title="The roles could not be read"
            error={roles.error}
            onRetry={roles.refetch}
          />
        )}
        {roles.data !== undefined && (
          <DataTable
            label="Roles"
            rows={rows}
            columns={columns}
            rowKey={({ role }) => role}
            selectedKey={chosen?.role}
            onSelect={({ role }) => choose(role)}
          />
        )}
      </Section>
      {chosen !== undefined && <RolePrivileges key={chosen.role} row={chosen} />}
      {creating && <CreateRoleDialog onClose={() => setCreating(false)} onCreated={choose} />}
    </>
  )
}

function RolePrivileges({ row }: { readonly row: RoleRow }) {
  const role = useQuery(roleQuery(row.role))
  const all = useQuery(privilegesQuery)
  const grant = useGrantPrivilege()
  const [dropping, setDropping] = useState(false)
  const scope = row.scope ?? Object.keys(role.data?.rolePrivileges ?? {})[0] ?? EVERYWHERE
  const graph = graphOf(scope)
  const mayNotGrant = useRefusal(grantPrivileges, graph)
  const mayNotDrop = useRefusal(dropRoles, graph)
  const fixed = row.own ? mayNotGrant : 'built in: it cannot be changed'
  const error = role.error ?? all.error
  const held = role.data?.rolePrivileges[scope]
  const asked = grant.isPending ? grant.variables : undefined
  const kinds = Map.groupBy(all.data ?? [], ({ privilegeType }) => privilegeType)
  return (
    <Section
      title={`What ${row.role} gives`}
      hint={fixed ?? whereWords(row)}
      actions={
        row.own && (
          <Refusable refusal={mayNotDrop}>
            <Button variant="default" onClick={() => setDropping(true)}>
              Drop role
            </Button>
          </Refusable>
        )
      }
    >
      {error !== null && <ErrorNotice title="The role could not be read" error={error} />}
      {grant.isError && <ErrorNotice title="The role was not changed" error={grant.error} />}
      {error === null && (role.data === undefined || all.data === undefined) && (
        <Loading what="the role" />
      )}
      {role.data !== undefined && (
        <div className={classes.columns}>
          {[...kinds].map(([kind, privileges]) => (
            <fieldset
              key={kind}
              className={classes.choice}
              disabled={fixed !== null}
              aria-busy={grant.isPending}
            >
              <legend>{kind.toLowerCase()}</legend>
              {privileges.map(({ privilege }) => (
                <Checkbox
                  key={privilege}
                  label={<code>{privilege}</code>}
                  checked={
                    asked?.privilege === privilege
                      ? asked.granted
                      : (held?.privileges.includes(privilege) ?? false)
                  }
                  onChange={({ currentTarget: { checked: granted } }) => {
                    if (grant.isPending) return
                    grant.mutate({ role: row.role, privilege, scope, granted })
                  }}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {furtherRights(role.data?.rolePrivileges ?? {}, scope).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {dropping && <DropRoleDialog row={row} onClose={() => setDropping(false)} />}
    </Section>
  )
}

function DropRoleDialog({ row, onClose }: { readonly row: RoleRow; readonly onClose: () => void }) {
  const drop = useDropRole()
  const { role } = row
  return (
    <ConfirmDialog
      opened
      title={`Drop ${role}?`}
      confirmLabel={`Drop ${role}`}
      danger
      busy={drop.isPending}
      error={drop.error}
      onConfirm={() =>
        drop.mutate({ role, scope: row.scope ?? EVERYWHERE }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>It is taken from every user who has it.</p>
    </ConfirmDialog>
  )
}

interface CreateRoleDialogProps {
  readonly onClose: () => void
  readonly onCreated: (role: string) => void
}

function CreateRoleDialog({ onClose, onCreated }: CreateRoleDialogProps) {
  const choice = useScopeChoice()
  const { scope } = choice
  const [role, setRole] = useState('')
  const create = useCreateRole()
  const created = () => {
    onClose()
    onCreated(role)
  }
  return (
    <FormDialog
      title="New role"
      action="Create role"
      error={create.error}
      busy={create.isPending}
      ready={role.trim() !== '' && scope !== undefined}
      onClose={onClose}
      onSubmit={() => scope !== undefined && create.mutate({ role, scope }, { onSuccess: created })}
    >
      <TextInput
        label="Name"
        value={role}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setRole(event.currentTarget.value)}
      />
      <ScopeSelect label="Granted" choice={choice} />
    </FormDialog>
  )
}
