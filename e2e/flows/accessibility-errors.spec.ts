/**
 * Every page whose own requests fail, in each way they can, says so. The notice is one component with other words, so
 * axe looks at each page once, and at each failure on several pages; it finds nothing.
 */
import { expect, type Page, type Route } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

const paths = [
  '/home',
  '/system',
  '/system?tab=maintenance',
  '/access',
  '/sample/schema',
  '/sample/data',
  '/sample/explorer',
  '/sample/queries',
  '/sample/indexes',
  '/sample/statistics',
]

const api = /\/(api|gsql|informant|quiver|restpp)\//
/** What the frame asks for; a page is to be there to say that its own requests failed. */
const ofFrame = /\/(quiver\/v1\/session|gsql\/v1\/schema\/graphs|api\/ping)$/

const failures = {
  broken: { status: 500, words: 'Something broke.' },
  forbidden: { status: 403, words: 'Not for you.' },
  unreachable: { status: 0, words: 'The server cannot be reached.' },
} as const

type Failure = keyof typeof failures

async function failAll(page: Page, failure: () => Failure, fails: RegExp | null): Promise<void> {
  await page.route(api, async (route: Route) => {
    const { pathname } = new URL(route.request().url())
    const goesOn = fails === null ? ofFrame.test(pathname) : !fails.test(pathname)
    if (goesOn) return await route.continue()
    const { status, words } = failures[failure()]
    if (status === 0) return await route.abort('connectionrefused')
    return await route.fulfill({ status, json: { error: true, code: 'CODE', message: words } })
  })
}

const notice = (page: Page, failure: Failure) =>
  page.getByRole('alert').filter({ hasText: failures[failure].words }).first()

test('axe finds nothing where the server fails, refuses or cannot be reached', async ({
  page,
  sampled: server,
}) => {
  test.slow()
  let failure: Failure = 'broken'
  await page.clock.install()
  await failAll(page, () => failure, null)
  const view = consolePage(page, server.url)
  await view.open('/settings')
  const names = ['broken', 'forbidden', 'unreachable'] as const
  for (const [number, name] of names.entries()) {
    failure = name
    for (const [at, path] of paths.entries()) {
      // From a page that asks for nothing: no notice of the last one is still on screen.
      await view.go('/settings')
      await expect(view.heading).toHaveText('Settings')
      await expect(page.getByRole('alert')).toHaveCount(0)
      await view.go(path)
      const told = async () => {
        // Where no answer came it is asked for twice more, some seconds later.
        await page.clock.runFor(1_000)
        return await notice(page, failure).isVisible()
      }
      await expect.poll(told, { message: `${path}, ${failure}`, intervals: [50] }).toBe(true)
      if (at % names.length !== number) continue
      expect(await violations(page, 'main'), `${path}, ${failure}`).toEqual([])
    }
  }
})

test('axe finds nothing where the frame itself gets no answer', async ({ page, server }) => {
  await failAll(page, () => 'broken', /\/(session|graphs)$/)
  await page.goto(`${server.url}/ui/home`)
  await expect(notice(page, 'broken')).toBeVisible()
  expect(await violations(page), 'session').toEqual([])
})
