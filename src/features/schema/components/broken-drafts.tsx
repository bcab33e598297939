/** The reader's own drafts of queries that a change would break: the server does not have them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { compilerSchemaQuery, infoQuery } from '#api/compiler-schema.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { startCompiler } from '#compiler/compiler-client.ts'
import { brokenDrafts } from '#compiler/draft-check.ts'
import { paths } from '#lib/paths.ts'
import { queryDrafts } from '#lib/storage/query-drafts.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import type { Draft } from '../model/draft.ts'
import classes from './schema.module.css'

interface BrokenDraftsProps {
  readonly graph: string
  readonly draft: Draft
}

export function BrokenDrafts({ graph, draft }: BrokenDraftsProps) {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: [...schemaKeys.ofGraph(graph), 'drafts', draft.baseVersion, draft.done],
    queryFn: async () => {
      const [known, queries] = await Promise.all([
        client.fetchQuery(compilerSchemaQuery(graph)),
        client.fetchQuery(infoQuery(graph)),
      ])
      const compiler = startCompiler()
      compiler.setQueries(new Map(queries.map(({ name, code }) => [name, code])))
      const step = { known, before: draft.base, after: draft.schema }
      return brokenDrafts(compiler, queryDrafts(graph), step).finally(compiler.close)
    },
    staleTime: 0,
    gcTime: 0,
  })
  if (data.length === 0) return null
  return (
    <section className={classes['classGroup']} aria-label="Your drafts of queries">
      <h3>
        <StatusBadge status="warning">Your drafts of queries that will not compile</StatusBadge>
      </h3>
      <ul className={classes['lines']}>
        {data.map(({ name, line, message }) => (
          <li key={name}>
            <Link to={paths.queries(graph, { query: name })}>{name || 'New query'}</Link>
            <span className={classes['details']}>
              line {line}: {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
