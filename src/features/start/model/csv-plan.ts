/** A graph of one vertex type, as the columns of a CSV file suggest it. */
import type { ColumnType } from '#lib/csv/column-type.ts'
import type { CsvColumn, CsvShape } from '#lib/csv/csv-sniff.ts'
import { identifierProblem, toIdentifier } from '#lib/graph-schema/identifier.ts'
import type { AttributeJson, SchemaJson } from '#lib/graph-schema/wire-form.ts'

export const columnTypes: readonly ColumnType[] = ['STRING', 'INT', 'DOUBLE', 'BOOL', 'DATETIME']
/** Types that an id of one text may have. */
const idTypes: readonly ColumnType[] = ['STRING', 'INT']

export interface PlannedColumn {
  readonly attribute: string
  readonly type: ColumnType
  readonly isKept: boolean
}

export interface CsvPlan {
  readonly graph: string
  readonly typeName: string
  /** Place of the column whose values are the ids. */
  readonly idColumn: number
  /** In the order of the file. */
  readonly columns: readonly PlannedColumn[]
}

/** Field names of a plan; columns by their place. */
export type PlanField = 'graph' | 'typeName' | number

export function planFor(fileName: string, shape: CsvShape): CsvPlan {
  const stem = toIdentifier(fileName.replace(/\.[^.]*$/, '')) || 'data'
  return {
    graph: stem.toLowerCase(),
    typeName: toIdentifier(singular(capitalised(stem))),
    idColumn: guessId(shape),
    columns: shape.columns.map((column, place) => ({
      attribute: toIdentifier(column.name) || `column_${place + 1}`,
      type: column.type,
      isKept: true,
    })),
  }
}

function guessId(shape: CsvShape): number {
  const unique = shape.columns.map((_, place) => repeatedIds(shape, place) === 0)
  const isNamed = ({ name }: CsvColumn) => /(^|[\W_])(id|key|code|uuid)$/i.test(name)
  const named = shape.columns.findIndex((column, place) => unique[place] && isNamed(column))
  if (named >= 0) return named
  return Math.max(0, unique.indexOf(true))
}

/** How many rows of the sample have an id that is empty or that a row before them has. */
export function repeatedIds(shape: CsvShape, column: number): number {
  const ids = shape.rows.map((row) => (row[column] ?? '').trim())
  return ids.length - new Set(ids.filter((id) => id !== '')).size
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One row is one of them: `Customers` holds a `Customer`, `Cities` a `City`. */
function singular(text: string): string {
  if (/[^aeiou]ies$/i.test(text)) return text.replace(/ies$/i, 'y')
  return /[^su]s$/i.test(text) && text.length > 3 ? text.slice(0, -1) : text
}

/** What keeps the plan from being carried out, by field; empty when nothing does. */
export function planProblems(
  plan: CsvPlan,
  takenGraphs: readonly string[],
): ReadonlyMap<PlanField, string> {
  const problems = new Map<PlanField, string>()
  const note = (field: PlanField, problem: string | null) => {
    if (problem !== null) problems.set(field, problem)
  }
  note('graph', identifierProblem(plan.graph))
  if (takenGraphs.includes(plan.graph)) note('graph', `There is a graph ${plan.graph} already.`)
  note('typeName', identifierProblem(plan.typeName))
  const names = new Set<string>()
  for (const [place, { attribute, isKept }] of plan.columns.entries()) {
    if (!isKept && place !== plan.idColumn) continue
    note(place, identifierProblem(attribute))
    if (names.has(attribute)) note(place, `Another column is ${attribute}, too.`)
    names.add(attribute)
  }
  return problems
}

/** An id is text unless its column holds nothing but whole numbers. */
export function idTypeOf({ type }: PlannedColumn): ColumnType {
  return idTypes.includes(type) ? type : 'STRING'
}

/** What each column feeds, by name; null: nothing. */
export function targetsOf({ idColumn, columns }: CsvPlan): readonly (string | null)[] {
  return columns.map(({ attribute, isKept }, place) =>
    isKept || place === idColumn ? attribute : null,
  )
}

export function schemaOf({ typeName, idColumn, columns }: CsvPlan): SchemaJson {
  const id = columns[idColumn] as PlannedColumn
  const attributes = columns.filter(({ isKept }, place) => isKept && place !== idColumn)
  const vertex = {
    Name: typeName,
    PrimaryId: { ...attributeOf(id, idTypeOf(id)), PrimaryIdAsAttribute: true },
    Attributes: attributes.map((column) => attributeOf(column, column.type)),
    Config: { PRIMARY_ID_AS_ATTRIBUTE: true },
    IsLocal: true,
  }
  return { VertexTypes: [vertex], EdgeTypes: [] }
}

const attributeOf = ({ attribute }: PlannedColumn, type: ColumnType): AttributeJson => ({
  AttributeName: attribute,
  AttributeType: { Name: type },
})
