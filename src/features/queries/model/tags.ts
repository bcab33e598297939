/** Tags of queries: some words for each query of a graph, kept by the server per user. */
export type Tags = ReadonlyMap<string, readonly string[]>

const TAGS_PER_QUERY_MAX = 8
export const TAG_LETTERS_MAX = 30

/** From what is typed: words between commas or blanks, each once, with or without `#`. */
export function readTags(text: string): readonly string[] {
  const words = text.split(/[\s,#]+/).map((word) => word.slice(0, TAG_LETTERS_MAX).toLowerCase())
  return [...new Set(words.filter((word) => word !== ''))].slice(0, TAGS_PER_QUERY_MAX)
}

/** @param words none: it has no tags any more */
export function tagged(tags: Tags, query: string, words: readonly string[]): Tags {
  const next = new Map(tags)
  if (words.length === 0) next.delete(query)
  else next.set(query, words)
  return next
}

/** A query is found by a part of its name, or by `#` and the beginning of a tag. */
export function isWanted(name: string, tags: readonly string[], wanted: string): boolean {
  const text = wanted.trim().toLowerCase()
  if (text.startsWith('#')) return tags.some((tag) => tag.startsWith(text.slice(1)))
  return name.toLowerCase().includes(text)
}

/** From a document, which may hold what an older version wrote, or another program. */
export function tagsOf(value: unknown): Tags {
  const isTexts = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((entry) => typeof entry === 'string')
  const isEntry = (entry: unknown): entry is [string, string[]] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && isTexts(entry[1])
  return new Map(Array.isArray(value) ? value.filter(isEntry) : [])
}
