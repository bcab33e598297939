/** How the text in the editor would be run, and once profiled, what each of its steps has cost. */
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleStop, Gauge } from 'lucide-react'
import { useMemo } from 'react'
import { counted, formatBytes, formatCount, formatDuration } from '#lib/format.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { type PlannedText, planQuery } from '../api/plans.ts'
import type { Running } from '../api/queries.ts'
import { type Explanation, planRows, stepOfLine } from '../model/plan.ts'
import { failureOf } from '../model/run-failure.ts'
import { useElapsedSince, useLiveRun } from '../use-live-run.ts'
import type { QueryEditor } from '../use-query-editor.ts'
import type { useQueryProfile } from '../use-query-profile.ts'
import classes from './plan.module.css'
import { PlanDrawing } from './plan-drawing.tsx'

/** Typing has to rest so long before a plan is asked for. */
const TYPING_RESTS_MS = 400
const PROFILE_ADDRESS = '/quiver/v1/queries/profile'

interface PlanViewProps {
  readonly graph: string
  readonly editor: QueryEditor
  readonly profiling: ReturnType<typeof useQueryProfile>
  readonly onLine: (line: number) => void
}

export function PlanView({ graph, editor, profiling, onLine }: PlanViewProps) {
  const { profile } = profiling
  const { text, values } = editor
  const planned = useMemo(() => ({ text, parameters: values ?? {} }), [text, values])
  const [rested] = useDebouncedValue(planned, TYPING_RESTS_MS)
  const plan = useQuery({ ...planQuery(graph, rested), placeholderData: keepPreviousData })
  const isOfThis = useMemo(() => isSame(profile.planned, planned), [profile.planned, planned])
  const measured = isOfThis && profile.status === 'success' ? profile.explanation : undefined
  const shown = measured ?? plan.data
  const isProfiling = profile.status === 'pending'
  if (text.trim() === '') return <EmptyState text="Write a query to see its plan." />
  return (
    <div className={classes.plan}>
      <Head
        summary={isProfiling ? '' : summaryOf(shown)}
        busy={isProfiling}
        ready={shown !== undefined && values !== null}
        onProfile={() => profiling.start(planned)}
        onStop={profiling.stop}
      />
      {isOfThis && profile.status === 'error' && (
        <ErrorNotice title={failureOf(profile.error)} error={profile.error} />
      )}
      {plan.isError && measured === undefined && (
        <ErrorNotice
          title="There is no plan for this text"
          error={plan.error}
          onRetry={plan.refetch}
        />
      )}
      {plan.isPending && shown === undefined && <Loading what="the plan" />}
      {shown !== undefined && (
        <Picture
          {...{ graph, editor, onLine }}
          profilingSince={isProfiling && isOfThis ? profile.startedAt : null}
          explanation={shown}
        />
      )}
    </div>
  )
}

interface HeadProps {
  readonly summary: string
  readonly busy: boolean
  readonly ready: boolean
  readonly onProfile: () => void
  readonly onStop: () => void
}

function Head({ summary, busy, ready, onProfile, onStop }: HeadProps) {
  return (
    <header className={classes.head}>
      <p role="status">{summary}</p>
      {busy ? (
        <Button
          color="red"
          leftSection={<CircleStop size={14} aria-hidden="true" />}
          onClick={onStop}
        >
          Stop
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<Gauge size={14} aria-hidden="true" />}
          disabled={!ready}
          title="Runs the text in the editor, with all it changes, and measures each statement"
          onClick={onProfile}
        >
          Profile
        </Button>
      )}
    </header>
  )
}

const isSame = (one: PlannedText | undefined, other: PlannedText): boolean =>
  one !== undefined && stringifyLossless(one) === stringifyLossless(other)

function summaryOf(explanation: Explanation | undefined): string {
  if (explanation === undefined) return ''
  const { run, steps } = explanation
  if (run === null) {
    return `${counted(steps.length, 'statement', 'statements')}, as they would be run now`
  }
  return [
    formatDuration(run.elapsedMs),
    `${counted(run.edges, 'edge', 'edges')} read`,
    `${counted(run.rows, 'row', 'rows')} worked on`,
    `${formatBytes(run.peakMemoryBytes)} of memory at most`,
  ].join(' · ')
}

interface PictureProps {
  readonly graph: string
  readonly editor: QueryEditor
  /** When the profile of this text began; null: none is under way, or one of another text. */
  readonly profilingSince: number | null
  readonly explanation: Explanation
  readonly onLine: (line: number) => void
}

/** Watches what runs only while something of this text does. */
function Picture(props: PictureProps) {
  const { graph, editor, profilingSince } = props
  const { run, dirty, name } = editor
  // A run has the installed text, whose lines are those of the plan while nothing was changed.
  if (profilingSince !== null) {
    return <LivePicture {...props} address={PROFILE_ADDRESS} startedAt={profilingSince} />
  }
  if (run.status === 'pending' && !dirty) {
    const address = `/query/${graph}/${name}`
    return <LivePicture {...props} address={address} startedAt={run.startedAt} />
  }
  return <StillPicture {...props} live={undefined} />
}

interface LivePictureProps extends PictureProps {
  readonly address: string
  readonly startedAt: number
}

function LivePicture(props: LivePictureProps) {
  const live = useLiveRun(props.graph, props.address)
  return (
    <>
      <LiveFigures live={live} startedAt={props.startedAt} />
      <StillPicture {...props} live={live} />
    </>
  )
}

interface LiveFiguresProps {
  readonly live: Running | undefined
  /** Epoch milliseconds. */
  readonly startedAt: number
}

function LiveFigures({ live, startedAt }: LiveFiguresProps) {
  const elapsedMs = useElapsedSince(startedAt)
  const figures = [
    `Running for ${formatDuration(elapsedMs)}`,
    live?.line ? `line ${live.line}` : '',
    live?.edges === undefined ? '' : `${formatCount(live.edges)} edges read`,
    live?.rows === undefined ? '' : `${formatCount(live.rows)} rows worked on`,
  ]
  return <p className={classes.live}>{figures.filter((figure) => figure !== '').join(' · ')}</p>
}

function StillPicture(props: PictureProps & { readonly live: Running | undefined }) {
  const { editor, explanation, live, onLine } = props
  const rows = useMemo(() => planRows(explanation), [explanation])
  return (
    <PlanDrawing
      label={editor.name === '' ? 'Plan of the new query' : `Plan of ${editor.name}`}
      rows={rows}
      measured={explanation.run !== null && live === undefined}
      runningId={stepOfLine(explanation.steps, live?.line)}
      onLine={onLine}
    />
  )
}
