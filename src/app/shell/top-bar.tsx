import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Moon, Search, Sun } from 'lucide-react'
import { Link } from 'react-router'
import type { GraphSummary } from '#api/graphs.ts'
import { paths } from '#lib/paths.ts'
import { useKeysOf } from '#ui/commands/commands.ts'
import { KeyCaps } from '#ui/commands/key-caps.tsx'
import { Logo } from '#ui/theme/logo.tsx'
import { ActivityTray } from './activity-tray.tsx'
import { Environment } from './environment.tsx'
import { GraphSelector } from './graph-selector.tsx'
import { HealthDot } from './health-dot.tsx'
import { SchemaBadge } from './schema-badge.tsx'
import type { Overlay } from './shell.tsx'
import classes from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly graph: string
  readonly graphs: UseQueryResult<readonly GraphSummary[]>
  readonly onOpen: (overlay: Overlay) => void
}

export function TopBar({ graph, graphs, onOpen }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <Link to={paths.home()} className={classes.brand} aria-label="Quiver, home">
        <Logo />
        <span className={classes.word}>Quiver</span>
      </Link>
      {graphs.data !== undefined && <GraphSelector graph={graph} graphs={graphs.data} />}
      <Environment />
      <SchemaBadge key={graph} graph={graph} />
      <button type="button" className={classes.search} onClick={() => onOpen('palette')}>
        <Search size={14} aria-hidden="true" />
        <span className={classes.searchText}>Search pages and commands</span>
        <PaletteKeys />
      </button>
      <div className={classes.end}>
        <HealthDot />
        <ActivityTray />
        <ThemeSwitch />
        <UserMenu onOpen={onOpen} />
      </div>
    </header>
  )
}

function PaletteKeys() {
  const keys = useKeysOf('shell.palette')
  return <span className={classes.searchKeys}>{keys !== undefined && <KeyCaps keys={keys} />}</span>
}

function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const label = dark ? 'Use the light theme' : 'Use the dark theme'
  const keys = useKeysOf('shell.theme')
  return (
    <Tooltip
      label={
        <span className={classes.tip}>
          {label} {keys !== undefined && <KeyCaps keys={keys} />}
        </span>
      }
    >
      <ActionIcon aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
        {dark ? <Sun size={16} aria-hidden="true" /> : <Moon size={16} aria-hidden="true" />}
      </ActionIcon>
    </Tooltip>
  )
}
