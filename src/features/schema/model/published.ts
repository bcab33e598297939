/** What a draft keeps of what is published, whatever it calls it by now. */
import { widenedTypes } from '#lib/graph-schema/attribute-type.ts'
import type {
  AttributeModel,
  EdgeModel,
  Renamable,
  SchemaModel,
  TypeModel,
  VectorModel,
  VertexModel,
} from '#lib/graph-schema/schema-model.ts'

export const publishedName = ({ name, publishedAs }: Omit<Renamable, 'isNew'>): string =>
  publishedAs ?? name

export const publishedTypeOf = ({ type, publishedType }: AttributeModel): string =>
  publishedType ?? type

export function keepsValues(attribute: AttributeModel, to: string): boolean {
  const published = publishedTypeOf(attribute)
  return to === published || widenedTypes(published).includes(to)
}

/** The part under another name; back under its first one it is no longer renamed. */
export function withName<T extends Renamable>(part: T, name: string): T {
  const { publishedAs: _, ...rest } = part
  const published = publishedName(part)
  const isRenamed = !part.isNew && name !== published
  return { ...rest, name, ...(isRenamed && { publishedAs: published }) } as T
}

export const vectorsOf = ({ vectors = [] }: VertexModel): readonly VectorModel[] => vectors

/** Names of the id and of vectors, which keep all else: as published, then as in the draft. */
export function renamesBeside(type: TypeModel): readonly (readonly [string, string])[] {
  if (type.kind === 'edge') return []
  const { names, publishedAs } = type.primaryId
  return [{ name: names[0] ?? '', publishedAs }, ...vectorsOf(type)].flatMap((one) =>
    one.publishedAs === undefined ? [] : [[one.publishedAs, one.name] as const],
  )
}

/** An attribute whose values begin anew. */
export function newAttributeLike(attribute: AttributeModel): AttributeModel {
  const { publishedAs: _, publishedType: __, replaces: ___, ...rest } = attribute
  return { ...rest, isNew: true }
}

interface Matched<T> {
  /** The published form of each part of the draft that has one. */
  readonly stays: ReadonlyMap<T, T>
  /** What the draft drops or replaces. */
  readonly gone: readonly T[]
}

export function matched<T extends Renamable>(live: readonly T[], draft: readonly T[]): Matched<T> {
  const byName = new Map(live.map((one) => [one.name, one]))
  const stays = new Map<T, T>()
  for (const one of draft) {
    const before = one.isNew ? undefined : byName.get(publishedName(one))
    if (before !== undefined) stays.set(one, before)
  }
  const kept = new Set(stays.values())
  return { stays, gone: live.filter((one) => !kept.has(one)) }
}

/** The published form of a type, or of what a new type of the draft takes the place of. */
export function publishedForm(
  live: SchemaModel,
  draft: SchemaModel,
  type: TypeModel,
): TypeModel | undefined {
  const at = <T extends TypeModel>(before: readonly T[], after: readonly T[]) => {
    const { stays, gone } = matched<TypeModel>(before, after)
    return stays.get(type) ?? (type.isNew ? gone.find(({ name }) => name === type.name) : undefined)
  }
  return type.kind === 'vertex' ? at(live.vertices, draft.vertices) : at(live.edges, draft.edges)
}

/** A published type in the names that the draft has for it, without the attributes that it drops. */
export function inDraftNames<T extends TypeModel>(before: T, after: T, draft: SchemaModel): T {
  const { stays, gone } = matched(before.attributes, after.attributes)
  const renames = [...stays].map(([now, then]) => [then.name, now.name] as const)
  const names = new Map([...renames, ...renamesBeside(after)])
  const lost = new Set(gone.map(({ name }) => name))
  const attributes = before.attributes
    .filter((one) => !lost.has(one.name))
    .map((one) => ({ ...one, name: names.get(one.name) ?? one.name }))
  const named = { ...before, name: after.name, attributes }
  return named.kind === 'vertex'
    ? {
        ...named,
        ...besideIn(named, after as VertexModel),
        indexes: keptIndexes(named, names, lost),
      }
    : { ...named, ...edgeNames(named, after as EdgeModel, draft) }
}

function besideIn(before: VertexModel, after: VertexModel): Partial<VertexModel> {
  const { stays } = matched(vectorsOf(before), vectorsOf(after))
  return {
    primaryId: { ...before.primaryId, names: after.primaryId.names },
    vectors: [...stays].map(([{ name }, then]) => ({ ...then, name })),
  }
}

function keptIndexes(
  { indexes }: VertexModel,
  names: ReadonlyMap<string, string>,
  lost: ReadonlySet<string>,
): VertexModel['indexes'] {
  return indexes
    .filter(({ attribute }) => !lost.has(attribute))
    .map((index) => ({ ...index, attribute: names.get(index.attribute) ?? index.attribute }))
}

function edgeNames(before: EdgeModel, after: EdgeModel, { vertices }: SchemaModel) {
  const published = vertices.filter(({ isNew }) => !isNew)
  const names = new Map(published.map((vertex) => [publishedName(vertex), vertex.name]))
  const follow = (name: string) => names.get(name) ?? name
  const pairs = before.pairs.map(({ from, to }) => ({ from: follow(from), to: follow(to) }))
  const { publishedReverse, reverseName } = after
  return { pairs, reverseName: publishedReverse === undefined ? before.reverseName : reverseName }
}
