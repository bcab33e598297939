/** Who may do what: users, roles, one's own secrets and tokens, and what was done with them. */
import { useSearchParams } from 'react-router'
import { Page } from '#ui/page.tsx'
import { Tabs } from '#ui/tabs.tsx'
import classes from './access-page.module.css'
import { AuditLog } from './components/audit-log.tsx'
import { Credentials } from './components/credentials.tsx'
import { Roles } from './components/roles.tsx'
import { Users } from './components/users.tsx'

const tabs = [
  { id: 'users', label: 'Users', content: <Users /> },
  { id: 'roles', label: 'Roles', content: <Roles /> },
  { id: 'credentials', label: 'Secrets and tokens', content: <Credentials /> },
  { id: 'log', label: 'Log', content: <AuditLog /> },
] as const

type TabId = (typeof tabs)[number]['id']

export function AccessPage() {
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'users'
  return (
    <Page title="Access" layout="fill">
      <div className={classes.tabs}>
        <Tabs<TabId>
          label="Access"
          layout="fill"
          value={tab}
          onChange={(id) => setSearch({ tab: id }, { replace: true })}
          tabs={tabs.map((entry) => ({
            ...entry,
            content: <div className={classes.content}>{entry.content}</div>,
          }))}
        />
      </div>
    </Page>
  )
}
