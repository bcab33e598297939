/** The queries of the graph with their state; one of them, or a new one, is in the editor. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Fragment, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import type { queryInfo } from '#contract/queries.ts'
import { type Status, StatusBadge } from '#ui/feedback/status-badge.tsx'
import { foldersQuery, tagsQuery } from '../api/kept.ts'
import { draftChanges } from '../model/drafts.ts'
import { groupsOf } from '../model/folders.ts'
import { isWanted } from '../model/tags.ts'
import classes from '../queries-page.module.css'
import { DraftDot } from './query-tabs.tsx'

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
  const folders = useQuery(foldersQuery(graph))
  const tags = useQuery(tagsQuery(graph)).data
  useSyncExternalStore(draftChanges.subscribe, draftChanges.count)
  const [wanted, setWanted] = useState('')
  const tagsOf = (name: string) => tags?.get(name) ?? []
  const found = queries.filter(({ name }) => isWanted(name, tagsOf(name), wanted))
  const groups = groupsOf(found, folders.data ?? new Map())
  const items = (inGroup: readonly QueryInfo[]) => (
    <ul>
      {inGroup.map((query) => (
        <li key={query.name}>
          <QueryItem
            {...{ graph, query, onChoose }}
            tags={tagsOf(query.name)}
            chosen={query.name === chosen}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <nav className={classes.list} aria-label="Queries">
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={() => onChoose('')}
      >
        New query
      </Button>
      {queries.length > 0 && (
        <TextInput
          aria-label="Filter the queries"
          data-search-field
          placeholder="Filter by name or #tag"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      {queries.length === 0 && (
        <p className={classes.none}>No query yet: write one and install it.</p>
      )}
      {queries.length > 0 && found.length === 0 && (
        <p className={classes.none}>No query has this in its name or as a #tag.</p>
      )}
      {groups.map(({ folder, queries: inGroup }) =>
        folder === '' ? (
          <Fragment key="">{items(inGroup)}</Fragment>
        ) : (
          <details key={folder} open className={classes.folder}>
            <summary>
              {folder} <span className={classes.folderCount}>{inGroup.length}</span>
            </summary>
            {items(inGroup)}
          </details>
        ),
      )}
    </nav>
  )
}

interface QueryItemProps {
  readonly graph: string
  readonly query: QueryInfo
  readonly tags: readonly string[]
  readonly chosen: boolean
  readonly onChoose: (name: string) => void
}

function QueryItem({ graph, query, tags, chosen, onChoose }: QueryItemProps) {
  const [status, words] = stateOf(query)
  const place = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (chosen && place.current !== null) showInList(place.current)
  }, [chosen])
  return (
    <button
      ref={place}
      type="button"
      className={classes.item}
      aria-current={chosen}
      onClick={() => onChoose(query.name)}
    >
      <span className={classes.itemText}>
        <span className={classes.itemName}>
          {query.name}
          <DraftDot graph={graph} name={query.name} />
        </span>
        {tags.length > 0 && (
          <span className={classes.tags}>{tags.map((tag) => `#${tag}`).join(' ')}</span>
        )}
      </span>
      <StatusBadge status={status} look="plain">
        {words}
      </StatusBadge>
    </button>
  )
}

/** On a phone the list is low: it scrolls to the open query, and the page stays where it is. */
export function showInList(item: HTMLElement): void {
  const list = item.closest('nav')
  if (list === null) return
  const [{ top, bottom }, seen] = [item.getBoundingClientRect(), list.getBoundingClientRect()]
  list.scrollTop += Math.max(0, bottom - seen.bottom) + Math.min(0, top - seen.top)
}
