/** The schema of a graph: designed as a draft, reviewed, published. */
import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { graphSchemaQuery, tupleNamesQuery } from '#api/graph-schema.ts'
import { counted } from '#lib/format.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { paths } from '#lib/paths.ts'
import { Page } from '#ui/page.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { CreateGraphDialog } from './components/create-graph-dialog.tsx'
import { Designer, type DesignerView } from './components/designer.tsx'
import { ImportDialog } from './components/import-dialog.tsx'
import { Review } from './components/review.tsx'
import { useSchemaEditor } from './components/use-schema-editor.ts'

/** Others change schemas, too: looked at again this often while the page is in sight. */
const REFETCH_MS = 10_000

export function SchemaPage({ graph }: { readonly graph: string }) {
  const schema = useQuery({ ...graphSchemaQuery(graph), refetchInterval: REFETCH_MS })
  const tuples = useQuery(tupleNamesQuery)
  if (schema.isSuccess) {
    return <SchemaWorkspace graph={graph} live={schema.data} tuples={tuples.data ?? []} />
  }
  return (
    <Page title="Schema">
      {schema.isPending && <Loading what={`the schema of ${graph}`} />}
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

interface SchemaWorkspaceProps {
  readonly graph: string
  readonly live: SchemaModel
  readonly tuples: readonly string[]
}

function SchemaWorkspace({ graph, live, tuples }: SchemaWorkspaceProps) {
  const editor = useSchemaEditor(graph, live)
  const navigate = useNavigate()
  const { view, selected, setView, setSelected } = useDesignerAddress()
  const [dialog, setDialog] = useState<'graph' | 'import' | null>(null)
  const { vertices, edges } = editor.draft.schema
  return (
    <Page
      title="Schema"
      layout="fill"
      status={`${counted(vertices.length, 'vertex type', 'vertex types')}, ${counted(edges.length, 'edge type', 'edge types')}`}
      actions={
        <>
          <Button variant="subtle" onClick={() => setDialog('import')}>
            Paste JSON
          </Button>
          <Button variant="subtle" onClick={() => setDialog('graph')}>
            New graph
          </Button>
          {view !== 'review' && (
            <SegmentedControl
              aria-label="View"
              data={[
                { value: 'canvas', label: 'Canvas' },
                { value: 'table', label: 'Table' },
              ]}
              value={view}
              onChange={(value) => setView(value === 'table' ? 'table' : 'canvas')}
            />
          )}
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
          onImport={() => setDialog('import')}
        />
      )}
      <ImportDialog
        opened={dialog === 'import'}
        apply={editor.apply}
        onClose={() => setDialog(null)}
      />
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
  return text === 'table' || text === 'review' ? text : 'canvas'
}
