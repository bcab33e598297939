/** Texts being edited, kept in this browser until they are installed or given up. */
import { keepText, kept, keptText } from '#lib/storage/kept.ts'
import { queryDraftKey } from '#lib/storage/query-drafts.ts'

export const NEW_QUERY = ''

export function readDraft(graph: string, name: string): string | null {
  return keptText(queryDraftKey(graph, name))
}

let changes = 0
const listeners = new Set<() => void>()

/** Which queries have drafts, for lists that say so: told of when one begins or ends. */
export const draftChanges = {
  count: (): number => changes,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** `null` forgets the draft. */
export function writeDraft(graph: string, name: string, text: string | null): void {
  const before = readDraft(graph, name) !== null
  keepText(queryDraftKey(graph, name), text)
  if (before === (text !== null)) return
  changes++
  for (const listener of listeners) listener()
}

const parametersKey = (graph: string, name: string) => `quiver.parameters.${graph}.${name}`

/** What was last given for a query's parameters, as typed. */
export function readParameterTexts(graph: string, name: string): ReadonlyMap<string, string> {
  const texts = kept(parametersKey(graph, name))
  return new Map(Array.isArray(texts) ? texts.filter(isPairOfTexts) : [])
}

export function writeParameterTexts(
  graph: string,
  name: string,
  texts: ReadonlyMap<string, string>,
): void {
  const given = [...texts].filter(([, text]) => text !== '')
  keepText(parametersKey(graph, name), given.length === 0 ? null : JSON.stringify(given))
}

const isPairOfTexts = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string')

/** A beginning that can be run: where the schema has no types, it reads none. */
export function queryTemplate(vertexType: string | undefined): string {
  if (vertexType === undefined) {
    return `CREATE OR REPLACE QUERY my_query(INT top = 10) {
  // Nothing is read until the schema has vertex types.
  PRINT top;
}
`
  }
  return `CREATE OR REPLACE QUERY my_query(INT top = 10) {
  // Vertices of one type, the first few.
  Start = {${vertexType}.*};
  Result = SELECT v FROM Start:v LIMIT top;
  PRINT Result;
}
`
}

/** The name the text declares, to follow it after an install. */
export function declaredName(text: string): string | null {
  return /\bQUERY\s+([A-Za-z_]\w*)\s*\(/i.exec(text)?.[1] ?? null
}
