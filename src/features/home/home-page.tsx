/** The first look: is it well, what is in it, what is it doing. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import { formatCount } from '#lib/format.ts'
import { Page, Section } from '#ui/page.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/states.tsx'
import { notify } from '#ui/toasts.tsx'
import { useLoadSample } from './api/home.ts'
import { Activity } from './components/activity.tsx'
import { HealthStrip } from './components/health-strip.tsx'
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
  const loadButton = (variant: 'default' | 'filled') => (
    <Button variant={variant} loading={sample.isPending} onClick={load}>
      Load sample graph
    </Button>
  )
  const empty = graphs.isSuccess && graphs.data.length === 0

  return (
    <Page title="Home" status={graph} actions={empty ? undefined : loadButton('default')}>
      {sample.isError && (
        <ErrorNotice title="The sample graph was not made" error={sample.error} onRetry={load} />
      )}
      <HealthStrip />
      {graphs.isPending && <Loading what="graphs" />}
      {graphs.isError && (
        <ErrorNotice
          title="The graphs could not be read"
          error={graphs.error}
          onRetry={graphs.refetch}
        />
      )}
      {empty && (
        <Section title="Graphs" layout="flush">
          <EmptyState
            icon={<Database size={28} />}
            text="This server holds no graph yet."
            hint="The sample is a small payment network: 20,000 vertices and 100,000 edges with accounts, cards, merchants, devices and transfers, three installed queries and some traffic."
            actions={loadButton('filled')}
          />
        </Section>
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
