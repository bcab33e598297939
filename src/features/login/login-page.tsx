/** The door: shown where a password of one's own was set and nobody is signed in. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { isUnreachable } from '#api/api-error.ts'
import { sessionQuery } from '#api/session.ts'
import { formatDuration } from '#lib/format.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Logo } from '#ui/theme/logo.tsx'
import { ConnectionNotice, useConnection } from './components/connection-notice.tsx'
import { LoginForm } from './components/login-form.tsx'
import classes from './login-page.module.css'
import { connectionNotes } from './model/connection.ts'
import { safeReturn } from './model/safe-return.ts'

export function LoginPage() {
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { hash } = useLocation()
  const from = safeReturn(search.get('from')) + hash
  if (session.data?.user != null) return <Navigate to={from} replace />
  return (
    <main className={classes.page}>
      <title>Sign in · Quiver</title>
      <div className={classes.card}>
        <header className={classes.header}>
          <Logo size={28} />
          <h1 className={classes.title}>Quiver</h1>
        </header>
        <ConnectionNotice />
        <LoginForm onDone={() => void navigate(from, { replace: true })} />
        <Connection version={session.data?.version} />
      </div>
    </main>
  )
}

/** Measured, every five seconds; and what is odd about it though it works. */
function Connection({ version }: { readonly version: string | undefined }) {
  const { connection, place, problem } = useConnection()
  const pong = connection?.pong
  const notes = connectionNotes({ skewMs: pong?.skewMs, version }, place)
  return (
    <footer className={classes.footer}>
      {notes.map((note) => (
        <p key={note} className={classes.note} role="status">
          {note}
        </p>
      ))}
      <div className={classes.facts}>
        {problem !== null ? (
          <StatusBadge look="plain" status="danger">
            {isUnreachable(connection?.pingError) ? 'offline' : 'wrong answer'}
          </StatusBadge>
        ) : (
          <StatusBadge look="plain" status={pong == null ? 'neutral' : 'success'}>
            {pong == null ? 'asking' : `online · ${formatDuration(pong.latencyMs)}`}
          </StatusBadge>
        )}
        <span>{place.host}</span>
        {version !== undefined && <span>{version}</span>}
      </div>
    </footer>
  )
}
