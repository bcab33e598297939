/** The lines in which the impact of a schema change is told, and what several kinds of them need. */
import { placeOf, type StepPlace } from '#catalog/refused-step.ts'
import type { SchemaChange } from '#catalog/schema-change.ts'
import type { AttributeType, Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import type { Losses } from '#graph/conversions.ts'
import type { DbError } from '#kernel/errors.ts'
import type { QueryUsers } from './schema-users.ts'

/** Live elements by type id. */
export interface ElementCounts {
  vertices(typeId: number): number
  edges(typeId: number): number
}

export type ImpactClass = 'safe' | 'rewrites' | 'destroys'

/** Live elements whose values a conversion would lose. */
export interface Unkept {
  readonly count: number
  /** Of the first of them. */
  readonly ids: readonly string[]
}

export interface ImpactOperation {
  readonly operation: keyof SchemaChange
  readonly name: string
  readonly detail?: string
  readonly class: ImpactClass
  readonly vertices: number
  readonly edges: number
  readonly edgeTypes: readonly string[]
  readonly indexes: readonly string[]
  readonly queries: readonly string[]
  readonly text: string
  readonly change?: 'rename' | 'renameReverse' | 'retype'
  /** The new name, or the new type as text. */
  readonly to?: string
  /** Loading jobs whose text names what is changed. */
  readonly jobs?: readonly string[]
  readonly unkept?: Unkept
}

export interface Impact {
  readonly problem: {
    readonly code: string
    readonly message: string
    readonly place: StepPlace | null
  } | null
  readonly operations: readonly ImpactOperation[]
  readonly destroyedVertices: number
  readonly destroyedEdges: number
}

/** What the impact must know of jobs. */
export interface JobTexts {
  of(graph: string): readonly {
    readonly name: string
    readonly kind: string
    readonly text: string
  }[]
}

export interface AttributePlace {
  readonly typeId: number
  readonly attributeId: number
}

export interface ImpactSource {
  readonly catalog: Catalog
  readonly graph: string | null
  readonly counts: ElementCounts
  readonly queries: QueryUsers
  readonly jobs: JobTexts
  /** The caller may read the data: values and ids that stand in the way are named. */
  readonly tellsValues: boolean
  /** Looks through the values of an attribute, which may take a while. */
  lossesOf(place: AttributePlace, to: AttributeType): Promise<Losses>
}

export const nothing = { vertices: 0, edges: 0, edgeTypes: [], indexes: [], queries: [] }

export function toldProblem(error: DbError): NonNullable<Impact['problem']> {
  return { code: error.code, message: error.message, place: placeOf(error) }
}

export function joins(edge: EdgeType, type: VertexType): boolean {
  return edge.pairs.some(
    ({ fromTypeId, toTypeId }) => fromTypeId === type.id || toTypeId === type.id,
  )
}

export function indexesOn(type: VertexType, attributeName: string): readonly string[] {
  const attribute = type.attributes.find((one) => one.name === attributeName)
  return type.indexes.filter((one) => one.attributeId === attribute?.id).map((one) => one.name)
}

/** Queries whose text names one of the types, and the attribute when one is given. */
export function queriesNaming(
  source: ImpactSource,
  typeNames: readonly string[],
  attribute?: string,
): readonly string[] {
  return textsNaming(source, (graph) => source.queries.textsOf(graph), [typeNames, attribute])
}

/** As `queriesNaming`, of loading jobs. */
export function jobsNaming(
  source: ImpactSource,
  typeNames: readonly string[],
  attribute?: string,
): readonly string[] {
  const textsOf = (graph: string) => source.jobs.of(graph).filter(({ kind }) => kind === 'loading')
  return textsNaming(source, textsOf, [typeNames, attribute])
}

interface NamedText {
  readonly name: string
  readonly text: string
}

function textsNaming(
  source: ImpactSource,
  textsOf: (graph: string) => readonly NamedText[],
  [typeNames, attribute]: readonly [readonly string[], string | undefined],
): readonly string[] {
  const graphs =
    source.graph === null ? source.catalog.graphs.map((one) => one.name) : [source.graph]
  const word = (name: string) => new RegExp(`\\b${name}\\b`)
  return graphs
    .flatMap(textsOf)
    .filter(({ text }) => typeNames.some((name) => word(name).test(text)))
    .filter(({ text }) => attribute === undefined || word(attribute).test(text))
    .map(({ name }) => name)
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
