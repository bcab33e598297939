/**
 * What the search field understands: `Type:id`, a bare id over all types, several ids pasted on
 * lines or separated by commas, one with a comma in quotes, and a condition
 * `Type where attribute > value`, whose type may be left out. `Type`, `Type:` and `Type:*` ask for
 * the first of a type, `*` for any of one.
 */
import { parseVertexKey, type VertexKey } from './scene.ts'

export type SearchRequest =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ids'; readonly type: string | null; readonly ids: readonly string[] }
  | { readonly kind: 'filter'; readonly type: string; readonly filter: string }
  | { readonly kind: 'type'; readonly type: string }
  /** More than one search would be meant: each a search of its own. */
  | { readonly kind: 'choices'; readonly why: string; readonly searches: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string }

/** More ids than this in one search would be a load, not a look. */
export const SEARCH_IDS_MAX = 200

/** @param attributes names of attributes by type, as far as they are known */
export function parseSearch(
  text: string,
  types: readonly string[],
  attributes: ReadonlyMap<string, readonly string[]> = new Map(),
): SearchRequest {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty' }
  const condition = /^(\w+)\s+where\s+(.+)$/is.exec(trimmed)
  if (condition !== null)
    return filterRequest(condition[1] as string, condition[2] as string, types)
  if (trimmed === '*' && types.length > 0) {
    return { kind: 'choices', why: 'All of which type?', searches: types }
  }
  if (types.includes(trimmed)) return { kind: 'type', type: trimmed }
  const bare = bareCondition(trimmed, types, attributes)
  if (bare !== null) return bare
  const prefix = types.find((type) => trimmed.startsWith(`${type}:`)) ?? null
  const rest = prefix === null ? trimmed : trimmed.slice(prefix.length + 1)
  const parts = (rest.match(QUOTED_OR_PLAIN) ?? []).map((part) => part.trim())
  const ids = [...new Set(parts.map(unquoted))].filter((id) => id !== '')
  if (ids.length === 0 && prefix === null) return { kind: 'empty' }
  if (prefix !== null && parts.every((part) => part === '*' || unquoted(part) === '')) {
    return { kind: 'type', type: prefix }
  }
  if (ids.length > SEARCH_IDS_MAX) {
    return { kind: 'invalid', reason: `At most ${SEARCH_IDS_MAX} ids in one search.` }
  }
  return { kind: 'ids', type: prefix, ids }
}

/** Quotes hold one id from comma to comma; elsewhere they are part of it. A quote inside is doubled. */
const QUOTED_OR_PLAIN = /\s*"(?:[^"]|"")*"\s*(?=[\n,]|$)|[^\n,]+/g

const unquoted = (part: string): string =>
  /^"(?:[^"]|"")*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part

/** What finds that one vertex. @param type empty: of any type */
export function searchText(type: string, id: string): string {
  const text = /,|^["\s]|\s$|^\*$/.test(id) ? `"${id.replaceAll('"', '""')}"` : id
  return type === '' ? text : `${type}:${text}`
}

/** Vertices of an address, `Type:id` or an id on each line. What lacks an id is left out. */
export const linkedKeys = (text: string): readonly VertexKey[] =>
  text
    .split('\n')
    .map((name) => (name.includes(':') ? name.replace(':', ' ') : ` ${name}`))
    .filter((key) => parseVertexKey(key).id !== '')

/** Without an attribute of that name it may be an id, such as `a=b`. */
function bareCondition(
  text: string,
  types: readonly string[],
  attributes: ReadonlyMap<string, readonly string[]>,
): SearchRequest | null {
  const [, type, attribute, condition = ''] =
    /^(?:(\w+)\s+)?(?=(\w+)\s*(?:!=|>=|<=|==?|>|<))(.+)$/s.exec(text) ?? []
  const owners = types.filter(
    (one) => (type === undefined || one === type) && attributes.get(one)?.includes(attribute ?? ''),
  )
  const [first, ...others] = owners
  if (first === undefined) return null
  if (others.length === 0) return filterRequest(first, condition, types)
  const searches = owners.map((one) => `${one} where ${condition}`)
  return { kind: 'choices', why: 'Several types have that attribute:', searches }
}

/** What a column of a spreadsheet or the lines of a file are in the one line of a field. */
export function pastedIds(text: string): string | null {
  const lines = text.split(/[\r\n\t]+/).map((line) => line.trim())
  const filled = lines.filter((line) => line !== '')
  return filled.length > 1 ? filled.map((line) => line.replace(/,+$/, '')).join(', ') : null
}

function filterRequest(type: string, filter: string, types: readonly string[]): SearchRequest {
  if (!types.includes(type)) return { kind: 'invalid', reason: `There is no vertex type ${type}.` }
  const parts = filter.split(/("[^"]*")/).map((part, i) => (i % 2 === 1 ? part : tidied(part)))
  return { kind: 'filter', type, filter: parts.join('') }
}

/** Outside of quotes: `and` becomes a comma, `==` one sign, and blanks around operators go. */
function tidied(text: string): string {
  return text
    .replace(/\s*\band\b\s*/gi, ',')
    .replace(/==/g, '=')
    .replace(/\s*(!=|>=|<=|=|>|<|,)\s*/g, '$1')
}
