/** The last net: a page that threw, or an address that leads nowhere. The rail stays usable. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { pingQuery } from '#api/ping.ts'
import { paths } from '#lib/paths.ts'
import { EmptyState, ErrorNotice } from '#ui/feedback/states.tsx'
import { Page } from '#ui/layout/page.tsx'

interface ErrorBoundaryProps {
  /** What failed under one is tried again under another. */
  readonly address: string
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly address: string
  readonly failure: { readonly error: unknown } | null
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps(
    { address }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return address === state.address ? null : { address, failure: null }
  }

  override state: ErrorBoundaryState = { address: this.props.address, failure: null }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : <PageFailure error={failure.error} />
  }
}

/** Of an `import()` that got no answer; each browser has its own words. */
const isNotLoaded = (error: unknown): boolean =>
  error instanceof Error && /import(ed|ing a) module|preload CSS/i.test(error.message)

/** What was told before: React does not ask a second time for code that did not come. */
const told = new WeakSet<object>()

function PageFailure({ error }: { readonly error: unknown }) {
  const isMissing = isNotLoaded(error)
  const { isError, dataUpdatedAt, refetch } = useQuery({ ...pingQuery, refetchOnMount: 'always' })
  const [answeredAt] = useState(dataUpdatedAt)
  const wasDown = useRef(isMissing && told.has(error as Error))
  useEffect(() => {
    if (!isMissing) return
    told.add(error as Error)
    wasDown.current ||= isError
    if (wasDown.current && !isError && dataUpdatedAt > answeredAt) window.location.reload()
  }, [isMissing, error, isError, dataUpdatedAt, answeredAt])
  // Without a server a reload would leave the browser's own page, from which none comes back.
  const retry = async () => {
    if (!(await refetch()).isError) window.location.reload()
  }
  const words = isMissing
    ? {
        title: 'A part of this page could not be loaded',
        text: 'The server does not answer, or another version of it was started.',
      }
    : { title: 'This page stopped working' }
  return (
    <Page title="This page failed">
      <ErrorNotice {...words} error={error} onRetry={retry} />
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
