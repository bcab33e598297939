/** The open queries above the one editor: each tab has its draft, its run, and what can be undone. */
import { type ReactNode, useSyncExternalStore } from 'react'
import { useCommand } from '#ui/commands/commands.ts'
import { Tabs } from '#ui/layout/tabs.tsx'
import { draftChanges, NEW_QUERY, readDraft } from '../model/drafts.ts'

interface QueryTabsProps {
  readonly graph: string
  readonly names: readonly string[]
  readonly shown: string
  readonly onChoose: (name: string) => void
  readonly onClose: (name: string) => void
  readonly children: ReactNode
}

export function QueryTabs(props: QueryTabsProps) {
  const { graph, names, shown, onChoose, onClose, children } = props
  useSyncExternalStore(draftChanges.subscribe, draftChanges.count)
  // A new query that is alone stands for none.
  const isClosable = names.length > 1 || shown !== NEW_QUERY
  useCommand({
    id: 'queries.close',
    group: 'Queries',
    label: 'Close query',
    keys: 'alt+w',
    enabled: isClosable,
    run: () => onClose(shown),
  })
  return (
    <Tabs
      label="Open queries"
      layout="fill"
      value={shown}
      onChange={onChoose}
      onClose={isClosable ? onClose : undefined}
      tabs={names.map((name) => ({
        id: name,
        label: (
          <span>
            {name === NEW_QUERY ? 'New query' : name}
            <DraftDot graph={graph} name={name} />
          </span>
        ),
        content: children,
      }))}
    />
  )
}

/** Beside the name of a query whose text was changed here. */
export function DraftDot({ graph, name }: { readonly graph: string; readonly name: string }) {
  return readDraft(graph, name) !== null && <span title="Changed here, not installed"> •</span>
}
