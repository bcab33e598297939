/** Ways from the keyboard to what one looks for: a field, a vertex, a request that failed. */
import { useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { requestLog } from '#api/request-log.ts'
import { paths } from '#lib/paths.ts'
import { registerCommands, setPaletteLookup, useCommand } from '#ui/commands.ts'
import { openRequest } from '#ui/request-link.ts'

const FAILURES_OFFERED_MAX = 5

export function useFindingCommands(graph: string, vertexTypes: readonly string[]): void {
  useCommand({
    id: 'shell.search',
    label: 'Search on this page',
    group: 'View',
    keywords: 'find filter field',
    keys: '/',
    run: focusSearchField,
  })
  useVertexLookup(graph, vertexTypes)
  useFailures()
}

/** `Type:id` or an id: where the explorer has one such vertex it draws it, else it searches. */
function useVertexLookup(graph: string, vertexTypes: readonly string[]): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (graph === '') return
    return setPaletteLookup((text) => {
      const type = vertexTypes.find((name) => text.startsWith(`${name}:`))
      const id = type === undefined ? text : text.slice(type.length + 1)
      if (id === '') return null
      const vertex = `${type ?? ''}:${id}`
      return {
        id: 'shell.vertex',
        label: `Open the vertex ${type === undefined ? id : `${type} ${id}`}`,
        group: 'Explorer',
        isCertain: type !== undefined,
        run: () => void navigate(paths.explorer(graph, { vertex })),
      }
    })
  }, [graph, vertexTypes, navigate])
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
  const fields = [...document.querySelectorAll<HTMLInputElement>('main [data-search-field]')]
  fields.find((field) => field.offsetParent !== null)?.select()
}
