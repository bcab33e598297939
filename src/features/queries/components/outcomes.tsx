/** What became of the query in the editor: its result, plan, changes and history, and what runs. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { polled } from '#api/polling.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { runningQuery } from '../api/queries.ts'
import classes from '../queries-page.module.css'
import type { OutcomeTab } from '../use-outcome-tab.ts'
import type { QueryEditor } from '../use-query-editor.ts'
import { useQueryProfile } from '../use-query-profile.ts'
import { DraftDiff } from './draft-diff.tsx'
import { ParameterForm } from './parameter-form.tsx'
import { RunHistory } from './run-history.tsx'
import { RunOutcome } from './run-outcome.tsx'

const PlanView = lazy(async () => ({ default: (await import('./plan-view.tsx')).PlanView }))
const RunningList = lazy(async () => ({
  default: (await import('./running-list.tsx')).RunningList,
}))

/** For the number on the tab; who looks at the list or waits for a run asks more often. */
const RUNNING_COUNT_MS = 2_000

interface OutcomesProps extends OutcomeProps {
  /** There is a text on the server. */
  readonly saved: boolean
  readonly tab: OutcomeTab
  readonly onTab: (tab: OutcomeTab) => void
  readonly onLine: (line: number) => void
}

export function Outcomes(props: OutcomesProps) {
  const { graph, editor, saved, tab, onTab, onRun, onLine } = props
  const running = useQuery({ ...runningQuery, ...polled(RUNNING_COUNT_MS) })
  const profiling = useQueryProfile(graph, editor.name)
  const canCompare = editor.dirty && saved
  const place = useShownAgain(tab)
  const useAgain = (texts: ReadonlyMap<string, string>) => {
    editor.setParameters(texts)
    onTab('result')
  }
  const useText = (text: string) => {
    const before = editor.text
    editor.setText(text)
    notify('The text of that run is in the editor', {
      action: { label: 'Undo', run: () => editor.setText(before) },
    })
  }
  return (
    <div ref={place} className={classes.outcomes}>
      <Tabs
        label="Outcome"
        layout="fill"
        value={tab === 'changes' && !canCompare ? 'result' : tab}
        onChange={onTab}
        tabs={[
          {
            id: 'result',
            label: 'Result',
            content: <Outcome {...{ graph, editor, onRun }} />,
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
            content: (
              <RunHistory graph={graph} name={editor.name} onUse={useAgain} onText={useText} />
            ),
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
    </div>
  )
}

interface OutcomeProps {
  readonly graph: string
  readonly editor: QueryEditor
  readonly onRun: () => void
}

function Outcome({ graph, editor, onRun }: OutcomeProps) {
  const { installing, run, name, fields, defaults, texts, problems, selection } = editor
  const isRefused = installing.isError || selection.error !== null
  const place = useShownAgain(isRefused ? 'refused' : run.status)
  return (
    <div className={classes.outcome}>
      <ParameterForm
        {...{ fields, texts, defaults, problems }}
        onChange={editor.setParameter}
        onSubmit={onRun}
      />
      <div className={classes.result} ref={place}>
        {installing.isError && (
          <ErrorNotice title="The query was not installed" error={installing.error} />
        )}
        {selection.error !== null && (
          <ErrorNotice title="The selection was not run" error={selection.error} />
        )}
        <RunOutcome {...{ graph, name, run }} onStop={editor.stop} />
        {run.status === 'idle' && !installing.isError && selection.error === null && (
          <EmptyState text={nextStep(editor)} />
        )}
      </div>
    </div>
  )
}

/** On a phone it stands below the fold: what is new there comes into view, unless one writes. */
function useShownAgain(news: string) {
  const place = useRef<HTMLDivElement>(null)
  const told = useRef(news)
  useEffect(() => {
    if (told.current === news) return
    told.current = news
    if (news === 'idle' || document.activeElement?.closest('.cm-editor')) return
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [news])
  return place
}

function nextStep({ callable, dirty, isDisabled }: QueryEditor): string {
  if (isDisabled && !dirty) {
    return 'What it uses has changed or is gone: mend what is marked in the text, then install.'
  }
  if (!callable) return 'Install the query, then run it; or run the draft as it is.'
  return dirty
    ? 'Install the changed text, then run it; or run the draft as it is.'
    : 'Run the query to see results.'
}
