/** Queries: write with live diagnostics, install, run, look at the result, end what runs too long. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import { prefetchEditor } from '#ui/code-editor.tsx'
import { Page } from '#ui/page.tsx'
import { SplitPane } from '#ui/split-pane.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { compilerSchemaQuery, infoQuery } from './api/queries.ts'
import { QueryList } from './components/query-list.tsx'
import { prefetchOutcomes, QueryWorkbench } from './components/query-workbench.tsx'
import { ReplaceDraftDialog } from './components/replace-draft-dialog.tsx'
import { useQueryLink } from './use-query-link.ts'

export function QueriesPage({ graph }: { readonly graph: string }) {
  const queries = useQuery(infoQuery(graph))
  const schema = useQuery(compilerSchemaQuery(graph))
  const [search, setSearch] = useSearchParams()
  const link = useQueryLink(graph, queries.data)
  const wanted = search.get('query') ?? queries.data?.[0]?.name ?? ''
  const chosen = queries.data?.find(({ name }) => name === wanted) ?? null
  const workbench = useWorkbench(chosen?.name ?? '')
  const failed = queries.error ?? schema.error
  // What was read stays on screen, with the text being edited, when a later read fails.
  const nothing = queries.data === undefined || schema.data === undefined
  if (failed !== null && nothing) {
    return (
      <Page title="Queries">
        <ErrorNotice
          title="The queries could not be read"
          error={failed}
          onRetry={() => {
            void queries.refetch()
            void schema.refetch()
          }}
        />
      </Page>
    )
  }
  if (nothing || link.isOpening) {
    return (
      <Page title="Queries">
        <Loading what="queries" />
      </Page>
    )
  }
  const choose = (name: string) => setSearch({ query: name })
  return (
    <Page
      title="Queries"
      layout="fill"
      status={`${queries.data.length} ${queries.data.length === 1 ? 'query' : 'queries'}`}
    >
      <SplitPane
        id="queries.list"
        size={240}
        min={160}
        label="Resize the list of queries"
        first={
          <QueryList
            graph={graph}
            queries={queries.data}
            chosen={chosen?.name ?? ''}
            onChoose={choose}
          />
        }
        second={
          <QueryWorkbench
            key={`${link.opened} ${workbench.key}`}
            graph={graph}
            query={chosen}
            schema={schema.data}
            onNaming={workbench.keepFor}
            onChoose={choose}
          />
        }
      />
      {link.question !== null && <ReplaceDraftDialog {...link.question} />}
    </Page>
  )
}

QueriesPage.prepare = (client: QueryClient, graph: string) =>
  Promise.all([
    client.prefetchQuery(infoQuery(graph)),
    client.prefetchQuery(compilerSchemaQuery(graph)),
    prefetchEditor(),
    prefetchOutcomes(),
  ])

/**
 * Another query gets another workbench. One that was just given its name in the editor stays in the
 * same: with the cursor, what can be undone, and what was typed since.
 */
function useWorkbench(name: string) {
  const [shown, setShown] = useState<Shown>({ name, key: 0, coming: null })
  if (shown.name !== name) {
    setShown({ name, key: name === shown.coming ? shown.key : shown.key + 1, coming: null })
  }
  const keepFor = useCallback((coming: string) => setShown((now) => ({ ...now, coming })), [])
  return { key: shown.key, keepFor }
}

interface Shown {
  readonly name: string
  readonly key: number
  /** The name that the query in the workbench is about to have. */
  readonly coming: string | null
}
