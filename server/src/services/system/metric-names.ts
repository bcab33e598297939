/**
 * Metrics for callers who may not learn which graphs and queries there are: their series are added
 * up under the name of the endpoint alone.
 */

/** Statistics keys name a query as `GET /query/{graph}/{query}` with its own names. */
const queryKey = /^(\w+) \/query\/([^/{]+)\/[^{]/

/** What a key says without names. */
export function unnamedKey(key: string): string {
  const method = queryKey.exec(key)?.[1]
  return method === undefined ? key : `${method} /query/{query}`
}

/** The graph that a key names; null: none. */
export function graphOfKey(key: string): string | null {
  return queryKey.exec(key)?.[2] ?? null
}

const named = /^(?:quiver_requests_total|tigergraph_qps)\{.*endpoint="((?:[^"\\]|\\.)*)"/

/** @param mayName whether the caller may learn names of a graph, and of its queries */
export function withoutNames(text: string, mayName: (graph: string) => boolean): string {
  const sums = new Map<string, number>()
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const series = hiddenSeries(line, mayName)
    if (series === null) lines.push(line)
    else {
      if (!sums.has(series)) lines.push(series)
      sums.set(series, (sums.get(series) ?? 0) + Number(line.slice(line.lastIndexOf(' '))))
    }
  }
  return lines.map((line) => (sums.has(line) ? `${line} ${sums.get(line)}` : line)).join('\n')
}

/** The series that a sample is added to; null: it stays as it is. */
function hiddenSeries(line: string, mayName: (graph: string) => boolean): string | null {
  const endpoint = named.exec(line)?.[1]
  if (endpoint === undefined) return null
  const graph = graphOfKey(endpoint)
  // What is added to an unnamed series has to be added to its own sample, too.
  const isUnnamed = graph === null && endpoint.endsWith(' /query/{query}')
  if (!isUnnamed && (graph === null || mayName(graph))) return null
  const series = line.slice(0, line.lastIndexOf(' '))
  return series.replace(`endpoint="${endpoint}"`, `endpoint="${unnamedKey(endpoint)}"`)
}

/** Where on the disk the data is. */
export function withoutPaths(text: string): string {
  return text.replace(/^(tigergraph_diskspace_\w+\{.*)\bpath="(?:[^"\\]|\\.)*"/gm, '$1path=""')
}
