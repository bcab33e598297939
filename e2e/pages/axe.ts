/**
 * axe, run in the page itself. Its text is handed over once per document; what @axe-core/playwright
 * does for frames of other origins (a blank page for every look, the text twice more) took most of
 * the time, and the console has no frames.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

interface Violation {
  readonly id: string
  /** The elements it was found at, as HTML, cut. */
  readonly elements: readonly string[]
}

const text = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const all = { runOnly: tags }
/** The rules that look at colours: what else there is to find is the same in either theme. */
const ofColors = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
const ofTargets = { runOnly: { type: 'rule', values: ['target-size'] } }

const modal = '[aria-modal="true"]'

/**
 * One line per violation in the light or the dark theme; no rule is switched off.
 * @param part a selector of what is looked at; the whole page unless given
 */
export async function violations(page: Page, part?: string): Promise<readonly string[]> {
  const dark = await violationsIn(page, 'dark', { rules: ofColors, part })
  return [...dark, ...(await violationsIn(page, 'light', { rules: all, part }))]
}

/** Targets below 24 pixels that have not the room around them instead. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return (await run(page, ofTargets)).flatMap(({ elements }) => elements)
}

async function violationsIn(
  page: Page,
  theme: 'light' | 'dark',
  { rules, part }: { readonly rules: object; readonly part: string | undefined },
): Promise<readonly string[]> {
  await show(page, theme)
  // What lies behind a dialog is dimmed on purpose, and inert: its colours are no text to read.
  const isBehind = rules === ofColors && (await page.locator(modal).count()) > 0
  const found = await run(page, rules, isBehind ? modal : part)
  return found.map(({ id, elements }) => `${theme}: ${id}: ${elements.join(' | ')}`)
}

async function run(page: Page, rules: object, part?: string): Promise<readonly Violation[]> {
  expect(page.frames(), 'axe looks at one frame only').toHaveLength(1)
  const isThere = await page.evaluate<boolean>(`typeof globalThis.axe === 'object'`)
  if (!isThere) await page.evaluate(`${text};null`)
  const where = part === undefined ? 'document' : JSON.stringify({ include: [part] })
  // What passes is only counted: to describe each element of it takes most of the time.
  const how = JSON.stringify({ ...rules, resultTypes: ['violations'] })
  return await page.evaluate<readonly Violation[]>(
    `axe.run(${where}, ${how}).then(({ violations }) => violations.map(({ id, nodes }) =>
      ({ id, elements: nodes.map(({ html }) => html.slice(0, 160)) })))`,
  )
}

/** Pages without the attribute follow the system by their style sheet alone. */
const shownTheme = `document.documentElement.dataset.mantineColorScheme`
const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`
/** What fades in has other colours than it will have; what turns for ever is not waited for. */
const moving = `document.getAnimations().filter(({ effect, playState }) =>
  playState === 'running' && effect.getComputedTiming().endTime !== Infinity).length`

async function show(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // Asked from outside: the page's policy lets no text be run as a script within it.
  const shown = () => page.evaluate<'light' | 'dark' | undefined>(shownTheme)
  await expect.poll(async () => [undefined, theme].includes(await shown())).toBe(true)
  await page.evaluate(`${twoFrames}.then(() => null)`)
  await expect.poll(() => page.evaluate<number>(moving)).toBe(0)
}
