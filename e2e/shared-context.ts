/**
 * One browser context for the tests of a worker, in which one process draws all pages: what a page has read, parsed and
 * compiled serves those after it (docs/decisions/0168). The process belongs to an idle page of the origin of the worker's
 * servers, and lasts as long as that page; the pages of tests are opened from it. After each test its pages are closed,
 * and cookies and storage are empty again. A context that a test has changed otherwise, or that a failed test has used,
 * is closed, and the next test has a new one.
 */
import type { Browser, BrowserContext, Page } from '@playwright/test'

/** What these change stays until the context is closed. */
const changes = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
]
const changesOfClock = [
  'fastForward',
  'install',
  'pauseAt',
  'runFor',
  'setFixedTime',
  'setSystemTime',
]

/** As the console is sent: pages of other groups are drawn by other processes. */
const idleDocument = {
  body: '<!doctype html><title>Idle</title>',
  contentType: 'text/html',
  headers: { 'cross-origin-opener-policy': 'same-origin' },
}

interface Shared {
  readonly context: BrowserContext
  readonly idle: Page
  /** The origin and the options that it was made for. */
  readonly key: string
  /** Of the pages since the last test. */
  readonly origins: Set<string>
  isChanged: boolean
}

export class SharedContext {
  readonly #browser: Browser
  #shared: Shared | null = null

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /**
   * @param origin of the servers of this worker
   * @param options of the test that concern the context: those of the configuration, unless a test says otherwise
   */
  async take(origin: string, options: object): Promise<BrowserContext> {
    const key = JSON.stringify([origin, options])
    const shared = this.#shared
    if (shared !== null && (shared.key !== key || !(await isEmpty(shared.idle)))) await this.close()
    this.#shared ??= await make(this.#browser, origin, key)
    return this.#shared.context
  }

  /** @param isWhole the test has passed */
  async giveBack(isWhole: boolean): Promise<void> {
    const shared = this.#shared
    if (shared === null) return
    const { context, idle, origins } = shared
    if (!isWhole) {
      // Playwright describes the first page of a context in which a test has failed.
      await idle.close()
      return await this.close()
    }
    // One by one: Playwright takes a picture of each page of a context that is closed.
    const others = context.pages().filter((page) => page !== idle)
    await Promise.all(others.map((page) => page.close()))
    if (shared.isChanged || idle.isClosed()) return await this.close()
    await context.clearCookies()
    await clearStorage(context, idle, origins)
    origins.clear()
  }

  async close(): Promise<void> {
    const shared = this.#shared
    this.#shared = null
    await shared?.context.close()
  }
}

async function make(browser: Browser, origin: string, key: string): Promise<Shared> {
  const context = await browser.newContext()
  const idle = await context.newPage()
  await idle.route('**/*', (route) => route.fulfill(idleDocument))
  await idle.goto(origin)
  const shared: Shared = { context, idle, key, origins: new Set(), isChanged: false }
  const change = () => {
    shared.isChanged = true
  }
  idle.on('crash', change)
  watch(context, changes, change)
  watch(context.clock, changesOfClock, change)
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => {
      const { origin: visited } = new URL(frame.url())
      if (visited !== 'null') shared.origins.add(visited)
    })
  })
  // A page of its own begins in a process of its own, and the console in yet another one.
  const open = context.newPage.bind(context)
  const openAlone = async () => {
    // It has crashed, and with it nothing can be done with all pages at once.
    await idle.close()
    return await open()
  }
  let last: Promise<unknown> = Promise.resolve()
  context.newPage = () => {
    const opened = last.then(() => openFrom(idle).catch(openAlone))
    last = opened.catch(() => undefined)
    return opened
  }
  return shared
}

async function openFrom(idle: Page): Promise<Page> {
  const [opened] = await Promise.all([
    idle.waitForEvent('popup'),
    idle.evaluate('void window.open()'),
  ])
  return opened
}

function watch(target: object, names: readonly string[], onCall: () => void): void {
  for (const name of names) {
    const method: (...args: unknown[]) => unknown = Reflect.get(target, name)
    Reflect.set(target, name, (...args: unknown[]) => {
      onCall()
      return method.apply(target, args)
    })
  }
}

async function clearStorage(
  context: BrowserContext,
  idle: Page,
  origins: ReadonlySet<string>,
): Promise<void> {
  // The process has a copy of what its own origin has stored: from outside only the original is cleared.
  await idle.evaluate('localStorage.clear()')
  const session = await context.newCDPSession(idle)
  for (const origin of origins) {
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }
  await session.detach()
}

const isEmpty = (idle: Page): Promise<boolean> =>
  idle.evaluate<boolean>('localStorage.length === 0')
