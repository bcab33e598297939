/** The way back: what this browser was at, newest first, and what it left unfinished. */
import type { LucideIcon } from 'lucide-react'
import { PencilLine, Shapes, SquareTerminal, Waypoints } from 'lucide-react'
import { Link } from 'react-router'
import { formatAge } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { type Recent, type Unfinished, unfinishedOf, useRecents } from '#lib/storage/recents.ts'
import { Section } from '#ui/layout/page.tsx'
import classes from './recents.module.css'

const SHOWN_MAX = 8

export function Recents({ graph }: { readonly graph: string }) {
  const recents = useRecents(graph).slice(0, SHOWN_MAX)
  const unfinished = unfinishedOf(storedKeys(), graph)
  return (
    <Section title="Recent" layout="flush">
      {recents.length + unfinished.length === 0 ? (
        <p className={classes.none}>Vertices, types and queries you open appear here.</p>
      ) : (
        <ul>
          {unfinished.map((draft) => (
            <UnfinishedRow key={`${draft.page} ${draft.subject}`} draft={draft} graph={graph} />
          ))}
          {recents.map((recent) => (
            <RecentRow key={recent.address} recent={recent} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const icons: Readonly<Record<string, LucideIcon>> = {
  explorer: Waypoints,
  queries: SquareTerminal,
  schema: Shapes,
}

function RecentRow({ recent }: { readonly recent: Recent }) {
  const Icon = icons[recent.page] ?? Shapes
  return (
    <li className={classes.row}>
      <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
      <Link className={classes.link} to={recent.address}>
        {recent.subject}
      </Link>
      <span className={classes.detail}>
        {recent.page}, {formatAge(Date.now() - recent.at)}
      </span>
    </li>
  )
}

interface UnfinishedRowProps {
  readonly draft: Unfinished
  readonly graph: string
}

function UnfinishedRow({ draft, graph }: UnfinishedRowProps) {
  return (
    <li className={classes.row}>
      <PencilLine size={15} strokeWidth={1.75} aria-hidden="true" />
      <Link className={classes.link} to={addressOf(draft, graph)}>
        {titleOf(draft)}
      </Link>
      <span className={classes.detail}>{draft.page === 'explorer' ? 'kept' : 'draft'}</span>
    </li>
  )
}

function addressOf({ page, subject }: Unfinished, graph: string): string {
  return paths[page](graph, page === 'queries' ? { query: subject } : {})
}

function titleOf({ page, subject }: Unfinished): string {
  if (page === 'schema') return 'Changes of the schema'
  if (page === 'explorer') return 'The scene in the explorer'
  return subject === '' ? 'A new query' : `Query ${subject}`
}

function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
