/** The schema of a graph: designed as a draft, reviewed, published. */
import { SegmentedControl } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { graphSchemaQuery, tupleNamesQuery } from '#api/graph-schema.ts'
import { counted } from '#lib/format.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { paths } from '#lib/paths.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Page } from '#ui/layout/page.tsx'
import { type RemoteDraft, remoteDraftQuery } from './api/draft.ts'
import { CreateGraphDialog } from './components/create-graph-dialog.tsx'
import { Designer, type DesignerView } from './components/designer.tsx'
import { GlobalTypesDialog } from './components/global-types-dialog.tsx'
import { ImportDialog } from './components/import-dialog.tsx'
import { Review } from './components/review.tsx'
import { type SchemaDialog, SchemaMenu } from './components/schema-menu.tsx'
import { TuplesDialog } from './components/tuples-dialog.tsx'
import { useSchemaEditor } from './components/use-schema-editor.ts'
import { forgetDraft } from './model/draft-storage.ts'
import { meantType } from './model/meant-type.ts'

/** Others change schemas, too: looked at again this often while the page is in sight. */
const REFETCH_MS = 10_000
const noDraft: RemoteDraft = { version: 0, value: null }

export function SchemaPage({ graph }: { readonly graph: string }) {
  const schema = useQuery({ ...graphSchemaQuery(graph), refetchInterval: REFETCH_MS })
  const tuples = useQuery(tupleNamesQuery)
  const remote = useQuery(remoteDraftQuery(graph))
  // Without the server's copy the one in the browser has to do.
  if (schema.data !== undefined && !remote.isPending) {
    return (
      <SchemaWorkspace
        key={remote.dataUpdatedAt}
        graph={graph}
        live={schema.data}
        remote={remote.data ?? noDraft}
        tuples={tuples.data ?? []}
        onReload={() => {
          forgetDraft(localStorage, graph)
          void remote.refetch()
        }}
      />
    )
  }
  return (
    <Page title="Schema">
      {!schema.isError && <Loading what={`the schema of ${graph}`} />}
      {schema.isError && (
        <ErrorNotice
          error={schema.error}
          title="The schema could not be read"
          onRetry={schema.refetch}
        />
      )}
    </Page>
  )
}

SchemaPage.prepare = (client: QueryClient, graph: string) =>
  Promise.all([
    client.prefetchQuery(graphSchemaQuery(graph)),
    client.prefetchQuery(tupleNamesQuery),
  ])

interface SchemaWorkspaceProps {
  readonly graph: string
  readonly live: SchemaModel
  readonly remote: RemoteDraft
  readonly tuples: readonly string[]
  /** Gives this draft up for the one on the server. */
  readonly onReload: () => void
}

function SchemaWorkspace({ graph, live, remote, tuples, onReload }: SchemaWorkspaceProps) {
  const editor = useSchemaEditor(graph, live, remote)
  const navigate = useNavigate()
  const { view, selected: named, setView, setSelected } = useDesignerAddress()
  const [dialog, setDialog] = useState<SchemaDialog | null>(null)
  const { vertices, edges } = editor.draft.schema
  const selected = named && meantType(editor.draft.schema, named)
  return (
    <Page
      title="Schema"
      layout="fill"
      status={`${counted(vertices.length, 'vertex type', 'vertex types')}, ${counted(edges.length, 'edge type', 'edge types')}`}
      actions={
        <>
          {view !== 'review' && (
            <SegmentedControl
              aria-label="View"
              data={[
                { value: 'canvas', label: 'Canvas' },
                { value: 'table', label: 'Table' },
                { value: 'json', label: 'JSON' },
              ]}
              value={view}
              onChange={setView}
            />
          )}
          <SchemaMenu onOpen={setDialog} />
        </>
      }
    >
      {view === 'review' ? (
        <Review graph={graph} editor={editor} onBack={() => setView('canvas')} />
      ) : (
        <Designer
          graph={graph}
          editor={editor}
          tuples={tuples}
          view={view}
          selected={selected}
          onView={setView}
          onSelect={setSelected}
          onDialog={setDialog}
          onReload={onReload}
        />
      )}
      <ImportDialog
        opened={dialog === 'import'}
        apply={editor.apply}
        onClose={() => setDialog(null)}
      />
      <GlobalTypesDialog
        opened={dialog === 'global'}
        schema={editor.draft.schema}
        apply={editor.apply}
        onClose={() => setDialog(null)}
      />
      <TuplesDialog opened={dialog === 'tuples'} onClose={() => setDialog(null)} />
      <CreateGraphDialog
        opened={dialog === 'graph'}
        onClose={() => setDialog(null)}
        onCreated={(name) => void navigate(paths.schema(name))}
      />
    </Page>
  )
}

/**
 * View and selection, which the address holds, too. The selection is state first: the router
 * changes its address a moment later, and keys typed in between must find the new form.
 */
function useDesignerAddress() {
  const [search, setSearch] = useSearchParams()
  const navigation = useNavigationType()
  const inAddress = search.get('type')
  const [selected, setSelected] = useState(inAddress)
  const written = useRef(inAddress)
  useEffect(() => {
    if (written.current === selected) return
    written.current = selected
    setSearch((before) => withParameter(before, 'type', selected), { replace: true })
  }, [selected, setSearch])
  useEffect(() => {
    // Back and forward; our own steps arrive here late and must not undo a newer choice.
    if (navigation !== 'POP' || written.current === inAddress) return
    written.current = inAddress
    setSelected(inAddress)
  }, [inAddress, navigation])
  const setView = (view: DesignerView | 'review') =>
    setSearch((before) => withParameter(before, 'view', view))
  return { view: viewOf(search.get('view')), selected, setView, setSelected }
}

function withParameter(before: URLSearchParams, name: string, value: string | null) {
  const next = new URLSearchParams(before)
  if (value === null) next.delete(name)
  else next.set(name, value)
  return next
}

function viewOf(text: string | null): DesignerView | 'review' {
  return text === 'table' || text === 'json' || text === 'review' ? text : 'canvas'
}
