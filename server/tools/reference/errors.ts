/** Writes docs/reference/errors.md anew: `node server/tools/reference/errors.ts`. */
import { writeFileSync } from 'node:fs'
import { errorsFile, errorsReference } from './errors-page.ts'

writeFileSync(errorsFile, errorsReference())
