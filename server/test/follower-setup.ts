/** Leaves out what looks at one server alone. */
import { basename } from 'node:path'
import { beforeEach } from 'vitest'
import { testsOfOneServer } from './fixtures/through-exceptions.ts'

beforeEach(({ task, skip }) => {
  const reason = testsOfOneServer[basename(task.file.filepath)]?.[task.name]
  if (reason !== undefined) skip(reason)
})
