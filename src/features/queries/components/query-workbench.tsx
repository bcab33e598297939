/** The editor of one query with its actions, its parameters and what its last run printed. */
import { Suspense, useEffect, useRef, useState } from 'react'
import { CodeEditor, type CodeEditorProps } from '#ui/code-editor.tsx'
import { later } from '#ui/later.tsx'
import { SplitPane } from '#ui/split-pane.tsx'
import { Loading } from '#ui/states.tsx'
import type { CompilerSchema } from '../model/compiler.worker.ts'
import { type CompilerClient, startCompiler } from '../model/compiler-client.ts'
import classes from '../queries-page.module.css'
import { useQueryEditor } from '../use-query-editor.ts'
import type { OutcomeTab } from './outcomes.tsx'
import type { QueryInfo } from './query-list.tsx'
import { QueryToolbar } from './query-toolbar.tsx'

/** Asked for with the editor, and not waited for: a text can be written before. */
const Outcomes = later(async () => (await import('./outcomes.tsx')).Outcomes)

export const prefetchOutcomes: () => Promise<unknown> = Outcomes.fetch

interface QueryWorkbenchProps {
  readonly graph: string
  readonly query: QueryInfo | null
  readonly schema: CompilerSchema
  readonly onNaming: (name: string) => void
  readonly onChoose: (name: string) => void
}

export function QueryWorkbench(props: QueryWorkbenchProps) {
  const { graph, query, schema, onNaming, onChoose } = props
  const first = schema.vertexTypes[0] as { readonly Name?: string } | undefined
  const compiler = useCompiler(schema)
  const vertexType = first?.Name
  const editor = useQueryEditor({ graph, query, vertexType, compiler, onNaming, onChoose })
  const [tab, setTab] = useState<OutcomeTab>('result')
  const view = useRef<EditorView>(null)
  const runIt = () => {
    setTab('result')
    if (editor.canRun) editor.start()
  }
  const tryIt = () => {
    setTab('result')
    if (editor.canRunDraft) editor.startDraft()
  }
  const revert = () => {
    editor.revert()
    // The button is gone with the draft.
    view.current?.focus()
  }
  return (
    <div className={classes.workbench}>
      <QueryToolbar
        {...{ graph, editor, compiler }}
        onRun={runIt}
        onRunDraft={tryIt}
        onRevert={revert}
      />
      <SplitPane
        id="queries.editor"
        direction="column"
        size={360}
        min={120}
        label="Resize the editor"
        first={
          <div className={classes.editor}>
            <CodeEditor
              label={editor.name === '' ? 'Text of the new query' : `Text of ${editor.name}`}
              value={editor.text}
              onChange={editor.setText}
              height="100%"
              language="gsql"
              service={compiler}
              onSubmit={(visible) => (editor.dirty ? editor.installing.mutate(visible) : runIt())}
              onSave={(visible) => editor.installing.mutate(visible)}
              onView={(opened) => {
                view.current = opened
              }}
            />
          </div>
        }
        second={
          <Suspense fallback={<Loading what="the outcome" rows={3} />}>
            <Outcomes
              {...{ graph, editor, tab }}
              saved={query !== null}
              onTab={setTab}
              onRun={editor.isDraft ? tryIt : runIt}
              onLine={(line) => goToLine(view.current, line)}
            />
          </Suspense>
        }
      />
    </div>
  )
}

type EditorView = Parameters<NonNullable<CodeEditorProps['onView']>>[0]

/** Puts the cursor there, and the keyboard into the editor. */
function goToLine(view: EditorView, line: number): void {
  if (view === null) return
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
  view.focus()
}

/** Started anew with each schema: it knows the types that are there. */
function useCompiler(schema: CompilerSchema): CompilerClient | null {
  const [compiler, setCompiler] = useState<CompilerClient | null>(null)
  useEffect(() => {
    const started = startCompiler()
    started.setSchema(schema)
    setCompiler(started)
    return () => started.close()
  }, [schema])
  return compiler
}
