/** Rates and latencies of every endpoint: live each second, paused, or back in time. */
import { ActionIcon, Button, SegmentedControl, Switch, Tooltip } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { historyQuery } from '#api/statistics.ts'
import { formatClock } from '#lib/format.ts'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { prefetchChart } from '#ui/chart/chart.tsx'
import { useCommand } from '#ui/commands/commands.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Overview } from './components/overview.tsx'
import { StatisticsBody } from './components/statistics-body.tsx'
import { readView, type StatisticsView, scrub, windows, writeView } from './model/view.ts'
import classes from './statistics-page.module.css'

export function StatisticsPage({ graph }: { readonly graph: string }) {
  const [search, setSearch] = useSearchParams()
  const { includeConsoleTraffic, pollSeconds, latencyNotification } = usePreferences()
  const view = readView(search)
  const history = useQuery({
    ...historyQuery(rangeOf(graph, view, includeConsoleTraffic), pollSeconds),
    // Who wants to be notified looks at something else.
    refetchIntervalInBackground: latencyNotification,
  })
  const live = view.end === null
  const look = (next: StatisticsView) => setSearch(writeView(next), { replace: true })
  const toggle = () => look({ ...view, end: live ? now() : null })
  useStatisticsCommands(view, look, toggle)

  return (
    <Page
      title="Statistics"
      status={<Liveness live={live} failed={history.isError} updatedAt={history.dataUpdatedAt} />}
      actions={
        <>
          <Switch
            label="Console traffic"
            checked={includeConsoleTraffic}
            onChange={(event) =>
              preferences.set({ includeConsoleTraffic: event.currentTarget.checked })
            }
          />
          <SegmentedControl
            aria-label="Window"
            value={String(view.seconds)}
            data={windows.map(({ seconds, label }) => ({ value: String(seconds), label }))}
            onChange={(value) => look({ ...view, seconds: Number(value) })}
          />
          <div className={classes.scrub}>
            <Tooltip label="Back in time">
              <ActionIcon aria-label="Back in time" onClick={() => look(scrub(view, -1, now()))}>
                <ChevronLeft size={16} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
            <Button
              variant="default"
              onClick={toggle}
              leftSection={live ? <Pause size={13} /> : <Play size={13} />}
              className={classes.pause ?? ''}
            >
              {live ? 'Pause' : 'Live'}
            </Button>
            <Tooltip label="Forward in time">
              <ActionIcon
                aria-label="Forward in time"
                disabled={live}
                onClick={() => look(scrub(view, 1, now()))}
              >
                <ChevronRight size={16} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          </div>
        </>
      }
    >
      {history.isPending && <Loading what="statistics" rows={10} />}
      {history.isError && history.data === undefined && (
        <ErrorNotice
          title="The statistics could not be read"
          error={history.error}
          onRetry={history.refetch}
        />
      )}
      {history.data !== undefined && (
        <>
          <Overview graph={graph} view={view} onLook={look} />
          <StatisticsBody graph={graph} history={history.data} view={view} onLook={look} />
        </>
      )}
    </Page>
  )
}

StatisticsPage.prepare = (client: QueryClient, graph: string) => {
  const { includeConsoleTraffic, pollSeconds } = preferences.get()
  const range = rangeOf(graph, readView(new URLSearchParams()), includeConsoleTraffic)
  return Promise.all([client.prefetchQuery(historyQuery(range, pollSeconds)), prefetchChart()])
}

const rangeOf = (graph: string, view: StatisticsView, includeConsole: boolean) => ({
  graph,
  seconds: view.seconds,
  end: view.end,
  includeConsole,
  heat: view.endpoint ?? '*',
  isCompared: true,
})

const now = (): number => Math.floor(Date.now() / 1000)

function useStatisticsCommands(
  view: StatisticsView,
  look: (view: StatisticsView) => void,
  toggle: () => void,
): void {
  const group = 'Statistics'
  useCommand({
    id: 'statistics.pause',
    label: view.end === null ? 'Pause' : 'Follow live',
    group,
    keys: 'space',
    run: toggle,
  })
  useCommand({
    id: 'statistics.back',
    label: 'Back in time',
    group,
    keys: '[',
    run: () => look(scrub(view, -1, now())),
  })
  useCommand({
    id: 'statistics.forward',
    label: 'Forward in time',
    group,
    keys: ']',
    run: () => look(scrub(view, 1, now())),
  })
  useCommand({
    id: 'statistics.scale',
    label: view.scale === 'log' ? 'Linear latency scale' : 'Logarithmic latency scale',
    group,
    keys: 'l',
    run: () => look({ ...view, scale: view.scale === 'log' ? 'linear' : 'log' }),
  })
}

interface LivenessProps {
  readonly live: boolean
  readonly failed: boolean
  readonly updatedAt: number
}

/** A failed poll keeps the last data and says how old it is. */
function Liveness({ live, failed, updatedAt }: LivenessProps) {
  const { timeZone } = usePreferences()
  if (updatedAt === 0) return null
  if (failed) {
    return (
      <StatusBadge status="warning">
        no answer; data from {formatClock(updatedAt, timeZone)}
      </StatusBadge>
    )
  }
  return <StatusBadge status={live ? 'success' : 'info'}>{live ? 'live' : 'paused'}</StatusBadge>
}
