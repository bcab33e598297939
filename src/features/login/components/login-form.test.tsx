import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchSession, userBefore } from '#api/session.ts'
import { LoginForm } from './login-form.tsx'

afterEach(() => vi.unstubAllGlobals())

const drawn = (name?: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <LoginForm name={name} />
      </QueryClientProvider>
    </MantineProvider>,
  )

async function sessionOf(user: string | null): Promise<void> {
  const results = { user, passwordIsDefault: false, isSuperUser: false, version: '1' }
  vi.stubGlobal('fetch', async () => Response.json({ error: false, message: '', results }))
  vi.stubGlobal('window', { location: { origin: 'http://here' } })
  await fetchSession(new AbortController().signal)
}

it('asks whoever was signed in, and at first the user that every server has', async () => {
  expect(userBefore()).toBeUndefined()
  expect(drawn(userBefore())).toContain('value="tigergraph"')
  await sessionOf('ada')
  await sessionOf(null)
  vi.unstubAllGlobals()
  expect(drawn(userBefore())).toContain('value="ada"')
})
