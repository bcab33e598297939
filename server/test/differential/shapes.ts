/** Every shape by its name. */
import type { Shape } from './hops.ts'
import * as cypher from './shapes-cypher.ts'
import * as patterns from './shapes-patterns.ts'
import * as rest from './shapes-rest.ts'
import * as values from './shapes-values.ts'

export const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({ ...patterns, ...values, ...cypher, ...rest }),
)
