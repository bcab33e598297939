/** docs/reference/options.md is what `--help` says; mended by `node server/tools/reference/options.ts`. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { optionNames } from '#cli/options.ts'
import { optionsFile, optionsReference } from '../../tools/reference/options-page.ts'

it('is what the help says', () => {
  const isSame = readFileSync(optionsFile, 'utf8') === optionsReference()
  expect(isSame, 'write it anew: node server/tools/reference/options.ts').toBe(true)
})

it('has a row for each option, with its variable', () => {
  const rows = [...optionsReference().matchAll(/^\| `--([a-z-]+)[^|]*\| ([^|]*) \| (.+) \|$/gm)]
  expect(rows.map(([, name]) => name).toSorted()).toEqual(optionNames.toSorted())
  const [, , variable] = rows.find(([, name]) => name === 'takeover-after') ?? []
  expect(variable).toBe('`QUIVER_TAKEOVER_AFTER`')
})
