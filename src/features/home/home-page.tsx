/** The first look: is it well, what is in it, what is it doing. */
import { Button } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import { useRefusal } from '#api/rights.ts'
import { loadSample, SAMPLE_GRAPH } from '#contract/sample.ts'
import { formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Page } from '#ui/layout/page.tsx'
import { countsQuery, useLoadSample } from './api/home.ts'
import { Activity } from './components/activity.tsx'
import { FirstGraph } from './components/first-graph.tsx'
import { HealthStrip } from './components/health-strip.tsx'
import { LastErrors } from './components/last-errors.tsx'
import { Recents } from './components/recents.tsx'
import { TypeTable } from './components/type-table.tsx'
import classes from './home-page.module.css'

export function HomePage() {
  const graphs = useQuery(graphsQuery)
  const graph = useCurrentGraph()
  const sample = useLoadSample()
  const load = () =>
    sample.mutate(undefined, {
      onSuccess: (made) =>
        notify(
          made.created
            ? `Sample graph ${made.graph} is there: ${formatCount(made.vertices)} vertices, ${formatCount(made.edges)} edges.`
            : `Sample graph ${made.graph} was there already; its traffic runs again.`,
        ),
    })
  const refusal = useRefusal(loadSample, '')
  const loadButton = (variant: 'default' | 'filled') => (
    <Refusable refusal={refusal}>
      <Button variant={variant} loading={sample.isPending} onClick={load}>
        Load sample graph
      </Button>
    </Refusable>
  )
  const empty = graphs.isSuccess && graphs.data.length === 0
  // Once it is there, the statistics of it offer more of its traffic.
  const offersSample = !empty && graphs.data?.some(({ name }) => name === SAMPLE_GRAPH) === false

  return (
    <Page title="Home" actions={offersSample ? loadButton('default') : undefined}>
      {sample.isError && (
        <ErrorNotice title="The sample graph was not made" error={sample.error} onRetry={load} />
      )}
      {!empty && <HealthStrip />}
      <LastErrors />
      {graphs.isPending && <Loading what="graphs" />}
      {graphs.isError && (
        <ErrorNotice
          title="The graphs could not be read"
          error={graphs.error}
          onRetry={graphs.refetch}
        />
      )}
      {empty && (
        <>
          <FirstGraph sample={loadButton('filled')} />
          <HealthStrip />
        </>
      )}
      {graph !== '' && (
        <>
          <Activity key={`activity ${graph}`} graph={graph} />
          <div className={classes.columns}>
            <TypeTable key={`types ${graph}`} graph={graph} />
            <Recents graph={graph} />
          </div>
        </>
      )}
    </Page>
  )
}

HomePage.prepare = async (client: QueryClient, graph: string) => {
  if (graph !== '') await client.prefetchQuery(countsQuery(graph))
}
