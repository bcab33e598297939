/** Every menu and dialog that the flows of the pages do not look at already. */
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

type Name = string | RegExp

/** What is pressed one after the other; the last of it opens the overlay. */
const overlays: readonly (readonly [path: string, ways: readonly (readonly Name[])[]])[] = [
  [
    '/sample/schema?type=Account',
    [
      [/^Graph sample/],
      ['writes are free'],
      [/^User/],
      ['More for the schema'],
      ['More for the schema', 'Paste JSON'],
      ['More for the schema', 'Add global types'],
      ['More for the schema', 'Tuple types'],
      ['More for the schema', 'New graph'],
      ['Paste rows'],
      ['Arrange'],
      ['Export'],
    ],
  ],
  ['/sample/explorer', [['Scene']]],
  ['/sample/queries', [['Share'], ['Folder'], ['Drop']]],
  ['/access', [['New user'], [/^Set the password of/]]],
  ['/access?tab=roles', [['New role']]],
]

const shown = '[role="dialog"], [role="menu"]'

test('axe finds nothing in any menu or dialog in either theme', async ({
  page,
  sampled: server,
}) => {
  const view = consolePage(page, server.url)
  for (const [path, ways] of overlays) {
    await view.open(path)
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    for (const way of ways) {
      for (const name of way) await press(page, name)
      // What an item of a menu opens is a dialog; the menu is still on its way out then.
      const wanted = way.length > 1 ? page.getByRole('dialog') : page.locator(shown).first()
      await expect(wanted).toBeVisible()
      expect(await violations(page, shown), `${path}: ${way.join(', ')}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.locator(shown)).toHaveCount(0)
    }
  }
})

/** A button, or an item of the menu that is open. */
async function press(page: Page, name: Name): Promise<void> {
  const exact = typeof name === 'string'
  const item = page.getByRole('menuitem', { name, exact })
  await page.getByRole('button', { name, exact }).or(item).first().click()
}
