/** What went wrong in the server last, for whom may read its log; nothing where nothing did. */
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { serverLogQuery } from '#api/server-log.ts'
import { formatAge } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { Section } from '#ui/layout/page.tsx'
import classes from './recents.module.css'

const REFETCH_MS = 15_000
const SHOWN_MAX = 5

export function LastErrors() {
  const log = useQuery(serverLogQuery({ level: 'error', limit: SHOWN_MAX }, REFETCH_MS))
  const lines = log.data?.lines ?? []
  if (lines.length === 0) return null
  return (
    <Section title="Last errors" hint="of the server since its start" layout="flush">
      <ul>
        {lines.toReversed().map(({ number, text, timeMs }) => (
          <li key={number} className={classes.row}>
            <CircleAlert size={15} strokeWidth={1.75} aria-hidden="true" />
            <Link className={classes.link} to={paths.system({ tab: 'log', level: 'error' })}>
              {text}
            </Link>
            <span className={classes.detail}>{formatAge(Date.now() - timeMs)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
