/** The type table of the home page: counts now, and how they moved within the last minute. */
import { findEdge, findVertex, type SchemaModel } from '#lib/graph-schema/schema-model.ts'

export interface CountedTypes {
  readonly vertices: readonly { readonly type: string; readonly count: number }[]
  readonly edges: readonly { readonly type: string; readonly count: number }[]
}

export interface TypeRow {
  readonly name: string
  readonly kind: 'vertex' | 'edge'
  readonly count: number
  /** Difference to the oldest observation of the last minute. */
  readonly change: number
  /** The counts observed, oldest first. */
  readonly trend: readonly number[]
  /** Their names; absent until the schema is read. */
  readonly attributes?: readonly string[] | undefined
  /** Names of the attributes that have a secondary index; edges have none. */
  readonly indexed?: readonly string[] | undefined
}

interface Observation {
  readonly at: number
  readonly counts: ReadonlyMap<string, number>
}

export type Observations = readonly Observation[]

const WINDOW_MS = 60_000

const keyOf = (kind: TypeRow['kind'], name: string): string => `${kind}:${name}`

const typesOf = (counted: CountedTypes) => [
  ...counted.vertices.map(({ type, count }) => ({ kind: 'vertex' as const, name: type, count })),
  ...counted.edges.map(({ type, count }) => ({ kind: 'edge' as const, name: type, count })),
]

/** Adds what was just read, and forgets what is older than the window. */
export function observe(past: Observations, counted: CountedTypes, at: number): Observations {
  const counts = new Map(
    typesOf(counted).map(({ kind, name, count }) => [keyOf(kind, name), count]),
  )
  return [...past.filter((entry) => at - entry.at <= WINDOW_MS), { at, counts }]
}

export function typeRows(
  counted: CountedTypes,
  past: Observations,
  schema?: SchemaModel,
): readonly TypeRow[] {
  return typesOf(counted).map(({ kind, name, count }) => {
    const key = keyOf(kind, name)
    const trend = past.flatMap(({ counts }) => counts.get(key) ?? [])
    return {
      kind,
      name,
      count,
      change: count - (trend[0] ?? count),
      trend,
      ...partsOf(schema, kind, name),
    }
  })
}

function partsOf(schema: SchemaModel | undefined, kind: TypeRow['kind'], name: string) {
  if (schema === undefined) return {}
  const vertex = kind === 'vertex' ? findVertex(schema, name) : undefined
  const attributes = (vertex ?? findEdge(schema, name))?.attributes.map((one) => one.name)
  return { attributes, indexed: vertex?.indexes.map(({ attribute }) => attribute) }
}

export const totalCount = (rows: readonly TypeRow[], kind: TypeRow['kind']): number =>
  rows.reduce((sum, row) => (row.kind === kind ? sum + row.count : sum), 0)
