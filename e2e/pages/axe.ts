import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const all = { runOnly: tags }
/** The rules that look at colours: what else there is to find is the same in either theme. */
const ofColors = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

const modal = '[aria-modal="true"]'

/**
 * One line per violation in the light or the dark theme; no rule is switched off.
 * @param part a selector of what is looked at; the whole page unless given
 */
export async function violations(page: Page, part?: string): Promise<readonly string[]> {
  const dark = await violationsIn(page, 'dark', { rules: ofColors, part })
  return [...dark, ...(await violationsIn(page, 'light', { rules: all, part }))]
}

async function violationsIn(
  page: Page,
  theme: 'light' | 'dark',
  { rules, part }: { readonly rules: object; readonly part: string | undefined },
): Promise<readonly string[]> {
  await show(page, theme)
  // What passes is only counted: to describe each element of it takes most of the time.
  const axe = new AxeBuilder({ page }).options({ ...rules, resultTypes: ['violations'] })
  // What lies behind a dialog is dimmed on purpose, and inert: its colours are no text to read.
  if (rules === ofColors && (await page.locator(modal).count()) > 0) axe.include(modal)
  else if (part !== undefined) axe.include(part)
  const results = await axe.analyze()
  return results.violations.map(
    ({ id, nodes }) =>
      `${theme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
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
