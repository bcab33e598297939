/** What a user holds in one scope, changed by a click, and what that lets them do. */
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRefusal } from '#api/rights.ts'
import { grantRoles } from '#contract/roles.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from '../access-page.module.css'
import {
  type EffectivePrivilege,
  effectiveQuery,
  rolesQuery,
  type User,
  useGrantRole,
} from '../api/access.ts'
import { graphOf, rolesFor, scopesHeld, throughText } from '../model/scopes.ts'
import { ScopeSelect, useScopeChoice } from './scope-select.tsx'

interface UserRightsProps {
  readonly user: Pick<User, 'name' | 'roles'>
}

export function UserRights({ user }: UserRightsProps) {
  const choice = useScopeChoice(scopesHeld(user.roles)[0])
  const { scope } = choice
  return (
    <Section title={`Rights of ${user.name}`} actions={<ScopeSelect choice={choice} />}>
      {scope === undefined ? (
        <Loading what="rights" />
      ) : (
        <div className={classes.columns}>
          <RoleChoice key={scope} user={user} scope={scope} />
          <Effective user={user.name} scope={scope} />
        </div>
      )}
    </Section>
  )
}

function RoleChoice({ user, scope }: UserRightsProps & { readonly scope: string }) {
  const roles = useQuery(rolesQuery)
  const grant = useGrantRole()
  const refusal = useRefusal(grantRoles, graphOf(scope))
  if (roles.data === undefined) {
    if (!roles.isError) return <Loading what="roles" rows={4} />
    return (
      <ErrorNotice
        title="The roles could not be read"
        error={roles.error}
        onRetry={roles.refetch}
      />
    )
  }
  const held = new Set(user.roles[scope] ?? [])
  // What was clicked shows at once; the server's word follows.
  const asked = grant.isPending ? grant.variables : undefined
  return (
    // Not disabled meanwhile: that would take the keyboard away from the box.
    <fieldset className={classes.choice} aria-busy={grant.isPending} disabled={refusal !== null}>
      <legend>Roles</legend>
      {refusal !== null && <p>{refusal}</p>}
      {rolesFor(scope, roles.data).map((role) => (
        <Checkbox
          key={role}
          label={role}
          checked={asked?.role === role ? asked.granted : held.has(role)}
          onChange={({ currentTarget: { checked: granted } }) => {
            if (!grant.isPending) grant.mutate({ user: user.name, role, scope, granted })
          }}
        />
      ))}
      {grant.isError && <ErrorNotice title="The role was not changed" error={grant.error} />}
    </fieldset>
  )
}

const columns: readonly Column<EffectivePrivilege>[] = [
  {
    id: 'privilege',
    header: 'May',
    cell: ({ privilege }) => <code>{privilege}</code>,
    sortValue: ({ privilege }) => privilege,
  },
  { id: 'through', header: 'Through', cell: throughText, sortValue: throughText },
]

/** The server tells of every privilege; a limited one holds for some types. */
const isEffective = ({ granted, types }: EffectivePrivilege): boolean => granted || types.length > 0

function Effective({ user, scope }: { readonly user: string; readonly scope: string }) {
  const effective = useQuery(effectiveQuery(user, scope))
  if (effective.data === undefined) {
    if (!effective.isError) return <Loading what="privileges" />
    return (
      <ErrorNotice
        title="The privileges could not be read"
        error={effective.error}
        onRetry={effective.refetch}
      />
    )
  }
  return (
    <DataTable
      label={`Privileges of ${user}`}
      rows={effective.data.privileges.filter(isEffective)}
      columns={columns}
      rowKey={({ privilege }) => privilege}
      emptyText="Nothing here: a role gives privileges."
      maxHeight="360px"
    />
  )
}
