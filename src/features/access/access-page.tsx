/** Who may do what: users, roles, one's own secrets and tokens, and what was done with them. */
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCurrentGraph } from '#api/current-graph.ts'
import { type Demand, useRight } from '#api/rights.ts'
import { listUsers } from '#contract/auth.ts'
import { listRoles, readAuditLog } from '#contract/roles.ts'
import { EmptyState, Loading } from '#ui/feedback/states.tsx'
import { PageTabs } from '#ui/layout/page-tabs.tsx'
import { AuditLog } from './components/audit-log.tsx'
import { Credentials } from './components/credentials.tsx'
import { Roles } from './components/roles.tsx'
import { Users } from './components/users.tsx'

export function AccessPage() {
  const graph = useCurrentGraph()
  return (
    <PageTabs
      title="Access"
      tabs={[
        { id: 'users', label: 'Users', content: of(listUsers, graph, <Users />) },
        { id: 'roles', label: 'Roles', content: of(listRoles, graph, <Roles />) },
        { id: 'credentials', label: 'Secrets and tokens', content: <Credentials /> },
        { id: 'log', label: 'Log', content: of(readAuditLog, '', <AuditLog />) },
      ]}
    />
  )
}

const of = (demand: Demand, graph: string, children: ReactNode) => (
  <Allowed {...{ demand, graph }}>{children}</Allowed>
)

interface AllowedProps {
  readonly demand: Demand
  readonly graph: string
  readonly children: ReactNode
}

/** Who may not see it is told so without asking for it: no refusal is written down. */
function Allowed({ demand, graph, children }: AllowedProps) {
  const { isKnown, refusal } = useRight(demand, graph)
  if (!isKnown) return <Loading />
  return refusal === null ? children : <EmptyState icon={<Lock size={28} />} text={refusal} />
}
