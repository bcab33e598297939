import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'

function shown(error: unknown): string {
  class Failed extends ErrorBoundary {
    override state = { address: '', failure: { error } }
  }
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Failed address="">the page</Failed>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

it('tells a page that failed from one whose code did not come', () => {
  const bug = shown(new TypeError('x is undefined in this module'))
  expect(bug).toContain('This page stopped working')
  expect(bug).toContain('x is undefined')
  const chunk = '/ui/assets/modal-1.js'
  for (const words of [
    `Failed to fetch dynamically imported module: ${chunk}`,
    `error loading dynamically imported module: ${chunk}`,
    'Importing a module script failed.',
  ]) {
    const missing = shown(new TypeError(words))
    expect(missing).toContain('A part of this page could not be loaded')
    expect(missing).toContain('The server does not answer')
    expect(missing).not.toContain(chunk)
  }
})
