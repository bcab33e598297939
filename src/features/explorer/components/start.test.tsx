import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { countsQuery } from '../api/explorer.ts'
import type { Explorer } from '../use-explorer.ts'
import { Start } from './start.tsx'

const drawn = (client: QueryClient, totals: ReadonlyMap<string, number>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <Start graph="acme" totals={totals} explorer={{} as Explorer} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

it('offers nothing to find where the types cannot be read', async () => {
  const client = new QueryClient()
  await client.prefetchQuery({
    ...countsQuery('acme'),
    queryFn: () => Promise.reject(new Error('refused')),
    retry: false,
  })
  expect(drawn(client, new Map())).toContain('while the types cannot be read')
  expect(drawn(client, new Map())).not.toContain('Find a vertex')
  expect(drawn(client, new Map([['Person', 1]]))).toContain('Find a vertex')
  expect(drawn(new QueryClient(), new Map())).toContain('Find a vertex')
})
