import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { askAgain } from './ping.ts'

const failure = (code: string, status: number) =>
  new ApiError('No.', { code, status, method: 'GET', url: '/', curl: '' })

it('once the server is back asks again for what met no answer, and for nothing else', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: string[] = []
  const watch = (name: string, answer: () => Promise<string>) => {
    const queryFn = () => {
      asked.push(name)
      return answer()
    }
    return new QueryObserver(client, { queryKey: [name], queryFn }).subscribe(() => undefined)
  }
  const stops = [
    watch('missed', () => Promise.reject(failure('UNREACHABLE', 0))),
    watch('refused', () => Promise.reject(failure('FORBIDDEN', 403))),
    watch('read', () => Promise.resolve('there')),
  ]
  const left = watch('left', () => Promise.reject(failure('UNREACHABLE', 0)))
  await expect.poll(() => client.isFetching()).toBe(0)
  left()
  asked.length = 0
  await askAgain(client)
  expect(asked).toEqual(['missed'])
  for (const stop of stops) stop()
})
