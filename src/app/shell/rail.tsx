import { Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { KeyCaps } from '#ui/commands/key-caps.tsx'
import { prefetch } from '../prefetch.ts'
import {
  type GlobalPage,
  graphPages,
  homePage,
  keysOf,
  type PageOfGraph,
  pathOf,
  systemPages,
} from '../routes.tsx'
import classes from './rail.module.css'

/** Every page, one click away; labels beside the icons where there is room. */
export function Rail({ graph }: { readonly graph: string }) {
  return (
    <nav className={classes.rail} aria-label="Pages">
      <RailLink page={homePage} graph={graph} />
      {graph !== '' &&
        graphPages.map((page) => <RailLink key={page.path} page={page} graph={graph} />)}
      <span className={classes.space} />
      {systemPages.map((page) => (
        <RailLink key={page.path} page={page} graph={graph} />
      ))}
    </nav>
  )
}

interface RailLinkProps {
  readonly page: GlobalPage | PageOfGraph
  readonly graph: string
}

function RailLink({ page, graph }: RailLinkProps) {
  const Icon = page.icon
  const client = useQueryClient()
  const fetchIt = () => void prefetch(page, client, graph)
  return (
    <Tooltip
      position="right"
      label={
        <span className={classes.tip}>
          {page.label} <KeyCaps keys={keysOf(page)} />
        </span>
      }
    >
      <NavLink
        to={pathOf(page, graph)}
        className={classes.link ?? ''}
        aria-label={page.label}
        onPointerEnter={fetchIt}
        onFocus={fetchIt}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        <span className={classes.label}>{page.label}</span>
      </NavLink>
    </Tooltip>
  )
}
