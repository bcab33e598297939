/** Every page, one click away: with labels, as a rail of icons with a word each, or at the foot of a phone. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Menu as MenuIcon, PanelLeft } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useKeysOf } from '#ui/commands/commands.ts'
import { KeyCaps } from '#ui/commands/key-caps.tsx'
import { Logo } from '#ui/theme/logo.tsx'
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
import { ServerLine } from './server-line.tsx'
import classes from './sidebar.module.css'

type AnyPage = GlobalPage | PageOfGraph

/** The pages of a phone's bar; the others are in its menu. */
const phonePaths: readonly AnyPage['path'][] = ['home', 'explorer', 'queries', 'statistics']

interface SidebarProps {
  readonly graph: string
  readonly isFolded: boolean
  readonly onFold: () => void
}

export function Sidebar({ graph, isFolded, onFold }: SidebarProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const pages: readonly AnyPage[] = [homePage, ...(graph === '' ? [] : graphPages), ...systemPages]
  if (isPhone) return <PhoneBar graph={graph} pages={pages} />
  const ofServer = (page: AnyPage) =>
    page.path === 'statistics' || systemPages.some((one) => one === page)
  const links = (list: readonly AnyPage[]) =>
    list.map((page) => <PageLink key={page.path} {...{ page, graph, isFolded }} />)
  return (
    <nav className={classes.sidebar} data-folded={isFolded} aria-label="Pages">
      <div className={classes.brand}>
        <Link to={paths.home()} className={classes.home} aria-label="Quiver, home">
          <Logo size={24} />
          {!isFolded && <span>Quiver</span>}
        </Link>
        {!isFolded && <FoldButton isFolded={false} onFold={onFold} />}
      </div>
      <div className={classes.links}>
        {!isFolded && <h2 className={classes.group}>Graph</h2>}
        {links(pages.filter((page) => !ofServer(page)))}
        {isFolded ? <span className={classes.line} /> : <h2 className={classes.group}>Server</h2>}
        {links(pages.filter(ofServer))}
      </div>
      {isFolded && <FoldButton isFolded onFold={onFold} />}
      <ServerLine isFolded={isFolded} />
    </nav>
  )
}

function FoldButton({ isFolded, onFold }: Pick<SidebarProps, 'isFolded' | 'onFold'>) {
  const keys = useKeysOf('shell.sidebar')
  const label = isFolded ? 'Show labels' : 'Fold the sidebar'
  return (
    <Tooltip position="right" label={<Tip label={label} keys={keys} />}>
      <ActionIcon aria-label={label} aria-expanded={!isFolded} onClick={onFold}>
        <PanelLeft size={16} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}

interface PageLinkProps {
  readonly page: AnyPage
  readonly graph: string
  readonly isFolded: boolean
}

function PageLink({ page, graph, isFolded }: PageLinkProps) {
  const Icon = page.icon
  const client = useQueryClient()
  const fetchIt = () => void prefetch(page, client, graph)
  return (
    <Tooltip position="right" label={<Tip label={page.label} keys={keysOf(page)} />}>
      <NavLink
        to={pathOf(page, graph)}
        className={classes.link ?? ''}
        aria-label={page.label}
        onPointerEnter={fetchIt}
        onFocus={fetchIt}
      >
        <Icon size={isFolded ? 18 : 16} strokeWidth={1.75} aria-hidden="true" />
        <span className={classes.label}>{page.label}</span>
      </NavLink>
    </Tooltip>
  )
}

function Tip({ label, keys }: { readonly label: string; readonly keys: string | undefined }) {
  return (
    <span className={classes.tip}>
      {label} {keys !== undefined && <KeyCaps keys={keys} />}
    </span>
  )
}

interface PhoneBarProps {
  readonly graph: string
  readonly pages: readonly AnyPage[]
}

function PhoneBar({ graph, pages }: PhoneBarProps) {
  const isShown = ({ path }: AnyPage) => phonePaths.includes(path)
  const { pathname } = useLocation()
  const inMenu = pages.filter((page) => !isShown(page))
  const current = inMenu.find((page) => pathname.endsWith(`/${page.path}`))
  const Icon = current?.icon ?? MenuIcon
  return (
    <nav className={classes.phone} aria-label="Pages">
      {pages.filter(isShown).map((page) => (
        <PageLink key={page.path} {...{ page, graph }} isFolded />
      ))}
      <Menu position="top-end" width={220}>
        <Menu.Target>
          <button
            type="button"
            className={classes.link}
            aria-label={current === undefined ? 'More pages' : `${current.label}, more pages`}
            aria-current={current === undefined ? undefined : 'page'}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
            <span className={classes.label}>{current?.label ?? 'More'}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label="More pages">
          {inMenu.map((page) => (
            <Menu.Item
              key={page.path}
              component={Link}
              to={pathOf(page, graph)}
              leftSection={<page.icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            >
              {page.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}
