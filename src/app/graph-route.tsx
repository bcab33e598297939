/** A page of one graph: made anew for another graph, and never shown for one that is not there. */
import { useQuery } from '@tanstack/react-query'
import { Unplug } from 'lucide-react'
import type { ComponentType } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { graphsQuery } from '#api/graphs.ts'
import { withGraph } from '#lib/paths.ts'
import { EmptyState } from '#ui/feedback/states.tsx'
import { Page } from '#ui/layout/page.tsx'
import classes from './graph-route.module.css'

/** Another graph is another page: nothing of the old one may stay on screen. */
export function ofGraph(Content: ComponentType<{ readonly graph: string }>) {
  return function GraphRoute() {
    const { graph = '' } = useParams()
    const graphs = useQuery(graphsQuery)
    // A graph that was just made is not in the old list, so a list being read decides nothing.
    const missing =
      graphs.isSuccess && !graphs.isFetching && !graphs.data.some(({ name }) => name === graph)
    if (missing) return <UnknownGraph graph={graph} names={graphs.data.map(({ name }) => name)} />
    return <Content key={graph} graph={graph} />
  }
}

interface UnknownGraphProps {
  readonly graph: string
  readonly names: readonly string[]
}

function UnknownGraph({ graph, names }: UnknownGraphProps) {
  const { pathname } = useLocation()
  return (
    <Page title="No such graph">
      <EmptyState
        icon={<Unplug size={28} />}
        text={`This server has no graph “${graph}”.`}
        hint={
          names.length === 0 ? (
            <>
              It has none yet: the{' '}
              <Link to="/home" className={classes.home ?? ''}>
                home page
              </Link>{' '}
              loads a sample.
            </>
          ) : (
            <ul className={classes.names} aria-label="Graphs of this server">
              <li>It has</li>
              {names.map((name) => (
                <li key={name}>
                  <Link to={withGraph(pathname, name) ?? '/'}>{name}</Link>
                </li>
              ))}
            </ul>
          )
        }
      />
    </Page>
  )
}
