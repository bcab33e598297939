/**
 * Bodies like `name=j&dryrun=True`, which one client sends to the run of a loading job (contract
 * 3.10); no other endpoint takes them. Of objects inside only the names of their members arrive:
 * sources in that shape are left out, and the job reads the files of its definition.
 */
import { DbError } from '#kernel/errors.ts'
import { FORM_FIELDS_MAX, FORM_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { firstText } from './text-start.ts'

const FORM = /^\s*[\w.%+-]+=/

export function isForm(bytes: Uint8Array): boolean {
  const start = firstText(bytes, FORM_SIZE_BYTES_MAX)
  return FORM.test(Buffer.from(bytes.subarray(start, start + HEAD_BYTES)).toString('latin1'))
}

/** Enough for the longest name of a field. */
const HEAD_BYTES = 256

/** @throws DbError BODY_TOO_LARGE, or INVALID_PARAMETER for more than FORM_FIELDS_MAX fields */
export function parseForm(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length > FORM_SIZE_BYTES_MAX) {
    const text = `A form has at most ${FORM_SIZE_BYTES_MAX} bytes.`
    throw new DbError('BODY_TOO_LARGE', text)
  }
  checkFieldCount(bytes)
  const fields = new Map<string, unknown[]>()
  // One pass: looking up each name again would take time with the square of their number.
  for (const [key, text] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    const values = fields.get(key)
    if (values === undefined) fields.set(key, [readValue(text)])
    else values.push(readValue(text))
  }
  const read = Array.from(fields, ([key, values]) => {
    return [key, values.length === 1 ? values[0] : values] as const
  })
  return Object.fromEntries(read.filter(([key, value]) => key !== 'dataSources' || isNested(value)))
}

/** Counted before they are read: each value that is no JSON costs an exception. */
function checkFieldCount(bytes: Uint8Array): void {
  let count = 1
  for (const byte of bytes) if (byte === AMPERSAND) count++
  if (count <= FORM_FIELDS_MAX) return
  throw new DbError('INVALID_PARAMETER', `A form has at most ${FORM_FIELDS_MAX} fields.`)
}

const AMPERSAND = 0x26

function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNested)
  return typeof value === 'object' && value !== null
}

/** JSON where it is some; `True` and `False` of Python; else the text. */
function readValue(text: string): unknown {
  const source = text === 'True' || text === 'False' ? text.toLowerCase() : text
  try {
    return JSON.parse(source)
  } catch {
    return text
  }
}
