/**
 * What was looked at last in this browser, and what was left unfinished in it: the home page leads
 * back to both. A place is an address of the console with a subject: a vertex, a query, a type.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { keep, keptText } from './kept.ts'

export interface Recent {
  /** Path and search, as the router has them. */
  readonly address: string
  readonly graph: string
  readonly page: string
  readonly subject: string
  /** Epoch milliseconds of the last visit. */
  readonly at: number
}

export const RECENTS_MAX = 24
const STORAGE_KEY = 'quiver.recents'

/** The parameter of an address that says what the page is about. */
const subjects: Readonly<Record<string, string>> = {
  explorer: 'vertex',
  queries: 'query',
  schema: 'type',
}

/** What is no subject: nothing, or a type and no id. */
const emptySubject = /^([^:]*:)?$/

/** Undefined where the address has no subject: a page alone is a click on the rail away. */
export function recentOf(pathname: string, search: string, at: number): Recent | undefined {
  const [, graph = '', page = ''] = pathname.split('/').map(decodeURIComponent)
  const parameter = subjects[page]
  const subject = parameter === undefined ? null : new URLSearchParams(search).get(parameter)
  if (parameter === undefined || subject === null || emptySubject.test(subject)) return undefined
  const kept = new URLSearchParams({ [parameter]: subject })
  return { address: `${pathname}?${kept}`, graph, page, subject, at }
}

/** Newest first, each address once. */
export function withRecent(recents: readonly Recent[], recent: Recent): readonly Recent[] {
  const others = recents.filter(({ address }) => address !== recent.address)
  return [recent, ...others].slice(0, RECENTS_MAX)
}

export function readRecents(text: string | null): readonly Recent[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isRecent).slice(0, RECENTS_MAX) : []
  } catch {
    return []
  }
}

function isRecent(value: unknown): value is Recent {
  const { address, graph, page, subject, at } = (value ?? {}) as Partial<Recent>
  const texts = [address, graph, page, subject]
  return texts.every((text) => typeof text === 'string') && typeof at === 'number'
}

let current: readonly Recent[] | undefined
const listeners = new Set<() => void>()

const known = (): readonly Recent[] => {
  current ??= readRecents(keptText(STORAGE_KEY))
  return current
}

export const recents = {
  of: known,
  visit(pathname: string, search: string): void {
    const recent = recentOf(pathname, search, Date.now())
    if (recent === undefined) return
    current = withRecent(known(), recent)
    keep(STORAGE_KEY, current)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function useRecents(graph: string): readonly Recent[] {
  const all = useSyncExternalStore(recents.subscribe, recents.of)
  return useMemo(() => all.filter((recent) => recent.graph === graph), [all, graph])
}

export interface Unfinished {
  readonly page: 'schema' | 'queries' | 'explorer'
  /** The query's name; empty for a new query, and for pages with one draft. */
  readonly subject: string
}

/** Drafts and scenes under the keys by which their pages keep them. */
export function unfinishedOf(keys: readonly string[], graph: string): readonly Unfinished[] {
  const queries = `quiver.query.${graph}.`
  return keys.flatMap((key): Unfinished[] => {
    if (key === `quiver.schema-draft.${graph}`) return [{ page: 'schema', subject: '' }]
    if (key === `quiver.explorer.${graph}`) return [{ page: 'explorer', subject: '' }]
    if (key.startsWith(queries)) return [{ page: 'queries', subject: key.slice(queries.length) }]
    return []
  })
}
