/** Who may do what: users, roles, one's own secrets and tokens, and what was done with them. */
import { PageTabs } from '#ui/page-tabs.tsx'
import { AuditLog } from './components/audit-log.tsx'
import { Credentials } from './components/credentials.tsx'
import { Roles } from './components/roles.tsx'
import { Users } from './components/users.tsx'

export function AccessPage() {
  return (
    <PageTabs
      title="Access"
      tabs={[
        { id: 'users', label: 'Users', content: <Users /> },
        { id: 'roles', label: 'Roles', content: <Roles /> },
        { id: 'credentials', label: 'Secrets and tokens', content: <Credentials /> },
        { id: 'log', label: 'Log', content: <AuditLog /> },
      ]}
    />
  )
}
