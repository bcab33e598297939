/**
 * Every address of the console, and the builders of its links. What a view shows is in its URL:
 * the graph in the path, selection, filters and time range in the search part.
 */
export const graphPages = [
  'schema',
  'data',
  'explorer',
  'queries',
  'indexes',
  'statistics',
] as const

export type GraphPage = (typeof graphPages)[number]

type Search = Readonly<Record<string, string | number | boolean | undefined>>

const graphPage =
  (page: GraphPage) =>
  (graph: string, search: Search = {}): string =>
    `/${encodeURIComponent(graph)}/${page}${searchText(search)}`

export const paths = {
  login: (from?: string): string => `/login${searchText({ from })}`,
  home: (): string => '/home',
  /** Where a new graph comes from: `csv` or `schema`. */
  start: (search: Search = {}): string => `/start${searchText(search)}`,
  system: (search: Search = {}): string => `/system${searchText(search)}`,
  access: (search: Search = {}): string => `/access${searchText(search)}`,
  settings: (search: Search = {}): string => `/settings${searchText(search)}`,
  schema: graphPage('schema'),
  data: graphPage('data'),
  explorer: graphPage('explorer'),
  queries: graphPage('queries'),
  indexes: graphPage('indexes'),
  statistics: graphPage('statistics'),
} as const

/** Room for the rest of an address of 2,000 letters. */
const LIST_LETTERS_MAX = 1_700

/** `Type:id` of several vertices, for the explorer's `vertex`: as many of the first as an address holds. */
export function vertexList(names: readonly string[]): string {
  let room = LIST_LETTERS_MAX
  const fitting = names.filter((name) => {
    room -= encodeURIComponent(name).length + 3
    return room >= 0 && !name.includes('\n')
  })
  return fitting.join('\n')
}

/** The same page for another graph; undefined where the page shows no graph. */
export function withGraph(pathname: string, graph: string): string | undefined {
  const page = pathname.split('/')[2]
  const kept = graphPages.find((name) => name === page)
  return kept === undefined ? undefined : graphPage(kept)(graph)
}

function searchText(search: Search): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
