/** What renames and widenings of a schema change would do: the lines of class `rewrites`. */
import { typeFromJson, typeText } from '#catalog/attribute-type.ts'
import type { AttributeChangeJson } from '#catalog/change-attributes.ts'
import { findEdgeType, findVertexType } from '#catalog/lookup.ts'
import { refusedAt, type StepPlace } from '#catalog/refused-step.ts'
import type { EdgeTypeChange, SchemaChange, VertexTypeChange } from '#catalog/schema-change.ts'
import type { Attribute, AttributeType, EdgeType, VertexType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { isWidening } from '#catalog/widening.ts'
import { lossError } from '#graph/conversions.ts'
import { isDbError } from '#kernel/errors.ts'
import {
  counted,
  type Impact,
  type ImpactOperation,
  type ImpactSource,
  indexesOn,
  jobsNaming,
  joins,
  nothing,
  queriesNaming,
  toldProblem,
} from './impact-parts.ts'
import { withoutValues } from './placed-loss.ts'

interface Migrations {
  readonly lines: readonly ImpactOperation[]
  /** Values that would be lost; null: there are none. */
  readonly problem: Impact['problem']
}

/** A type that is altered, with what its lines have in common. */
interface Altered {
  readonly source: ImpactSource
  readonly place: StepPlace
  readonly type: VertexType | EdgeType
  readonly base: Omit<ImpactOperation, 'class' | 'text' | 'detail'>
  /** The elements of the type, counted. */
  readonly rows: string
  readonly attributes: readonly Attribute[]
}

/** Of types that are there; the others are the business of `problem`. */
export async function migrationLines(
  source: ImpactSource,
  change: SchemaChange,
): Promise<Migrations> {
  const lines: ImpactOperation[] = []
  let problem: Impact['problem'] = null
  const altered = [
    ...change.alterVertexTypes.flatMap((one, index) => alteredVertex(source, one, index)),
    ...change.alterEdgeTypes.flatMap((one, index) => alteredEdge(source, one, index)),
  ]
  for (const { names, changes, ...of } of altered) {
    lines.push(...names, ...changes.flatMap((one) => renameOfAttribute(of, one)))
    for (const one of changes) {
      const retyped = await retypeLine(of, one)
      if (retyped === null) continue
      lines.push(retyped.line)
      problem ??= retyped.problem
    }
  }
  return { lines, problem }
}

interface Renamed extends Altered {
  /** Lines of the type's own names. */
  readonly names: readonly ImpactOperation[]
  readonly changes: readonly AttributeChangeJson[]
}

function alteredVertex(source: ImpactSource, one: VertexTypeChange, index: number): Renamed[] {
  const { name, newName = name, changeAttributes = [] } = one
  const type = findVertexType(source.catalog, source.graph, name)
  if (type === undefined) return []
  const operation = 'alterVertexTypes' as const
  const vertices = source.counts.vertices(type.id)
  const base = { ...nothing, operation, name, vertices }
  const rows = counted(vertices, 'vertex', 'vertices')
  const attributes = storedAttributes(type)
  const of = { source, place: { operation, index, name }, type, base, rows, attributes }
  const users = source.catalog.edgeTypes.filter((edge) => joins(edge, type))
  const line: ImpactOperation = {
    ...renameLine(of, 'rename', newName, [name]),
    edgeTypes: users.map((edge) => edge.name),
    indexes: type.indexes.map((index) => index.name),
    text: `Renames the vertex type ${name} to ${newName}; its ${rows} stay as they are.`,
  }
  return [{ ...of, names: newName === name ? [] : [line], changes: changeAttributes }]
}

function alteredEdge(source: ImpactSource, one: EdgeTypeChange, index: number): Renamed[] {
  const { name, newName = name, newReverseName, changeAttributes = [] } = one
  const type = findEdgeType(source.catalog, source.graph, name)?.type
  if (type === undefined) return []
  const operation = 'alterEdgeTypes' as const
  const edges = source.counts.edges(type.id)
  const base = { ...nothing, operation, name, edges }
  const rows = counted(edges, 'edge', 'edges')
  const { attributes, reverseName } = type
  const of = { source, place: { operation, index, name }, type, base, rows, attributes }
  const names: ImpactOperation[] = []
  if (newName !== name) {
    const text = `Renames the edge type ${name} to ${newName}; its ${rows} stay as they are.`
    names.push({ ...renameLine(of, 'rename', newName, [name]), text })
  }
  if (newReverseName !== undefined && reverseName !== null && newReverseName !== reverseName) {
    const text = `Renames ${reverseName}, the reverse edge of ${name}, to ${newReverseName}.`
    const line = renameLine(of, 'renameReverse', newReverseName, [reverseName])
    names.push({ ...line, detail: reverseName, text })
  }
  return [{ ...of, names, changes: changeAttributes }]
}

function renameLine(
  { source, base }: Altered,
  change: 'rename' | 'renameReverse',
  to: string,
  names: readonly string[],
): ImpactOperation {
  const queries = queriesNaming(source, names)
  const jobs = jobsNaming(source, names)
  return { ...base, class: 'rewrites', change, to, queries, jobs, text: '' }
}

function renameOfAttribute(
  { source, base, type, rows }: Altered,
  { name: detail, newName: to = detail }: AttributeChangeJson,
): ImpactOperation[] {
  if (to === detail) return []
  const { name } = base
  return [
    {
      ...base,
      detail,
      class: 'rewrites',
      change: 'rename',
      to,
      indexes: 'indexes' in type ? indexesOn(type, detail) : [],
      queries: queriesNaming(source, [name], detail),
      jobs: jobsNaming(source, [name], detail),
      text: `Renames ${name}.${detail} to ${to}; the values of ${rows} stay as they are.`,
    },
  ]
}

async function retypeLine(
  { source, place, base, type, rows, attributes }: Altered,
  { name: detail, AttributeType: json }: AttributeChangeJson,
): Promise<{ line: ImpactOperation; problem: Impact['problem'] } | null> {
  const from = attributes.find((one) => one.name === detail)
  const toType = json && readType(source, json)
  if (from === undefined || !toType) return null
  const { name } = base
  const [before, to] = [typeText(from.type), typeText(toType)]
  const line = { ...base, detail, change: 'retype' as const, to }
  if (before === to) {
    const text = `${name}.${detail} is ${to} already; nothing changes.`
    return { line: { ...line, class: 'safe', vertices: 0, edges: 0, text }, problem: null }
  }
  const rewritten: ImpactOperation = {
    ...line,
    class: 'rewrites',
    indexes: 'indexes' in type ? indexesOn(type, detail) : [],
    queries: queriesNaming(source, [name], detail),
    text: `Rewrites ${name}.${detail} from ${before} to ${to} on ${rows}.`,
  }
  if (!isWidening(from.type, toType)) return { line: rewritten, problem: null }
  const losses = await source.lossesOf({ typeId: type.id, attributeId: from.id }, toType)
  if (losses.count === 0) return { line: rewritten, problem: null }
  const { count, ids } = losses
  const conversion = { typeId: type.id, typeName: name, from, to: { ...from, type: toType } }
  const error = refusedAt(place, lossError(conversion, losses))
  const { tellsValues } = source
  return {
    line: { ...rewritten, unkept: { count, ids: tellsValues ? ids : [] } },
    problem: toldProblem(tellsValues ? error : withoutValues(error)),
  }
}

/** Null: there is no such type, which `problem` tells. */
function readType(
  source: ImpactSource,
  json: NonNullable<AttributeChangeJson['AttributeType']>,
): AttributeType | null {
  try {
    return typeFromJson(source.catalog, json)
  } catch (error) {
    if (isDbError(error)) return null
    throw error
  }
}
