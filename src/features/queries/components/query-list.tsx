/** The queries of the graph with their state; one of them, or a new one, is in the editor. */
import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { z } from 'zod'
import type { queryInfo } from '#contract/queries.ts'
import { type Status, StatusBadge } from '#ui/status-badge.tsx'
import { readDraft } from '../model/drafts.ts'
import classes from '../queries-page.module.css'

export type QueryInfo = z.output<typeof queryInfo>

interface QueryListProps {
  readonly graph: string
  readonly queries: readonly QueryInfo[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

export function stateOf(query: QueryInfo): readonly [Status, string] {
  if (query.status === 'DRAFT') return ['warning', 'draft']
  if (!query.installed) return ['neutral', 'not installed']
  return query.enabled ? ['success', 'installed'] : ['danger', 'disabled']
}

export function QueryList({ graph, queries, chosen, onChoose }: QueryListProps) {
  return (
    <nav className={classes.list} aria-label="Queries">
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={() => onChoose('')}
      >
        New query
      </Button>
      {queries.length === 0 && (
        <p className={classes.none}>No query yet: write one and install it.</p>
      )}
      <ul>
        {queries.map((query) => {
          const [status, words] = stateOf(query)
          return (
            <li key={query.name}>
              <button
                type="button"
                className={classes.item}
                aria-current={query.name === chosen}
                onClick={() => onChoose(query.name)}
              >
                <span className={classes.itemName}>
                  {query.name}
                  {readDraft(graph, query.name) !== null && (
                    <span title="Changed here, not installed"> •</span>
                  )}
                </span>
                <StatusBadge status={status} look="plain">
                  {words}
                </StatusBadge>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
