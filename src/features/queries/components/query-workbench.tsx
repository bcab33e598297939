/** The editor of one query with its actions, its parameters and what its last run printed. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { polled } from '#api/polling.ts'
import { CodeEditor, type CodeEditorProps } from '#ui/code-editor.tsx'
import { SplitPane } from '#ui/split-pane.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/states.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { runningQuery } from '../api/queries.ts'
import type { CompilerSchema } from '../model/compiler.worker.ts'
import { type CompilerClient, startCompiler } from '../model/compiler-client.ts'
import classes from '../queries-page.module.css'
import { type QueryEditor, useQueryEditor } from '../use-query-editor.ts'
import { useQueryProfile } from '../use-query-profile.ts'
import { DraftDiff } from './draft-diff.tsx'
import { ParameterForm } from './parameter-form.tsx'
import type { QueryInfo } from './query-list.tsx'
import { QueryToolbar } from './query-toolbar.tsx'
import { RunHistory } from './run-history.tsx'
import { RunOutcome } from './run-outcome.tsx'

const PlanView = lazy(async () => ({ default: (await import('./plan-view.tsx')).PlanView }))
const RunningList = lazy(async () => ({
  default: (await import('./running-list.tsx')).RunningList,
}))

/** For the number on the tab; who looks at the list or waits for a run asks more often. */
const RUNNING_COUNT_MS = 2_000

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
  const editor = useQueryEditor({ graph, query, vertexType: first?.Name, onNaming, onChoose })
  const [tab, setTab] = useState<OutcomeTab>('result')
  const { compiler, extensions } = useCompiler(schema)
  const defaults = useDefaults(compiler, query?.code ?? '')
  const view = useRef<EditorView>(null)
  const runIt = () => {
    setTab('result')
    if (editor.canRun) editor.start()
  }
  const revert = () => {
    editor.revert()
    // The button is gone with the draft.
    view.current?.focus()
  }
  return (
    <div className={classes.workbench}>
      <QueryToolbar {...{ graph, editor, compiler }} onRun={runIt} onRevert={revert} />
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
              extensions={extensions}
              onSubmit={(visible) => (editor.dirty ? editor.installing.mutate(visible) : runIt())}
              onSave={(visible) => editor.installing.mutate(visible)}
              onView={(opened) => {
                view.current = opened
              }}
            />
          </div>
        }
        second={
          <Outcomes
            {...{ graph, editor, defaults, tab }}
            saved={query !== null}
            onTab={setTab}
            onRun={runIt}
            onLine={(line) => goToLine(view.current, line)}
          />
        }
      />
    </div>
  )
}

type OutcomeTab = 'result' | 'plan' | 'changes' | 'history' | 'running'

type EditorView = Parameters<NonNullable<CodeEditorProps['onView']>>[0]

/** Puts the cursor there, and the keyboard into the editor. */
function goToLine(view: EditorView, line: number): void {
  if (view === null) return
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
  view.focus()
}

interface OutcomesProps extends OutcomeProps {
  /** There is a text on the server. */
  readonly saved: boolean
  readonly tab: OutcomeTab
  readonly onTab: (tab: OutcomeTab) => void
  readonly onLine: (line: number) => void
}

function Outcomes(props: OutcomesProps) {
  const { graph, editor, defaults, saved, tab, onTab, onRun, onLine } = props
  const running = useQuery({ ...runningQuery, ...polled(RUNNING_COUNT_MS) })
  const profiling = useQueryProfile(graph, editor.name)
  const canCompare = editor.dirty && saved
  const useAgain = (texts: ReadonlyMap<string, string>) => {
    editor.setParameters(texts)
    onTab('result')
  }
  return (
    <Tabs
      label="Outcome"
      layout="fill"
      value={tab === 'changes' && !canCompare ? 'result' : tab}
      onChange={onTab}
      tabs={[
        {
          id: 'result',
          label: 'Result',
          content: <Outcome {...{ graph, editor, defaults, onRun }} />,
        },
        {
          id: 'plan',
          label: 'Plan',
          content: (
            <Suspense fallback={<Loading what="the plan" />}>
              <PlanView {...{ graph, editor, profiling, onLine }} />
            </Suspense>
          ),
        },
        {
          id: 'changes',
          label: 'Changes',
          disabled: !canCompare,
          content: <DraftDiff installed={editor.saved} draft={editor.text} />,
        },
        {
          id: 'history',
          label: 'History',
          content: <RunHistory graph={graph} name={editor.name} onUse={useAgain} />,
        },
        {
          id: 'running',
          label: `Running ${running.data?.running.length || ''}`,
          content: (
            <Suspense fallback={<Loading what="running queries" rows={3} />}>
              <RunningList graph={graph} />
            </Suspense>
          ),
        },
      ]}
    />
  )
}

function useCompiler(schema: CompilerSchema) {
  const [compiler, setCompiler] = useState<CompilerClient | null>(null)
  useEffect(() => {
    const started = startCompiler()
    started.setSchema(schema)
    setCompiler(started)
    return () => started.close()
  }, [schema])
  const [extensions, setExtensions] = useState<NonNullable<CodeEditorProps['extensions']>>([])
  useEffect(() => {
    let isCurrent = true
    // With the editor, not with the page: it is most of what the page needs.
    void import('#ui/code-editor/language-service.ts').then(({ gsqlEditing }) => {
      if (isCurrent && compiler !== null) setExtensions(gsqlEditing(compiler))
    })
    return () => {
      isCurrent = false
    }
  }, [compiler])
  return { compiler, extensions }
}

/** What the installed text declares as defaults of its parameters. */
function useDefaults(compiler: CompilerClient | null, code: string): ReadonlyMap<string, string> {
  const [defaults, setDefaults] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    let isCurrent = true
    void compiler?.defaults(code).then((read) => {
      if (isCurrent) setDefaults(read)
    })
    return () => {
      isCurrent = false
    }
  }, [compiler, code])
  return defaults
}

interface OutcomeProps {
  readonly graph: string
  readonly editor: QueryEditor
  readonly defaults: ReadonlyMap<string, string>
  readonly onRun: () => void
}

function Outcome({ graph, editor, defaults, onRun }: OutcomeProps) {
  const { installing, run, name, fields, texts, problems } = editor
  return (
    <div className={classes.outcome}>
      <ParameterForm
        {...{ fields, texts, defaults, problems }}
        onChange={editor.setParameter}
        onSubmit={onRun}
      />
      <div className={classes.result}>
        {installing.isError && (
          <ErrorNotice title="The query was not installed" error={installing.error} />
        )}
        <RunOutcome {...{ graph, name, run }} onStop={editor.stop} />
        {run.status === 'idle' && !installing.isError && <EmptyState text={nextStep(editor)} />}
      </div>
    </div>
  )
}

function nextStep({ callable, dirty }: QueryEditor): string {
  if (!callable) return 'Install the query, then run it.'
  return dirty ? 'Install the changed text, then run it.' : 'Run the query to see what it prints.'
}
