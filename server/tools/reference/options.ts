/** Writes docs/reference/options.md anew: `node server/tools/reference/options.ts`. */
import { writeFileSync } from 'node:fs'
import { optionsFile, optionsReference } from './options-page.ts'

writeFileSync(optionsFile, optionsReference())
