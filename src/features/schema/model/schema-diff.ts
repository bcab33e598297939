/**
 * What a draft would do to the published schema, in three classes: *safe* keeps every value,
 * *rewrites* costs work or speed but no data, *destroys* loses data. Each kind of difference has its
 * class here and nowhere else.
 */
import type {
  AttributeModel,
  EdgeModel,
  EdgePairModel,
  SchemaModel,
  TypeModel,
  VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { changedDescriptions } from './descriptions.ts'
import { inDraftNames, matched, publishedName, renamesBeside, vectorsOf } from './published.ts'

export type ChangeClass = 'safe' | 'rewrites' | 'destroys'

export type ChangeKind =
  | 'typeAdded'
  | 'typePutIn'
  | 'typeDropped'
  | 'typeReplaced'
  | 'typeTakenOut'
  | 'typeRenamed'
  | 'reverseRenamed'
  | 'pairsAdded'
  | 'attributeAdded'
  | 'attributeDropped'
  | 'attributeRetyped'
  | 'attributeRenamed'
  | 'attributeWidened'
  | 'indexAdded'
  | 'indexDropped'
  | 'vectorAdded'
  | 'vectorDropped'
  | 'described'

export const classOfKind: Readonly<Record<ChangeKind, ChangeClass>> = {
  typeAdded: 'safe',
  typePutIn: 'safe',
  typeDropped: 'destroys',
  typeReplaced: 'destroys',
  typeTakenOut: 'safe',
  typeRenamed: 'rewrites',
  reverseRenamed: 'rewrites',
  pairsAdded: 'safe',
  attributeAdded: 'safe',
  attributeDropped: 'destroys',
  attributeRetyped: 'destroys',
  attributeRenamed: 'rewrites',
  attributeWidened: 'rewrites',
  indexAdded: 'safe',
  indexDropped: 'rewrites',
  vectorAdded: 'safe',
  vectorDropped: 'destroys',
  described: 'safe',
}

export interface Change {
  readonly kind: ChangeKind
  readonly changeClass: ChangeClass
  readonly owner: 'vertex' | 'edge'
  readonly typeName: string
  /** What the type is published as. */
  readonly publishedName: string
  /** The attribute or index; absent when the change is about the whole type. */
  readonly part: string | null
  readonly sentence: string
}

export function diffSchemas(live: SchemaModel, draft: SchemaModel): readonly Change[] {
  return [
    ...diffTypes(live.vertices, draft.vertices, draft),
    ...diffTypes(live.edges, draft.edges, draft),
  ]
}

export function changesOfClass(
  changes: readonly Change[],
  changeClass: ChangeClass,
): readonly Change[] {
  return changes.filter((change) => change.changeClass === changeClass)
}

/** "3 changes, 1 deletes data": the sentence of the bottom bar. */
export function changesSentence(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No changes'
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`
  const destroying = changesOfClass(changes, 'destroys').length
  if (destroying === 0) return count
  return `${count}, ${destroying} ${destroying === 1 ? 'deletes' : 'delete'} data`
}

/** How the draft stands to what is published, for a mark beside each type. */
export function typeState(
  live: SchemaModel,
  draft: SchemaModel,
  type: TypeModel,
): 'new' | 'changed' | 'same' {
  if (type.isNew) return 'new'
  const published: readonly TypeModel[] = type.kind === 'vertex' ? live.vertices : live.edges
  const before = published.find(({ name }) => name === publishedName(type))
  if (before === undefined) return 'new'
  return diffType(before, type, draft).length > 0 ? 'changed' : 'same'
}

function diffTypes<T extends TypeModel>(
  live: readonly T[],
  types: readonly T[],
  draft: SchemaModel,
): readonly Change[] {
  const { stays, gone } = matched(live, types)
  const dropped = gone.filter((one) => !types.some(({ isNew, name }) => isNew && name === one.name))
  const kept = types.flatMap((after) => {
    const before = stays.get(after)
    if (before !== undefined) return diffType(before, after, draft)
    if (!gone.some(({ name }) => name === after.name)) return [entry(after)]
    const sentence = `Replace ${after.kind} type ${after.name}: all its ${plural(after)} are deleted`
    return [change('typeReplaced', after, null, sentence)]
  })
  return [...kept, ...dropped.map(departure)]
}

function diffType(published: TypeModel, after: TypeModel, draft: SchemaModel): readonly Change[] {
  if (published === after) return []
  const before = inDraftNames(published, after, draft)
  const was = publishedName(after)
  const sentence = `Rename ${after.kind} type ${was} to ${after.name}: its ${plural(after)} stay`
  return [
    ...(was === after.name ? [] : [change('typeRenamed', after, null, sentence)]),
    ...(after.kind === 'vertex'
      ? diffVertex(published as VertexModel, before as VertexModel, after)
      : diffEdge(published as EdgeModel, before as EdgeModel, after)),
  ]
}

function entry(type: TypeModel): Change {
  if (type.isNew) return change('typeAdded', type, null, addedSentence(type))
  const sentence = `Put the global ${type.kind} type ${type.name} into this graph, with the data it has`
  return change('typePutIn', type, null, sentence)
}

/** A global type leaves this graph and keeps its data for others; a local one is gone. */
function departure(type: TypeModel): Change {
  if (type.isLocal) return change('typeDropped', type, null, `Drop ${type.kind} type ${type.name}`)
  const sentence = `Take the global ${type.kind} type ${type.name} out of this graph; its data stays`
  return change('typeTakenOut', type, null, sentence)
}

/** @param before the published type in the names of the draft, without what goes with an attribute */
function diffVertex(
  published: VertexModel,
  before: VertexModel,
  after: VertexModel,
): readonly Change[] {
  const gone = published.indexes.filter(
    (index) =>
      !before.indexes.some(({ name }) => name === index.name) &&
      !after.indexes.some(({ name }) => name === index.name),
  )
  const stay = before.indexes.filter((index) => !after.indexes.some(sameIndex(index)))
  const dropped = [...stay, ...gone]
  const added = after.indexes.filter(
    (index) => ![...before.indexes, ...published.indexes].some(sameIndex(index)),
  )
  return [
    ...diffAttributes(published, after),
    ...added.map((index) =>
      change('indexAdded', after, index.name, `Index ${after.name}.${index.attribute}`),
    ),
    ...dropped.map((index) =>
      change('indexDropped', after, index.name, `Drop index ${index.name} of ${after.name}`),
    ),
    ...diffVectors(published, after),
    ...diffDescriptions(before, after),
  ]
}

function diffVectors(published: VertexModel, after: VertexModel): readonly Change[] {
  const vectors = vectorsOf(after)
  const added = vectors.filter(({ isNew }) => isNew)
  return [
    ...added.map(({ name, dimension, metric }) => {
      const sentence = `Add vector ${after.name}.${name} of ${dimension} numbers, ${metric}`
      return change('vectorAdded', after, name, sentence)
    }),
    ...matched(vectorsOf(published), vectors).gone.map(({ name }) =>
      change('vectorDropped', after, name, `Drop vector ${after.name}.${name} and its values`),
    ),
  ]
}

function diffEdge(published: EdgeModel, before: EdgeModel, after: EdgeModel): readonly Change[] {
  const added = addedPairs(before, after)
  const { publishedReverse: was, reverseName } = after
  const sentence = `Rename the reverse edge ${was} of ${after.name} to ${reverseName}`
  const attributes = [
    ...(was === undefined ? [] : [change('reverseRenamed', after, reverseName, sentence)]),
    ...diffAttributes(published, after),
    ...diffDescriptions(before, after),
  ]
  if (added.length === 0) return attributes
  const pairs = added.map(({ from, to }) => `${from} → ${to}`).join(', ')
  return [change('pairsAdded', after, null, `Let ${after.name} join ${pairs}`), ...attributes]
}

function diffDescriptions(before: TypeModel, after: TypeModel): readonly Change[] {
  return changedDescriptions(before, after).map(({ part, text }) => {
    const what = part === null ? after.name : `${after.name}.${part}`
    const verb = text === '' ? 'Take the description from' : 'Describe'
    return change('described', after, part, `${verb} ${what}`)
  })
}

export function addedPairs(before: EdgeModel, after: EdgeModel): readonly EdgePairModel[] {
  return after.pairs.filter(
    (pair) => !before.pairs.some(({ from, to }) => from === pair.from && to === pair.to),
  )
}

function diffAttributes(published: TypeModel, after: TypeModel): readonly Change[] {
  const { stays, gone } = matched(published.attributes, after.attributes)
  const { attributes, name } = after
  const isBack = ({ name: old }: AttributeModel) =>
    attributes.some((one) => one.isNew && one.name === old)
  return [
    ...renamesBeside(after).map(([was, now]) => renaming(after, was, now)),
    ...attributes.flatMap((attribute) => {
      const before = stays.get(attribute)
      if (before !== undefined) return migration(after, before, attribute)
      return [arrival(after, gone, attribute)]
    }),
    ...gone
      .filter((one) => !isBack(one))
      .map((one) =>
        change('attributeDropped', after, one.name, `Drop ${name}.${one.name} and its values`),
      ),
  ]
}

/** What happens to an attribute that keeps its values. */
function migration(type: TypeModel, before: AttributeModel, after: AttributeModel): Change[] {
  const { name } = after
  const widening = `Widen ${type.name}.${name} from ${before.type} to ${after.type}: its values are converted`
  return [
    ...(before.name === name ? [] : [renaming(type, before.name, name)]),
    ...(before.type === after.type ? [] : [change('attributeWidened', type, name, widening)]),
  ]
}

function renaming(type: TypeModel, was: string, name: string): Change {
  const sentence = `Rename ${type.name}.${was} to ${name}: its values stay`
  return change('attributeRenamed', type, name, sentence)
}

function arrival(
  type: TypeModel,
  gone: readonly AttributeModel[],
  attribute: AttributeModel,
): Change {
  const old = gone.find(({ name }) => name === attribute.name)
  const described = `${type.name}.${attribute.name} ${attribute.type}`
  if (old === undefined) {
    const start = attribute.defaultText === null ? '' : ` (default ${attribute.defaultText})`
    return change('attributeAdded', type, attribute.name, `Add ${described}${start}`)
  }
  const sentence = `Replace ${type.name}.${attribute.name} ${old.type} by ${attribute.type}: its values are lost`
  return change('attributeRetyped', type, attribute.name, sentence)
}

function addedSentence(type: TypeModel): string {
  const count = type.attributes.length
  const attributes = count === 1 ? '1 attribute' : `${count} attributes`
  const scope = type.isLocal ? '' : 'global '
  if (type.kind === 'vertex') return `Add ${scope}vertex type ${type.name} with ${attributes}`
  const pairs = type.pairs.map(({ from, to }) => `${from} → ${to}`).join(', ')
  return `Add ${scope}edge type ${type.name} (${pairs}) with ${attributes}`
}

function plural(type: TypeModel): string {
  return type.kind === 'vertex' ? 'vertices' : 'edges'
}

function sameIndex(index: { readonly name: string; readonly attribute: string }) {
  return (other: { readonly name: string; readonly attribute: string }) =>
    other.name === index.name && other.attribute === index.attribute
}

function change(kind: ChangeKind, type: TypeModel, part: string | null, sentence: string): Change {
  const changeClass = classOfKind[kind]
  const { name: typeName } = type
  return {
    kind,
    changeClass,
    owner: type.kind,
    typeName,
    publishedName: publishedName(type),
    part,
    sentence,
  }
}
