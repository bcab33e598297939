/** The door: shown where a password of one's own was set and nobody is signed in. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { sessionQuery } from '#api/session.ts'
import { Logo } from '#ui/logo.tsx'
import { ErrorNotice } from '#ui/states.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import { LoginForm } from './components/login-form.tsx'
import classes from './login-page.module.css'
import { safeReturn } from './model/safe-return.ts'

export function LoginPage() {
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const from = safeReturn(search.get('from'))
  if (session.data?.user != null) return <Navigate to={from} replace />
  return (
    <main className={classes.page}>
      <title>Sign in · Quiver</title>
      <div className={classes.card}>
        <header className={classes.header}>
          <Logo size={28} />
          <h1 className={classes.title}>Quiver</h1>
        </header>
        {session.isError && (
          <ErrorNotice
            title="Quiver does not answer"
            error={session.error}
            onRetry={session.refetch}
          />
        )}
        <LoginForm onDone={() => void navigate(from, { replace: true })} />
        <footer className={classes.footer}>
          <StatusBadge look="plain" status={session.isError ? 'danger' : 'success'}>
            {session.isError ? 'offline' : 'online'}
          </StatusBadge>
          <span>{window.location.host}</span>
          {session.data !== undefined && <span>{session.data.version}</span>}
        </footer>
      </div>
    </main>
  )
}
