import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { testClock } from '../../../test/fixtures/server.ts'
import { LAG_INTERVAL_MS, LoadMetrics } from './load-metrics.ts'

function metrics() {
  const clock = testClock()
  const load = new LoadMetrics(clock)
  const registry = new Registry()
  load.register(registry)
  const sample = async (name: string) =>
    Number((await registry.metrics()).split(`\n${name} `)[1]?.split('\n')[0])
  return { clock, load, sample }
}

it('measures how much later than its interval the timer comes', async () => {
  const { clock, load, sample } = metrics()
  load.tick()
  expect(await sample('quiver_event_loop_lag_seconds_count')).toBe(0)
  clock.advance(LAG_INTERVAL_MS)
  load.tick()
  expect(await sample('quiver_event_loop_lag_seconds_sum')).toBe(0)
  clock.advance(LAG_INTERVAL_MS + 700)
  load.tick()
  expect(await sample('quiver_event_loop_lag_seconds_count')).toBe(2)
  expect(await sample('quiver_event_loop_lag_seconds_sum')).toBeCloseTo(0.7)
  expect(await sample('quiver_event_loop_lag_seconds_bucket{le="0.5"}')).toBe(1)
  expect(await sample('quiver_event_loop_lag_seconds_bucket{le="1"}')).toBe(2)
})

it('counts a timer that comes early as on time', async () => {
  const { clock, load, sample } = metrics()
  load.tick()
  clock.advance(LAG_INTERVAL_MS - 1)
  load.tick()
  expect(await sample('quiver_event_loop_lag_seconds_sum')).toBe(0)
})

it('measures how long queries wait for a worker', async () => {
  const { load, sample } = metrics()
  load.queryBegan(0)
  load.queryBegan(2_000)
  expect(await sample('quiver_query_queue_seconds_count')).toBe(2)
  expect(await sample('quiver_query_queue_seconds_sum')).toBe(2)
})
