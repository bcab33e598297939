/**
 * Built-in functions (docs/reference/gsql/functions.md). Numbers come and go as doubles; the generator converts
 * INT arguments and brings the result to its declared type. STRING values are codes.
 */
import { DbError } from '#kernel/errors.ts'
import { dateFunctions } from './dates.ts'
import { failureFunctions } from './failures.ts'
import { mathFunctions } from './math.ts'
import { numberTextFunctions } from './number-texts.ts'
import { stringFunctions } from './strings.ts'

/** What functions need besides their arguments. */
export interface FunctionContext {
  text(code: number): string
  intern(text: string): number
  /** Fails when a text of so many characters would go over the query's memory. */
  reserve(length: number): void
  /** The same for an array of so many characters. */
  reserveCharacters(length: number): void
  /** Epoch seconds when the query started: `now()` is one moment for the whole query. */
  readonly nowSeconds: number
  /** In [0, 1); deterministic for a request. */
  random(): number
}

export type FunctionValue = number | boolean | bigint
export type BuiltIn = (...args: readonly FunctionValue[]) => FunctionValue

/** The function of a (lower-case) name. */
export function builtIns(context: FunctionContext): ReadonlyMap<string, BuiltIn> {
  return new Map<string, BuiltIn>([
    ...mathFunctions(context),
    ...stringFunctions(context),
    ...numberTextFunctions(context),
    ...dateFunctions(context),
    ...failureFunctions(context),
  ])
}

export function unknownFunction(name: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: function ${name} is not available.`, {
    details: { code: 'GSQL-8001' },
  })
}
