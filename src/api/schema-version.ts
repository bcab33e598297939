/**
 * The schema version that the server's latest answer for each graph carried (`version.schema`).
 * A page that holds older knowledge of the schema learns of the drift from here.
 */
let versions: ReadonlyMap<string, number> = new Map()
const listeners = new Set<() => void>()

export const schemaVersions = {
  note(graph: string, version: number): void {
    if (versions.get(graph) === version) return
    versions = new Map(versions).set(graph, version)
    for (const listener of listeners) listener()
  },
  of: (graph: string): number | undefined => versions.get(graph),
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
