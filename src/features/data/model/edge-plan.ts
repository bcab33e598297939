/** An edge type for the rows of a file, as its columns suggest it: its ends, and attributes of the rest. */
import type { CsvColumn } from '#lib/csv/csv-sniff.ts'
import { identifierProblem, toIdentifier } from '#lib/graph-schema/identifier.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { type EdgeTypeJson, readEdge } from '#lib/graph-schema/wire-form.ts'
import { columnsOf, guessMapping, type IdColumn, type Mapping } from './mapping.ts'

export interface EdgePlan {
  readonly name: string
  readonly directed: boolean
  readonly from: string
  readonly to: string
  /** Places of the columns that hold the ids of the ends. */
  readonly sourceColumn: number
  readonly targetColumn: number
}

type Columns = readonly Pick<CsvColumn, 'name' | 'type'>[]

export function planEdges(schema: SchemaModel, fileName: string, columns: Columns): EdgePlan {
  const typeOf = ({ name }: Columns[number]) =>
    schema.vertices.find((vertex) => plain(name).includes(plain(vertex.name)))?.name
  const find = (words: RegExp, taken: number) => {
    const isFree = (place: number) => place !== taken
    const named = columns.findIndex(({ name }, place) => isFree(place) && words.test(name))
    if (named >= 0) return named
    const typed = columns.findIndex((one, place) => isFree(place) && typeOf(one) !== undefined)
    return typed >= 0 ? typed : columns.findIndex((_, place) => isFree(place))
  }
  const sourceColumn = find(/^(from|source|src|start)/i, -1)
  const targetColumn = find(/^(to|target|dst|end)(?![a-z])/i, sourceColumn)
  const [first = ''] = schema.vertices.map(({ name }) => name)
  const typeAt = (place: number) => {
    const column = columns[place]
    return column === undefined ? undefined : typeOf(column)
  }
  return {
    name: toIdentifier(fileName.replace(/\.[^.]*$/, '')) || 'connects',
    directed: true,
    from: typeAt(sourceColumn) ?? typeAt(targetColumn) ?? first,
    to: typeAt(targetColumn) ?? typeAt(sourceColumn) ?? first,
    ...{ sourceColumn, targetColumn },
  }
}

/** Whether the rows fill so little of a vertex type that they may be edges. */
export function mayBeEdges(mapping: Mapping, columns: Columns): boolean {
  const used = new Set(columnsOf(mapping)).size
  return mapping.kind === 'vertex' && columns.length > 1 && columns.length - used > used
}

/** What keeps it from being made, or null. */
export function edgePlanProblem(schema: SchemaModel, plan: EdgePlan): string | null {
  const isTaken = [...schema.vertices, ...schema.edges].some(({ name }) => name === plan.name)
  if (isTaken) return `There is a type ${plan.name} already.`
  return identifierProblem(plan.name)
}

/** The attributes of the other columns: their names are those of the file, as far as names may be. */
export function edgeTypeOf(plan: EdgePlan, columns: Columns): EdgeTypeJson {
  const names = new Set<string>()
  const attributes = columns.flatMap(({ name, type }, place) => {
    if (place === plan.sourceColumn || place === plan.targetColumn) return []
    const wanted = toIdentifier(name) || `column_${place + 1}`
    const attribute = names.has(wanted) ? `${wanted}_${place + 1}` : wanted
    names.add(attribute)
    return [{ AttributeName: attribute, AttributeType: { Name: type } }]
  })
  return {
    Name: plan.name,
    IsDirected: plan.directed,
    FromVertexTypeName: plan.from,
    ToVertexTypeName: plan.to,
    Attributes: attributes,
    IsLocal: true,
  }
}

/** Its columns: those that were chosen for the ends, and each attribute's own. */
export function edgePlanMapping(schema: SchemaModel, plan: EdgePlan, columns: Columns): Mapping {
  const type = readEdge(edgeTypeOf(plan, columns))
  const names = columns.map(({ name }) => name)
  const mapping = guessMapping(schema, type, names)
  if (mapping.kind !== 'edge') return mapping
  const rest = names.flatMap((_, place) =>
    place === plan.sourceColumn || place === plan.targetColumn ? [] : place,
  )
  return {
    ...mapping,
    source: ofColumn(mapping.source, plan.sourceColumn),
    target: ofColumn(mapping.target, plan.targetColumn),
    attributes: mapping.attributes.map((one, at) => ({ ...one, column: rest[at] ?? null })),
  }
}

/** A composite key has several columns: they stay as they were guessed. */
function ofColumn(id: readonly IdColumn[], column: number): readonly IdColumn[] {
  return id.length === 1 ? id.map((member) => ({ ...member, column })) : id
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}
