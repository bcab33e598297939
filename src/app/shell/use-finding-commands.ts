/** Ways from the keyboard to what one looks for: a field, a type, a vertex, a request that failed. */
import { useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { requestLog } from '#api/request-log.ts'
import { paths } from '#lib/paths.ts'
import {
  type Lookup,
  registerCommands,
  setPaletteLookup,
  useCommand,
} from '#ui/commands/commands.ts'
import { openRequest } from '#ui/feedback/request-link.ts'

const FAILURES_OFFERED_MAX = 5
const TYPES_OFFERED_MAX = 5

/** Of the graph. */
export interface TypeNames {
  readonly vertexTypes: readonly string[]
  readonly edgeTypes: readonly string[]
}

export function useFindingCommands(graph: string, types: TypeNames): void {
  useCommand({
    id: 'shell.search',
    label: 'Search on this page',
    group: 'View',
    keywords: 'find filter field',
    keys: '/',
    run: focusSearchField,
  })
  useElementLookup(graph, types)
  useFailures()
}

function useElementLookup(graph: string, { vertexTypes, edgeTypes }: TypeNames): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (graph === '') return
    const go = (address: string) => () => void navigate(address)
    return setPaletteLookup((text) => [
      ...typesNamed([...vertexTypes, ...edgeTypes], text).map((type) => ({
        id: `shell.type.${type}`,
        label: `Open the type ${type}`,
        group: 'Schema',
        // A page may have the same name.
        isCertain: false,
        run: go(paths.schema(graph, { type })),
      })),
      ...vertexNamed(vertexTypes, text, (vertex) => go(paths.explorer(graph, { vertex }))),
    ])
  }, [graph, vertexTypes, edgeTypes, navigate])
}

/** Those that begin with the text stand before those that have it within. */
export function typesNamed(names: readonly string[], text: string): readonly string[] {
  const place = (name: string) => name.toLowerCase().indexOf(text.toLowerCase())
  return names
    .filter((name) => place(name) >= 0)
    .sort((a, b) => place(a) - place(b))
    .slice(0, TYPES_OFFERED_MAX)
}

/** `Type:id` or an id: where the explorer has one such vertex it draws it, else it searches. */
function vertexNamed(
  vertexTypes: readonly string[],
  text: string,
  run: (vertex: string) => () => void,
): readonly Lookup[] {
  const type = vertexTypes.find((name) => text.startsWith(`${name}:`))
  const id = type === undefined ? text : text.slice(type.length + 1)
  if (id === '') return []
  return [
    {
      id: 'shell.vertex',
      label: `Open the vertex ${type === undefined ? id : `${type} ${id}`}`,
      group: 'Explorer',
      isCertain: type !== undefined,
      run: run(`${type ?? ''}:${id}`),
    },
  ]
}

function useFailures(): void {
  const entries = useSyncExternalStore(requestLog.subscribe, requestLog.failures)
  useEffect(
    () =>
      registerCommands(
        entries.slice(0, FAILURES_OFFERED_MAX).map((entry) => ({
          id: `failure.${entry.id}`,
          label: entry.failure ?? '',
          group: 'Failed',
          keywords: `error ${entry.method} ${entry.url} ${entry.status} ${entry.requestId ?? ''}`,
          detail: entry.requestId,
          run: () => openRequest(entry.id),
        })),
      ),
    [entries],
  )
}

/** The page's own field; one in a tab that is not shown is none. */
function focusSearchField(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-search-field]')]
  fields.find((field) => field.offsetParent !== null)?.select()
}
