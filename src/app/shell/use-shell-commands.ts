/** What can be done from anywhere: go to a page, change the graph, the theme, open an overlay. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useRecents } from '#lib/storage/recents.ts'
import { registerCommands, useCommand } from '#ui/commands/commands.ts'
import { graphPages, homePage, keysOf, pathOf, systemPages } from '../routes.tsx'
import type { Overlay } from './shell.tsx'
import { useChooseGraph } from './use-choose-graph.ts'
import { type TypeNames, useFindingCommands } from './use-finding-commands.ts'

const RECENTS_OFFERED_MAX = 8

interface ShellCommands {
  readonly graph: string
  readonly graphs: readonly string[]
  readonly types: TypeNames
  readonly open: (overlay: Overlay) => void
}

export function useShellCommands({ graph, graphs, types, open }: ShellCommands): void {
  const navigate = useNavigate()
  const choose = useChooseGraph()

  useGoCommands(graph)

  useEffect(
    () =>
      registerCommands(
        graphs
          .filter((name) => name !== graph)
          .map((name) => ({
            id: `graph.${name}`,
            label: `Open graph ${name}`,
            group: 'Graph',
            run: () => choose(name),
          })),
      ),
    [graph, graphs, choose],
  )

  const recents = useRecents(graph)
  useEffect(
    () =>
      registerCommands(
        recents.slice(0, RECENTS_OFFERED_MAX).map(({ address, page, subject }) => ({
          id: `recent.${address}`,
          label: subject,
          group: 'Recent',
          keywords: page,
          run: () => void navigate(address),
        })),
      ),
    [recents, navigate],
  )

  useCommand({
    id: 'shell.palette',
    label: 'Command palette',
    group: 'View',
    keys: 'mod+k',
    run: () => open('palette'),
  })
  useFindingCommands(graph, types)
  useCommand({
    id: 'shell.shortcuts',
    label: 'Keyboard shortcuts',
    group: 'View',
    keys: '?',
    run: () => open('shortcuts'),
  })
  useCommand({
    id: 'shell.requests',
    label: 'Request inspector',
    group: 'View',
    keywords: 'http curl api calls',
    keys: '`',
    run: () => open('requests'),
  })
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  // The last one, where every new label would put it.
  useCommand({
    id: 'shell.theme',
    label: scheme === 'dark' ? 'Use the light theme' : 'Use the dark theme',
    group: 'View',
    keywords: 'theme colour scheme dark light',
    keys: 'shift+mod+l',
    run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
  })
}

function useGoCommands(graph: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    const pages = [homePage, ...(graph === '' ? [] : graphPages), ...systemPages]
    return registerCommands(
      pages.map((page) => ({
        id: `go.${page.path}`,
        label: page.label,
        group: 'Go to',
        keys: keysOf(page),
        run: () => void navigate(pathOf(page, graph)),
      })),
    )
  }, [graph, navigate])
  useCommand({
    ...{ id: 'go.running', label: 'Running queries', group: 'Go to', keys: 'g r' },
    enabled: graph !== '',
    run: () => void navigate(paths.queries(graph, { outcome: 'running' })),
  })
}
