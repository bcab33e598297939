/** The queries that are open, in the order of their tabs; the one in the editor among them. */
import { keep, kept } from '#lib/storage/kept.ts'

export interface OpenQueries {
  /** In the order in which they were opened. */
  readonly names: readonly string[]
  readonly shown: string
  /** Another one for each query that comes into the editor. */
  readonly key: number
  /** The name that the query in the editor is about to have. */
  readonly coming: string | null
  /** The open one that goes once another is shown. */
  readonly leaving: string | null
}

export const openWith = (names: readonly string[], shown: string): OpenQueries => ({
  names: names.includes(shown) ? names : [...names, shown],
  shown,
  key: 0,
  coming: null,
  leaving: null,
})

/**
 * Another query is shown. One that was just given its name stays in its tab and in its editor: with
 * the cursor, what can be undone, and what was typed since.
 */
export function showing(open: OpenQueries, shown: string): OpenQueries {
  const { names, coming, leaving, key } = open
  const isNamed = shown === coming
  const kept = names
    .filter((name) => name !== leaving && !(isNamed && name === shown))
    .map((name) => (isNamed && name === open.shown ? shown : name))
  return { ...openWith(kept, shown), key: isNamed ? key : key + 1 }
}

/**
 * One that is not shown is gone at once; the shown one when `next` is.
 * @returns with what is to be shown instead; null: what is shown stays
 */
export function closing(
  open: OpenQueries,
  name: string,
): { readonly open: OpenQueries; readonly next: string | null } {
  const names = open.names.filter((other) => other !== name)
  if (name !== open.shown) return { open: { ...open, names }, next: null }
  const place = open.names.indexOf(name)
  // Behind the last one there is a new query, which stays.
  const next = names[place] ?? names.at(-1) ?? ''
  return { open: { ...open, leaving: name === next ? null : name }, next }
}

type KeptQueries = Pick<OpenQueries, 'names' | 'shown'>

const keyOf = (graph: string): string => `quiver.open.${graph}`

/** Null: this browser has not had any open. */
export function readOpen(graph: string): KeptQueries | null {
  const open = kept(keyOf(graph))
  return isOpen(open) ? open : null
}

export function writeOpen(graph: string, { names, shown }: KeptQueries): void {
  keep(keyOf(graph), { names, shown })
}

function isOpen(value: unknown): value is KeptQueries {
  if (typeof value !== 'object' || value === null) return false
  const { names, shown } = value as Partial<KeptQueries>
  return Array.isArray(names) && [...names, shown].every((name) => typeof name === 'string')
}
