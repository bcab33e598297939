/** Folders of queries: the name of one for some queries of a graph, kept by the server per user. */
export type Folders = ReadonlyMap<string, string>

export const FOLDER_LETTERS_MAX = 60

export interface QueryGroup<Q> {
  /** Empty: in no folder. */
  readonly folder: string
  readonly queries: readonly Q[]
}

/** By folder, those in none last; a folder in which no query of the graph is left is not shown. */
export function groupsOf<Q extends { readonly name: string }>(
  queries: readonly Q[],
  folders: Folders,
): readonly QueryGroup<Q>[] {
  const groups = Map.groupBy(queries, ({ name }) => folders.get(name) ?? '')
  return [...groups]
    .map(([folder, inIt]) => ({ folder, queries: inIt }))
    .sort(
      (one, other) =>
        Number(one.folder === '') - Number(other.folder === '') ||
        one.folder.localeCompare(other.folder),
    )
}

export function folderNames(folders: Folders): readonly string[] {
  return [...new Set(folders.values())].sort((one, other) => one.localeCompare(other))
}

/** @param folder empty: out of its folder */
export function moved(folders: Folders, query: string, folder: string): Folders {
  const next = new Map(folders)
  if (folder === '') next.delete(query)
  else next.set(query, folder)
  return next
}

/** From a document, which may hold what an older version wrote, or another program. */
export function foldersOf(value: unknown): Folders {
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string')
  return new Map(Array.isArray(value) ? value.filter(isPair) : [])
}
