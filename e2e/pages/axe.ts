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
  // What is shown comes first: each change of the theme draws the whole page anew.
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const found: string[] = []
  for (const theme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.evaluate(settled(theme))
    const isOfColors = theme === 'dark'
    // What lies behind a dialog is dimmed on purpose, and inert: its colours are no text to read.
    const isBehind = isOfColors && (await page.locator(modal).count()) > 0
    const results = await run(page, isOfColors ? ofColors : all, isBehind ? modal : part)
    found.push(...results.map(({ id, elements }) => `${theme}: ${id}: ${elements.join(' | ')}`))
  }
  return found
}

/** Targets below 24 pixels that have not the room around them instead. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return (await run(page, ofTargets)).flatMap(({ elements }) => elements)
}

async function run(page: Page, rules: object, part?: string): Promise<readonly Violation[]> {
  expect(page.frames(), 'axe looks at one frame only').toHaveLength(1)
  const isThere = await page.evaluate<boolean>(`typeof globalThis.axe === 'object'`)
  if (!isThere) await page.evaluate(`${text};null`)
  const where = part === undefined ? 'document' : JSON.stringify({ include: [part] })
  // What passes is only counted: to describe each element of it takes most of the time. The style sheets, which
  // take a third of what is left, are read for a rule alone that is experimental and not among the tags.
  const preload = { assets: ['media'] }
  const how = JSON.stringify({ ...rules, resultTypes: ['violations'], preload })
  return await page.evaluate<readonly Violation[]>(
    `axe.run(${where}, ${how}).then(({ violations }) => violations.map(({ id, nodes }) =>
      ({ id, elements: nodes.map(({ html }) => html.slice(0, 160)) })))`,
  )
}

const SETTLED_FRAMES_MAX = 1_000

/**
 * Two frames after the theme is shown and nothing moves: what fades in has other colours than it
 * will have; what turns for ever is not waited for. Pages without the attribute follow the system by
 * their style sheet alone.
 */
const settled = (theme: 'light' | 'dark'): string => `new Promise((done, fail) => {
  let frames = 0
  const look = () => {
    const shown = document.documentElement.dataset.mantineColorScheme ?? '${theme}'
    const moves = document.getAnimations().some(({ effect, playState }) =>
      playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
    frames++
    if (frames > 2 && shown === '${theme}' && !moves) done(null)
    else if (frames > ${SETTLED_FRAMES_MAX}) fail(new Error('${theme} is not shown, or something moves'))
    else requestAnimationFrame(look)
  }
  look()
})`
