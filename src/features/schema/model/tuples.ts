/** Tuple types: a name and fields, each written `name TYPE`, strings and integers with a length. */
import { scalarTypes } from '#lib/graph-schema/attribute-type.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'

export interface TupleField {
  readonly name: string
  /** As the server reads it: `STRING(40)`, `INT`. */
  readonly type: string
}

export type TupleReading =
  | { readonly ok: true; readonly fields: readonly TupleField[] }
  | { readonly ok: false; readonly problems: readonly string[] }

const FIELDS_MAX = 100
const INTEGER_SIZES_BYTES = [1, 2, 4, 8]
const STRING_LENGTH_MAX = 65_535

/** Fields stand on lines of their own or between commas. */
export function readTupleFields(text: string): TupleReading {
  const rows = text
    .split(/[\n,]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
  if (rows.length === 0) return { ok: false, problems: [] }
  if (rows.length > FIELDS_MAX) return { ok: false, problems: [`At most ${FIELDS_MAX} fields.`] }
  const fields: TupleField[] = []
  const problems: string[] = []
  for (const row of rows) {
    const [, name = '', type = '', length] =
      /^(\S+)\s+([a-z]+)\s*(?:\(\s*(\d+)\s*\))?$/i.exec(row) ?? []
    const problem =
      name === ''
        ? 'write a name and a type, such as: street STRING(40)'
        : (identifierProblem(name) ?? typeProblem(type.toUpperCase(), length) ?? twin(fields, name))
    if (problem !== null) problems.push(`${row}: ${problem}`)
    else
      fields.push({ name, type: type.toUpperCase() + (length === undefined ? '' : `(${length})`) })
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, fields }
}

function twin(fields: readonly TupleField[], name: string): string | null {
  return fields.some((field) => field.name === name) ? `${name} is there already.` : null
}

function typeProblem(type: string, lengthText: string | undefined): string | null {
  if (!(scalarTypes as readonly string[]).includes(type)) {
    return `a field is ${scalarTypes.join(', ')}.`
  }
  if (lengthText === undefined) return null
  const length = Number(lengthText)
  if (type === 'INT' || type === 'UINT') {
    return INTEGER_SIZES_BYTES.includes(length) ? null : 'an integer has 1, 2, 4 or 8 bytes.'
  }
  if (type !== 'STRING') return `${type} takes no length.`
  return length >= 1 && length <= STRING_LENGTH_MAX
    ? null
    : `a length is 1 to ${STRING_LENGTH_MAX}.`
}
