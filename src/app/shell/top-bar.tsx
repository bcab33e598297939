/** Above every page: where one is, what the page offers, and what concerns the whole server. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Link } from 'react-router'
import type { GraphSummary } from '#api/graphs.ts'
import { paths } from '#lib/paths.ts'
import { useKeysOf } from '#ui/commands/commands.ts'
import { KeyCaps } from '#ui/commands/key-caps.tsx'
import type { PageHeadRefs } from '#ui/layout/page-head.tsx'
import { Logo } from '#ui/theme/logo.tsx'
import { ActivityTray } from './activity-tray.tsx'
import { Environment } from './environment.tsx'
import { GraphSelector } from './graph-selector.tsx'
import { PasswordChip } from './password-chip.tsx'
import { SchemaBadge } from './schema-badge.tsx'
import { ServerChip } from './server-line.tsx'
import type { Overlay } from './shell.tsx'
import classes from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly graph: string
  readonly graphs: UseQueryResult<readonly GraphSummary[]>
  readonly passwordIsDefault: boolean
  readonly places: PageHeadRefs
  readonly onOpen: (overlay: Overlay) => void
}

export function TopBar({ graph, graphs, passwordIsDefault, places, onOpen }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <Link to={paths.home()} className={classes.brand} aria-label="Quiver, home">
        <Logo size={24} />
      </Link>
      <div className={classes.crumbs}>
        {graphs.data !== undefined && <GraphSelector graph={graph} graphs={graphs.data} />}
        <SchemaBadge key={graph} graph={graph} />
        <span className={classes.slash} aria-hidden="true">
          /
        </span>
        <div ref={places.title} className={classes.title} />
      </div>
      <div ref={places.tabs} className={classes.tabs} />
      <div className={classes.end}>
        <ServerChip />
        <Environment />
        {passwordIsDefault && <PasswordChip />}
        <div ref={places.actions} className={classes.actions} />
        <button type="button" className={classes.search} onClick={() => onOpen('palette')}>
          <Search size={14} aria-hidden="true" />
          <span className={classes.searchText}>Search or jump to</span>
          <PaletteKeys />
        </button>
        <ActivityTray />
        <UserMenu onOpen={onOpen} />
      </div>
    </header>
  )
}

function PaletteKeys() {
  const keys = useKeysOf('shell.palette')
  return <span className={classes.searchKeys}>{keys !== undefined && <KeyCaps keys={keys} />}</span>
}
