/** Texts of queries that are being written: each is kept in this browser until it is installed or given up. */

const prefix = (graph: string) => `quiver.query.${graph}.`

export const queryDraftKey = (graph: string, name: string): string => prefix(graph) + name

/** By the name of the query; that of a new one is empty. */
export function queryDrafts(graph: string): ReadonlyMap<string, string> {
  const start = prefix(graph)
  try {
    const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(start))
    return new Map(kept.map(([key, text]) => [key.slice(start.length), String(text)]))
  } catch {
    return new Map()
  }
}
