/** The first look: is it well, what is in it, what is it doing. */
import { Button } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import { useRefusal } from '#api/rights.ts'
import { loadSample, SAMPLE_GRAPH } from '#contract/sample.ts'
import { createGraph } from '#contract/schema.ts'
import { formatCount } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Page, Section } from '#ui/layout/page.tsx'
import { countsQuery, useLoadSample } from './api/home.ts'
import { Activity } from './components/activity.tsx'
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
    <Page title="Home" status={graph} actions={offersSample ? loadButton('default') : undefined}>
      {sample.isError && (
        <ErrorNotice title="The sample graph was not made" error={sample.error} onRetry={load} />
      )}
      <HealthStrip />
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
        <Section title="Graphs" layout="flush">
          <FirstGraph sample={loadButton('filled')} />
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

HomePage.prepare = async (client: QueryClient, graph: string) => {
  if (graph !== '') await client.prefetchQuery(countsQuery(graph))
}

/** The first minute: three ways from an empty server to a graph with something in it. */
function FirstGraph({ sample }: { readonly sample: ReactNode }) {
  const refusal = useRefusal(createGraph, '')
  return (
    <>
      <p className={classes.first}>This server holds no graph yet. Begin with:</p>
      <ul className={classes.ways}>
        <li>
          <h3>The sample</h3>
          <p>
            A small payment network: 20,000 vertices and 100,000 edges, three installed queries and
            some traffic, so that every page has something to show.
          </p>
          {sample}
        </li>
        <li>
          <h3>A CSV file</h3>
          <p>
            Its columns become a vertex type. You check names and types, then a hundred rows, then
            load it.
          </p>
          <Refusable refusal={refusal}>
            <Button component={Link} to={paths.start({ from: 'csv' })} variant="default">
              Start from a CSV
            </Button>
          </Refusable>
        </li>
        <li>
          <h3>A schema</h3>
          <p>Type definitions as JSON from another server, or a GSQL script: paste them.</p>
          <Button component={Link} to={paths.start({ from: 'schema' })} variant="default">
            Paste a schema
          </Button>
        </li>
      </ul>
    </>
  )
}
