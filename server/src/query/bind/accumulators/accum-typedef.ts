/** The text of an accumulator type that the catalogue keeps, read as a TYPEDEF of a query. */
import { DbError } from '#kernel/errors.ts'
import type { TypeSyntax } from '#query/syntax/ast.ts'
import { parse } from '#query/syntax/parse/parse.ts'
import { LineTable, type SourcePlace } from '#query/syntax/source.ts'

export interface AccumTypedefSyntax {
  readonly name: string
  readonly type: TypeSyntax
}

const KEPT_MAX = 1_000
const known = new Map<string, AccumTypedefSyntax>()

/** @throws DbError QUERY_INVALID for anything but one TYPEDEF of an accumulator */
export function accumTypedefSyntax(text: string): AccumTypedefSyntax {
  const found = known.get(text)
  if (found !== undefined) return found
  const query = queryOf(text)
  const { script, problems } = parse(query)
  const [problem] = problems
  if (problem !== undefined) {
    const { line, column } = placeInTypedef(new LineTable(query).placeOf(problem.range.start))
    throw invalid(text, `line ${line}, col ${column}: ${problem.message}`)
  }
  const [first, ...others] = script.queries
  const [statement, ...more] = first?.body ?? []
  if (statement?.kind !== 'typedef' || others.length > 0 || more.length > 0) {
    throw invalid(text, 'it must be one TYPEDEF and nothing else')
  }
  if (statement.type.kind !== 'accumType') {
    throw invalid(text, 'it does not name an accumulator type')
  }
  if (!hasPlainCapacities(statement.type)) {
    throw invalid(text, 'the capacity of a HeapAccum of the catalogue is a number')
  }
  const syntax = { name: statement.name.name, type: statement.type }
  if (known.size >= KEPT_MAX) known.clear()
  known.set(text, syntax)
  return syntax
}

/** A query that declares the type and does nothing. */
export function queryOf(text: string): string {
  return `CREATE QUERY declares() {\n${text.trim().replace(/;$/, '')};\n}`
}

/** Of a place in `queryOf`. */
export function placeInTypedef({ line, column }: SourcePlace): SourcePlace {
  return { line: line - 1, column }
}

/** There is no query around it whose parameters could be meant. */
function hasPlainCapacities(type: TypeSyntax): boolean {
  if (type.kind !== 'accumType') return true
  const capacity = type.heap?.capacity ?? null
  if (capacity !== null && capacity.kind !== 'int') return false
  return type.arguments.every((argument) => hasPlainCapacities(argument.type))
}

function invalid(text: string, why: string): DbError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new DbError('QUERY_INVALID', `'${shown}' cannot be an accumulator type: ${why}.`)
}
