import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** One line per violation; no rule is switched off. */
export async function violations(page: Page): Promise<readonly string[]> {
  // What passes is only counted: to describe each element of it takes most of the time.
  const results = await new AxeBuilder({ page })
    .options({ runOnly: tags, resultTypes: ['violations'] })
    .analyze()
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}
