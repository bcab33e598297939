import { expect, it } from 'vitest'
import { newestOwn } from './own-run.ts'

const address = '/quiver/v1/queries/profile'
const run = { url: `${address}?graph=g`, elapsedTime: 900, graph: 'g', user: 'ada' }
const wanted = { graph: 'g', address, user: 'ada' }

it('the newest run of one’s own is told of, and none of another user or graph', () => {
  const newer = { ...run, elapsedTime: 800 }
  const others = [
    { ...run, elapsedTime: 1, user: 'bo' },
    { ...run, elapsedTime: 2, graph: 'h' },
    { ...run, elapsedTime: 3, url: `${address}r` },
  ]
  expect(newestOwn([run, ...others, newer], wanted)).toBe(newer)
  expect(newestOwn(others, wanted)).toBeUndefined()
})
