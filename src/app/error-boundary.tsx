/** The last net: a page that threw, or an address that leads nowhere. The rail stays usable. */
import { Button } from '@mantine/core'
import { Compass } from 'lucide-react'
import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router'
import { paths } from '#lib/paths.ts'
import { Page } from '#ui/page.tsx'
import { EmptyState, ErrorNotice } from '#ui/states.tsx'

export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return (
    <Page title="This page failed">
      <ErrorNotice
        title="This page stopped working"
        error={error}
        onRetry={() => window.location.reload()}
      />
    </Page>
  )
}

export function NotFound() {
  const navigate = useNavigate()
  return (
    <Page title="Not found">
      <EmptyState
        icon={<Compass size={28} />}
        text="No page has this address."
        actions={<Button onClick={() => navigate(paths.home())}>Go home</Button>}
      />
    </Page>
  )
}
