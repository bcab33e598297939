/** Writes docs/reference/rest.md anew: `node server/tools/reference/rest.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { restFile, restReference } from './rest-page.ts'

mkdirSync(new URL('.', restFile), { recursive: true })
writeFileSync(restFile, await restReference())
