/**
 * Parameters as they arrive in a URL. A query value is a string, or an array of strings when its
 * key is repeated; these schemas read both, and callers may pass the plain JavaScript value.
 */
import { z } from 'zod'

/** The last of repeated keys counts where one value is wanted. */
const single = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value)

/** `true` and `false` in any letter case, `1` and `0` (clients send `True`). */
export const queryBoolean = z
  .union([z.boolean(), z.number(), z.string(), z.array(z.string())])
  .transform((value, context) => {
    const text = String(single(value)).toLowerCase()
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0' || text === '') return false
    context.addIssue({ code: 'custom', message: 'must be true or false' })
    return z.NEVER
  })
  .meta({ restpp: 'BOOL' })

export const queryString = z
  .union([z.string(), z.array(z.string())], {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a text'),
  })
  .transform((value) => (Array.isArray(value) ? (value.at(-1) ?? '') : value))
  .meta({ restpp: 'STRING' })

/** A whole number between the bounds, both inclusive. */
export function queryInteger(min: number, max: number) {
  return z
    .union([z.number(), z.string(), z.array(z.string())])
    .transform((value, context) => {
      const text = String(single(value)).trim()
      const digits = /^[+-]?\d{1,20}$/.test(text) ? Number(text) : Number.NaN
      // Clients write the largest UINT64 for "no limit".
      const number = max === Number.MAX_SAFE_INTEGER ? Math.min(digits, max) : digits
      if (number >= min && number <= max) return number
      context.addIssue({ code: 'custom', message: `must be an integer from ${min} to ${max}` })
      return z.NEVER
    })
    .meta({ restpp: integerName(min, max), min, max })
}

function integerName(min: number, max: number): string {
  if (min < 0) return 'INT32'
  return max > 2 ** 32 ? 'UINT64' : 'UINT32'
}

/** Several values: a comma list, repeated keys, or both. Blanks around values are dropped. */
export const queryList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    (Array.isArray(value) ? value : [value])
      .flatMap((part) => part.split(','))
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .meta({ restpp: 'STRING', max_count: 2147483647 })

/** A name in a path or body: only its length is checked here, the catalogue knows the rest. */
export const name = z.string().min(1).max(2_560)

/** A graph name given as `?graph=`; absent or empty means the global scope. */
export const graphQuery = queryString.optional().transform((value) => (value ? value : undefined))

/** Query parameters passed on as they came, for endpoints that read them themselves. */
export const anyQuery = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
