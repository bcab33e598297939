/** Queries: write with live diagnostics, install, run, look at the result, end what runs too long. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { compilerSchemaQuery, infoQuery } from '#api/compiler-schema.ts'
import type { CompilerSchema } from '#compiler/compiler.worker.ts'
import { type CompilerClient, startCompiler } from '#compiler/compiler-client.ts'
import { prefetchEditor } from '#ui/code-editor/code-editor.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Page } from '#ui/layout/page.tsx'
import { SplitPane } from '#ui/layout/split-pane.tsx'
import { useAfterPaint } from '#ui/layout/use-after-paint.ts'
import { type QueryInfo, QueryList } from './components/query-list.tsx'
import { QueryTabs } from './components/query-tabs.tsx'
import { prefetchOutcomes, QueryWorkbench } from './components/query-workbench.tsx'
import { ReplaceDraftDialog } from './components/replace-draft-dialog.tsx'
import { useOpenQueries } from './use-open-queries.ts'
import { useQueryLink } from './use-query-link.ts'

export function QueriesPage({ graph }: { readonly graph: string }) {
  const queries = useQuery(infoQuery(graph))
  const schema = useQuery(compilerSchemaQuery(graph))
  const link = useQueryLink(graph, queries.data)
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
  return (
    <Page
      title="Queries"
      layout="fill"
      status={`${queries.data.length} ${queries.data.length === 1 ? 'query' : 'queries'}`}
    >
      <Opened key={link.opened} graph={graph} queries={queries.data} schema={schema.data} />
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

interface OpenedProps {
  readonly graph: string
  readonly queries: readonly QueryInfo[]
  readonly schema: CompilerSchema
}

/** The list, and the tabs of what is open beside it. */
function Opened({ graph, queries, schema }: OpenedProps) {
  const { names, shown, key, choose, close, keepFor, memoryOf } = useOpenQueries(graph, queries)
  const isPainted = useAfterPaint()
  const compiler = useCompiler(isPainted ? schema : null, queries)
  return (
    <SplitPane
      id="queries.list"
      size={240}
      min={160}
      label="Resize the list of queries"
      first={<QueryList graph={graph} queries={queries} chosen={shown} onChoose={choose} />}
      second={
        <QueryTabs {...{ graph, names, shown }} onChoose={choose} onClose={close}>
          <QueryWorkbench
            key={key}
            {...{ graph, schema, compiler, isPainted }}
            query={queries.find(({ name }) => name === shown) ?? null}
            memory={memoryOf(shown)}
            onNaming={keepFor}
            onChoose={choose}
            onDrop={close}
          />
        </QueryTabs>
      }
    />
  )
}

/** Started anew with each schema: it knows the types that are there. */
function useCompiler(schema: CompilerSchema | null, queries: readonly QueryInfo[]) {
  const [compiler, setCompiler] = useState<CompilerClient | null>(null)
  useEffect(() => {
    if (schema === null) return
    const started = startCompiler()
    started.setSchema(schema)
    setCompiler(started)
    return () => started.close()
  }, [schema])
  useEffect(
    () => compiler?.setQueries(new Map(queries.map(({ name, code }) => [name, code]))),
    [compiler, queries],
  )
  return compiler
}
