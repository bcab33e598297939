/** Functions of openCypher that are not available, with what may be used instead. */
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'

const OF_DATETIME = 'use to_datetime and the other functions of DATETIME'
const OF_PATHS = 'name the nodes and relationships of the pattern'
const OF_SCHEMA = 'the schema says what properties a type has'

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['keys', OF_SCHEMA],
  ['properties', OF_SCHEMA],
  ['exists', 'use IS NOT NULL'],
  ['elementid', 'use the primary id, or id(…)'],
  ['startnode', OF_PATHS],
  ['endnode', OF_PATHS],
  ['nodes', OF_PATHS],
  ['relationships', OF_PATHS],
  ['date', OF_DATETIME],
  ['datetime', OF_DATETIME],
  ['localdatetime', OF_DATETIME],
  ['time', OF_DATETIME],
  ['localtime', OF_DATETIME],
  ['duration', OF_DATETIME],
  ['toboolean', 'use CASE'],
  ['percentiledisc', 'use percentileCont'],
])

/** @throws BindFailure when the function is one of these */
export function refuseAbsent(binder: Binder, { name }: CallSyntax): void {
  const instead = INSTEAD.get(name.name.toLowerCase())
  if (instead === undefined) return
  const message = `${name.name}(…) is not available in openCypher queries; ${instead}`
  binder.fail(diagnosticCodes.undefinedFunction, name.range, message)
}
