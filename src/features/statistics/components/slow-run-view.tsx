/** One slow run: what it was given, its text, and the plan it followed. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { slowRunQuery } from '../api/slow-runs.ts'
import { type PlanLine, planLines } from '../model/plan-words.ts'
import classes from './slow-runs.module.css'

const columns: readonly Column<PlanLine>[] = [
  { id: 'line', header: 'Line', align: 'end', width: '56px', cell: ({ line }) => line },
  {
    id: 'statement',
    header: 'Statement',
    lead: true,
    cell: ({ statement, depth }) => (
      <code style={{ paddingInlineStart: `${depth}em` }}>{statement}</code>
    ),
  },
  { id: 'way', header: 'Way', fold: 'narrow', cell: ({ way }) => way },
  {
    id: 'edges',
    header: 'Expected edges',
    fold: 'narrow',
    align: 'end',
    cell: ({ edges }) => (edges === null ? '' : formatCount(Math.round(edges))),
  },
]

interface SlowRunViewProps {
  readonly graph: string
  readonly requestId: string
}

export function SlowRunView({ graph, requestId }: SlowRunViewProps) {
  const run = useQuery(slowRunQuery(requestId))
  if (run.data === undefined) {
    if (!run.isError) return <Loading what="the run" rows={3} />
    return <ErrorNotice title="The run could not be read" error={run.error} />
  }
  const { query, text, parameters, message, steps } = run.data
  return (
    <div className={classes.details}>
      {message !== '' && <p role="status">{message}</p>}
      <div className={classes.pair}>
        <div>
          <h3>Parameters</h3>
          {parameters === '{}' ? (
            <p>none</p>
          ) : (
            <TextBlock label="Parameters of the run" text={parameters} maxHeight="160px" />
          )}
        </div>
        <div>
          <h3>
            Text
            {query !== '' && <Link to={paths.queries(graph, { query })}>Open {query}</Link>}
          </h3>
          <TextBlock label="Text of the run" text={text} maxHeight="160px" />
        </div>
      </div>
      <h3>Plan it followed</h3>
      <DataTable
        label="Plan of the run"
        rows={planLines(steps)}
        columns={columns}
        rowKey={({ id }) => String(id)}
        maxHeight="320px"
      />
    </div>
  )
}
