/** An answer over the limit of its request, in the words of docs/reference/rest.md. */
import { DbError } from './errors.ts'

/** @param sizeBytes of the answer, or of the part of it that was made */
export function responseTooLarge(sizeBytes: number, limitBytes: number): DbError {
  const text = `The query response size is ${megabytes(sizeBytes)}MB, which exceeds limit ${megabytes(limitBytes)}MB.`
  return new DbError('RESPONSE_TOO_LARGE', text, { details: { results: [] } })
}

/** Whole ones upwards; below, enough digits to tell two sizes apart. */
function megabytes(bytes: number): string {
  const exact = bytes / 2 ** 20
  return String(exact >= 1 ? Math.ceil(exact) : Number(exact.toPrecision(3)))
}
