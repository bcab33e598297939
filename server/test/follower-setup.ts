/** Leaves out what looks at one server alone, or into a store in memory where there is none. */
import { basename } from 'node:path'
import process from 'node:process'
import { beforeEach } from 'vitest'
import { testsOfMemory, testsOfOneServer } from './fixtures/through-exceptions.ts'

const isPostgres = process.env['QUIVER_TEST_THROUGH'] === 'postgres'

beforeEach(({ task, skip }) => {
  const file = basename(task.file.filepath)
  const ofMemory = isPostgres ? testsOfMemory[file]?.[task.name] : undefined
  const reason = testsOfOneServer[file]?.[task.name] ?? ofMemory
  if (reason !== undefined) skip(reason)
})
