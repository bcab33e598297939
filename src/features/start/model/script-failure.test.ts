import { expect, it } from 'vitest'
import { tellsFailure } from './script-failure.ts'

it.each([
  'Semantic Check Fails: The type STRNG is not a valid attribute type; it does not exist.\nFailed to create vertex types: [P].\n',
  'Successfully created vertex types: [Q].\nSemantic Check Fails: The vertex type Qq does not exist.\n',
  'Encountered "hello" at line 1, column 1.\nSyntax Error: line 1:1 mismatched input\n',
  "Graph 'nope' does not exist.\n",
  'The user ann does not have the privilege WRITE_SCHEMA.\n',
])('a script that failed says so: %j', (output) => {
  expect(tellsFailure(output)).toBe(true)
})

it.each(['', 'Successfully created vertex types: [P].\n', 'Graphs:\nJobs:\n'])(
  'a script that did not fail does not: %j',
  (output) => {
    expect(tellsFailure(output)).toBe(false)
  },
)
