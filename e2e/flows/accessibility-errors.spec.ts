/** Every page whose own requests fail: axe finds nothing in what it says then. */
import { expect, type Page, type Route } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'

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

/** Failures of other kinds are told by the same notice: it is looked at where pages differ most. */
const others = ['/home', '/sample/explorer', '/sample/queries']
const alert = '[role="alert"]'

type Failure = 'broken' | 'forbidden' | 'unreachable'

const answers = {
  broken: { status: 500, json: { error: true, code: 'INTERNAL', message: 'Something broke.' } },
  forbidden: { status: 403, json: { error: true, code: 'FORBIDDEN', message: 'Not for you.' } },
}

async function failAll(
  page: Page,
  failure: () => Failure,
  of: RegExp | null = null,
): Promise<void> {
  await page.route(api, async (route: Route) => {
    const { pathname } = new URL(route.request().url())
    const isFrame = of === null ? ofFrame.test(pathname) : !of.test(pathname)
    if (isFrame) return await route.continue()
    const kind = failure()
    if (kind === 'unreachable') return await route.abort('connectionrefused')
    return await route.fulfill(answers[kind])
  })
}

const failed = (page: Page, text: string) =>
  expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible()

test('axe finds nothing where the server fails or refuses', async ({ page, sampled: server }) => {
  let failure: Failure = 'broken'
  await failAll(page, () => failure)
  for (const path of paths) {
    await page.goto(`${server.url}/ui${path}`)
    await failed(page, 'Something broke.')
    expect(await violations(page, 'main'), `${path}, broken`).toEqual([])
  }
  failure = 'forbidden'
  for (const path of others) {
    await page.goto(`${server.url}/ui${path}`)
    await failed(page, 'Not for you.')
    expect(await violations(page, alert), `${path}, forbidden`).toEqual([])
  }
})

test('axe finds nothing where the server cannot be reached', async ({
  context,
  sampled: server,
}) => {
  // Each gives up after two more tries; all of them wait at once.
  const tabs = await Promise.all(
    others.map(async (path) => {
      const page = await context.newPage()
      await failAll(page, () => 'unreachable')
      await page.goto(`${server.url}/ui${path}`)
      return { path, page }
    }),
  )
  for (const { path, page } of tabs) {
    await page.bringToFront()
    await failed(page, 'The server cannot be reached.')
    expect(await violations(page, alert), path).toEqual([])
    await page.close()
  }
})

test('axe finds nothing where the frame itself gets no answer', async ({ page, server }) => {
  await failAll(page, () => 'broken', /\/(session|graphs)$/)
  await page.goto(`${server.url}/ui/home`)
  await failed(page, 'Something broke.')
  expect(await violations(page), 'session').toEqual([])
})
