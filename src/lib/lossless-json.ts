/**
 * JSON that keeps 64-bit integers: a number whose digits a double cannot hold becomes a bigint.
 *
 * The reviver's third argument holds the literal as it stood in the text (`context.source`), so
 * 708663653625634816 survives the trip through the page and back.
 */
const integerLiteral = /^-?\d+$/

interface ReviverContext {
  readonly source?: string
}

/** 2^53 has sixteen digits: a text without so many in a row needs no reviver, which is slow. */
const longDigits = /\d{16}/

export function parseLossless(text: string): unknown {
  if (!longDigits.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: ReviverContext) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source
    return source !== undefined && integerLiteral.test(source) ? BigInt(source) : value
  })
}

type RawJson = (text: string) => unknown
const rawJson = (JSON as { rawJSON?: RawJson }).rawJSON

/** The inverse: bigints are written as plain numbers. */
export function stringifyLossless(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, entry: unknown) => {
      if (typeof entry !== 'bigint') return entry
      return rawJson === undefined ? Number(entry) : rawJson(entry.toString())
    },
    indent,
  )
}
