/** A history with traffic at every step, in the place of the quiet one of a server that just started. */
import type { Page, Route } from '@playwright/test'
import type { StatisticsHistory } from '#contract/statistics.ts'

const ENDPOINTS = 4

type Series = StatisticsHistory['total']['series']
type Part = StatisticsHistory['total']

/** From now on the page reads 300 steps of four endpoints, which move on with the time. */
export async function feedBusyHistory(page: Page): Promise<void> {
  await page.route('**/quiver/v1/statistics/*/history?*', answerBusy)
}

async function answerBusy(route: Route): Promise<void> {
  const response = await route.fetch()
  const body = (await response.json()) as { results: StatisticsHistory }
  const { from, stepSeconds, total } = body.results
  const steps = total.series.completed.map((_, index) => from + index * stepSeconds)
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
    endpoint: `GET /query/sample/bench_${index}`,
    ...busyPart(steps, index + 1),
  }))
  const results = { ...body.results, total: busyPart(steps, ENDPOINTS), endpoints }
  await route.fulfill({ response, json: { ...body, results } })
}

function busyPart(steps: readonly number[], size: number): Part {
  /** The same second has the same value in every answer. */
  const wave = (scale: number) =>
    steps.map((at) => scale * size * (2 + Math.sin(at / 7 + size) + Math.sin(at * size)))
  const series: Series = {
    completed: wave(20).map(Math.round),
    errors: steps.map(() => 0),
    timeouts: steps.map(() => 0),
    averageMs: wave(3),
    minMs: wave(0.5),
    maxMs: wave(40),
    p50Ms: wave(2),
    p95Ms: wave(9),
    p99Ms: wave(20),
  }
  const [averageMs, minMs, maxMs] = [6, 0.5, 160]
  const completed = series.completed.reduce((sum, count) => sum + count, 0)
  const summary = {
    completed,
    errors: 0,
    timeouts: 0,
    averageMs,
    minMs,
    maxMs,
    p50Ms: 4,
    p95Ms: 18,
    p99Ms: 40,
  }
  return { series, summary }
}
