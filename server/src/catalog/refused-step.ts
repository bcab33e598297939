/** Where in a change of several parts a refusal comes from: `errors` beside the message. */
import { DbError, isDbError } from '#kernel/errors.ts'

export interface StepPlace {
  /** The key of the request, such as `alterVertexTypes`. */
  readonly operation: string
  /** Position under that key, from zero. */
  readonly index: number
  /** The type that the part is about; of `graphs` the graph. */
  readonly name: string
  /** The attribute, index, vector or pair, where one is at fault. */
  readonly detail?: string
}

/** @throws what `step` throws; a refusal names the place, with the `detail` of its own details */
export function placed<T>(place: StepPlace, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw isDbError(error) ? refusedAt(place, error) : error
  }
}

/** A refusal with its place, also among the fields of the answer. */
export function refusedAt(place: StepPlace, error: DbError): DbError {
  const { code, message, details } = error
  const { detail } = details
  const found = typeof detail === 'string' ? { ...place, detail } : place
  const fields = { ...(details['fields'] as object | undefined), errors: [{ ...found, message }] }
  return new DbError(code, message, { details: { ...details, place: found, fields }, cause: error })
}

/** Null where a refusal is about the whole. */
export function placeOf({ details }: DbError): StepPlace | null {
  return (details['place'] as StepPlace | undefined) ?? null
}
