/**
 * Every page once: its address, its place in the sidebar, its shortcut, and how to load it.
 *
 * A page of a graph is a component with the property `graph`; add it to `graphPages` when it
 * works, and the sidebar, the palette and the shortcuts have it, too.
 */

import type { QueryClient } from '@tanstack/react-query'
import {
  ChartSpline,
  DatabaseZap,
  House,
  KeyRound,
  ListTree,
  type LucideIcon,
  Server,
  Settings,
  Shapes,
  SquareTerminal,
  Waypoints,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { type GraphPage, paths } from '#lib/paths.ts'

/** A page's component; `prepare` begins to fetch what it shows first. */
export type PageComponent<Props = object> = ComponentType<Props> & {
  readonly prepare?: (client: QueryClient, graph: string) => Promise<unknown>
}

interface PageBase {
  readonly label: string
  readonly icon: LucideIcon
  /** The shortcut's second key, after `g`. */
  readonly key: string
}

export interface GlobalPage extends PageBase {
  readonly path: 'home' | 'system' | 'access' | 'settings'
  readonly load: () => Promise<PageComponent>
}

export interface PageOfGraph extends PageBase {
  readonly path: GraphPage
  readonly load: () => Promise<PageComponent<{ readonly graph: string }>>
}

export const homePage: GlobalPage = {
  path: 'home',
  label: 'Home',
  icon: House,
  key: 'h',
  load: async () => (await import('../features/home/home-page.tsx')).HomePage,
}

/** In the order of the sidebar. */
export const graphPages: readonly PageOfGraph[] = [
  {
    path: 'explorer',
    label: 'Explorer',
    icon: Waypoints,
    key: 'e',
    load: async () => (await import('../features/explorer/explorer-page.tsx')).ExplorerPage,
  },
  {
    path: 'queries',
    label: 'Queries',
    icon: SquareTerminal,
    key: 'q',
    load: async () => (await import('../features/queries/queries-page.tsx')).QueriesPage,
  },
  {
    path: 'schema',
    label: 'Schema',
    icon: Shapes,
    key: 's',
    load: async () => (await import('../features/schema/schema-page.tsx')).SchemaPage,
  },
  {
    path: 'data',
    label: 'Data',
    icon: DatabaseZap,
    key: 'd',
    load: async () => (await import('../features/data/data-page.tsx')).DataPage,
  },
  {
    path: 'indexes',
    label: 'Indexes',
    icon: ListTree,
    key: 'i',
    load: async () => (await import('../features/indexes/indexes-page.tsx')).IndexesPage,
  },
  {
    path: 'statistics',
    label: 'Statistics',
    icon: ChartSpline,
    key: 't',
    load: async () => (await import('../features/statistics/statistics-page.tsx')).StatisticsPage,
  },
]

export const systemPages: readonly GlobalPage[] = [
  {
    path: 'system',
    label: 'System',
    icon: Server,
    key: 'm',
    load: async () => (await import('../features/system/system-page.tsx')).SystemPage,
  },
  {
    path: 'access',
    label: 'Access',
    icon: KeyRound,
    key: 'a',
    load: async () => (await import('../features/access/access-page.tsx')).AccessPage,
  },
  {
    path: 'settings',
    label: 'Settings',
    icon: Settings,
    key: ',',
    load: async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  },
]

export const loadLogin = async (): Promise<ComponentType> =>
  (await import('../features/login/login-page.tsx')).LoginPage

export const loadStart = async (): Promise<ComponentType> =>
  (await import('../features/start/start-page.tsx')).StartPage

export const keysOf = (page: GlobalPage | PageOfGraph): string => `g ${page.key}`

export function pathOf(page: GlobalPage | PageOfGraph, graph: string): string {
  switch (page.path) {
    case 'home':
    case 'system':
    case 'access':
    case 'settings':
      return paths[page.path]()
    default:
      return paths[page.path](graph)
  }
}
