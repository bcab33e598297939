/** The editor of one query with its actions, its parameters and what its last run printed. */
import { Suspense, useRef, useState } from 'react'
import type { CompilerSchema } from '#compiler/compiler.worker.ts'
import type { CompilerClient } from '#compiler/compiler-client.ts'
import {
  CodeEditor,
  type CodeEditorProps,
  type EditorMemory,
  showDiagnostics,
} from '#ui/code-editor/code-editor.tsx'
import { Loading } from '#ui/feedback/states.tsx'
import { later } from '#ui/layout/later.tsx'
import { SplitPane } from '#ui/layout/split-pane.tsx'
import classes from '../queries-page.module.css'
import { useOutcomeTab } from '../use-outcome-tab.ts'
import { type QueryEditor, useQueryEditor } from '../use-query-editor.ts'
import type { QueryInfo } from './query-list.tsx'
import { QueryToolbar } from './query-toolbar.tsx'

/** Asked for with the editor, and not waited for: a text can be written before. */
const Outcomes = later(async () => (await import('./outcomes.tsx')).Outcomes)

export const prefetchOutcomes: () => Promise<unknown> = Outcomes.fetch

interface QueryWorkbenchProps {
  readonly graph: string
  readonly query: QueryInfo | null
  readonly schema: CompilerSchema
  readonly compiler: CompilerClient | null
  readonly memory: EditorMemory
  /** The page is on screen: what stands below the editor can follow. */
  readonly isPainted: boolean
  readonly onNaming: (name: string) => void
  readonly onChoose: (name: string) => void
  readonly onDrop: (name: string) => void
}

export function QueryWorkbench(props: QueryWorkbenchProps) {
  const { graph, query, schema, compiler, memory, isPainted, ...naming } = props
  const first = schema.vertexTypes[0] as { readonly Name?: string } | undefined
  const vertexType = first?.Name
  const editor = useQueryEditor({ graph, query, vertexType, compiler, ...naming })
  const [tab, setTab] = useOutcomeTab()
  const view = useRef<EditorView>(null)
  const [isPart, setPart] = useState(false)
  const runAll = (visible?: string) => {
    setTab('result')
    if (editor.canRunDraft) editor.startDraft(visible)
    else if (editor.canRun) editor.start()
  }
  const run = (visible?: string) => {
    if (!isPart || view.current === null) return runAll(visible)
    setTab('result')
    if (editor.selection.isFree) void runSelection(view.current, editor)
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
        isPart={isPart}
        onRun={run}
        onRunAll={runAll}
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
              memory={memory}
              onSelect={setPart}
              onSubmit={run}
              onSave={(visible) => editor.installing.mutate(visible)}
              onView={(opened) => {
                view.current = opened
              }}
            />
          </div>
        }
        second={
          <Suspense fallback={<Loading what="the outcome" rows={3} />}>
            {isPainted && (
              <Outcomes
                {...{ graph, editor, tab }}
                saved={query !== null}
                onTab={setTab}
                onRun={run}
                onLine={(line) => goToLine(view.current, line)}
              />
            )}
          </Suspense>
        }
      />
    </div>
  )
}

type EditorView = Parameters<NonNullable<CodeEditorProps['onView']>>[0]

async function runSelection(view: NonNullable<EditorView>, { selection }: QueryEditor) {
  const { doc, selection: selected } = view.state
  const { from: start, to: end } = selected.main
  const problems = await selection.start({ text: doc.toString(), start, end })
  const isSame = view.state.doc.eq(doc)
  if (problems.length > 0 && isSame) await showDiagnostics(view, problems)
}

/** Puts the cursor there, and the keyboard into the editor. */
function goToLine(view: EditorView, line: number): void {
  if (view === null) return
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
  view.focus()
}
