/** The designer of one graph: tree, canvas or table, inspector, and the bar of the draft. */
import { Suspense, useRef, useState } from 'react'
import type { AttributeModel, EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { later } from '#ui/layout/later.tsx'
import { SplitPane } from '#ui/layout/split-pane.tsx'
import { newAttribute, newVertex } from '../model/new-type.ts'
import type { Operation } from '../model/operations.ts'
import { DraftBar } from './draft-bar.tsx'
import { DraftNotices } from './draft-notices.tsx'
import { EmptySchema } from './empty-schema.tsx'
import { type FocusRequest, Inspector } from './inspector.tsx'
import { NewEdgeDialog } from './new-edge-dialog.tsx'
import classes from './schema.module.css'
import { SchemaCanvas } from './schema-canvas.tsx'
import type { SchemaDialog } from './schema-menu.tsx'
import { SchemaTable } from './schema-table.tsx'
import { TypeTree } from './type-tree.tsx'
import { usePastedAttributes } from './use-pasted-attributes.ts'
import { useSchemaCommands } from './use-schema-commands.ts'
import type { SchemaEditor } from './use-schema-editor.ts'

const designerViews = ['canvas', 'table', 'json'] as const
export type DesignerView = (typeof designerViews)[number]

/** Brings the editor, which is large, when it is wanted. */
const JsonView = later(async () => (await import('./json-view.tsx')).JsonView)

interface DesignerProps {
  readonly graph: string
  readonly editor: SchemaEditor
  readonly tuples: readonly string[]
  readonly view: DesignerView
  readonly selected: string | null
  readonly onView: (view: DesignerView | 'review') => void
  readonly onSelect: (name: string | null) => void
  readonly onDialog: (dialog: SchemaDialog) => void
  /** Gives this draft up for the one on the server. */
  readonly onReload: () => void
}

export function Designer(props: DesignerProps) {
  const { graph, editor, tuples, view, selected, onView, onSelect } = props
  const { base, schema } = editor.draft
  const [newEdgePair, setNewEdgePair] = useState<EdgePairModel | null>(null)
  const [focusRequest, setFocusRequest] = useState<FocusRequest | null>(null)
  const actions = useActions(props, { setNewEdgePair, setFocusRequest })
  const exists = [...schema.vertices, ...schema.edges].some(({ name }) => name === selected)
  useSchemaCommands(actions, exists)
  usePastedAttributes(tuples, actions.addAttributes)

  const center =
    view === 'json' ? (
      <Suspense fallback={<Loading what="the editor" />}>
        <JsonView graph={graph} editor={editor} tuples={tuples} selected={selected} />
      </Suspense>
    ) : schema.vertices.length === 0 ? (
      <EmptySchema onAddVertex={actions.addVertex} onDialog={props.onDialog} />
    ) : view === 'canvas' ? (
      <SchemaCanvas
        graph={graph}
        live={base}
        schema={schema}
        selected={selected}
        onSelect={onSelect}
        onOpen={actions.edit}
        onConnect={setNewEdgePair}
      />
    ) : (
      <SchemaTable
        graph={graph}
        live={base}
        schema={schema}
        selected={selected}
        onSelect={onSelect}
      />
    )
  return (
    <div className={classes['designer']}>
      <DraftNotices editor={editor} onReload={props.onReload} />
      <div className={classes['panes']}>
        <SplitPane
          id="schema.tree"
          label="Resize the list of types"
          size={220}
          first={
            <TypeTree
              live={base}
              schema={schema}
              selected={selected}
              onSelect={onSelect}
              onAddVertex={actions.addVertex}
              onAddEdge={actions.addEdge}
            />
          }
          second={
            <SplitPane
              id="schema.inspector"
              label="Resize the inspector"
              fixed="second"
              size={380}
              min={280}
              first={<div className={classes['center']}>{center}</div>}
              second={
                <Inspector
                  live={base}
                  schema={schema}
                  selected={selected}
                  tuples={tuples}
                  focusRequest={focusRequest}
                  apply={editor.apply}
                  onSelect={onSelect}
                  onDrop={actions.dropType}
                />
              }
            />
          }
        />
      </div>
      <DraftBar {...{ graph, editor }} onReview={() => onView('review')} />
      <NewEdgeDialog
        schema={schema}
        pair={newEdgePair}
        apply={editor.apply}
        onClose={() => setNewEdgePair(null)}
        onDone={(name) => {
          setNewEdgePair(null)
          onSelect(name)
        }}
      />
    </div>
  )
}

interface Setters {
  readonly setNewEdgePair: (pair: EdgePairModel | null) => void
  readonly setFocusRequest: (request: FocusRequest) => void
}

function useActions(props: DesignerProps, { setNewEdgePair, setFocusRequest }: Setters) {
  const { editor, view, selected, onView, onSelect } = props
  const { schema } = editor.draft
  const focusCount = useRef(0)
  const focus = (field: FocusRequest['field'], typeName: string) => {
    focusCount.current += 1
    setFocusRequest({ field, typeName, count: focusCount.current })
  }
  const applyOrSay = (operation: Operation): boolean => {
    const problem = editor.apply(operation)
    if (problem !== null) notify(problem, { status: 'danger' })
    return problem === null
  }
  const dropType = (name: string) => {
    if (!applyOrSay({ kind: 'dropType', name })) return
    onSelect(null)
    notify(`Dropped ${name} from the draft`, { action: { label: 'Undo', run: editor.undo } })
  }
  return {
    addVertex: () => {
      const type = newVertex(schema)
      if (!applyOrSay({ kind: 'addType', type })) return
      onSelect(type.name)
      focus('name', type.name)
    },
    addEdge: () => setNewEdgePair(edgeEnds(schema, selected)),
    addAttributes: (attributes: readonly AttributeModel[]) => {
      if (selected !== null) applyOrSay({ kind: 'addAttributes', name: selected, attributes })
    },
    addAttribute: () => {
      const type = [...schema.vertices, ...schema.edges].find(({ name }) => name === selected)
      if (type === undefined) return
      const attributes = [newAttribute(type)]
      if (applyOrSay({ kind: 'addAttributes', name: type.name, attributes })) {
        focus('last-attribute', type.name)
      }
    },
    rename: () => selected !== null && focus('name', selected),
    edit: (name: string) => {
      onSelect(name)
      focus('name', name)
    },
    drop: () => selected !== null && dropType(selected),
    dropType,
    toggleView: () => {
      const next = designerViews.indexOf(view) + 1
      onView(designerViews[next] ?? 'canvas')
    },
    review: () => onView('review'),
    undo: editor.undo,
    redo: editor.redo,
  }
}

/** From the selected vertex type, or else the first, to another one if there is any. */
function edgeEnds(schema: SchemaModel, selected: string | null): EdgePairModel | null {
  const [first] = schema.vertices
  if (first === undefined) return null
  const from = selected === null ? first : (findVertex(schema, selected) ?? first)
  const to = schema.vertices.find(({ name }) => name !== from.name) ?? from
  return { from: from.name, to: to.name }
}
