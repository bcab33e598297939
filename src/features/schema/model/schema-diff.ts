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
import { vectorsBeyond } from './vector-operations.ts'

export type ChangeClass = 'safe' | 'rewrites' | 'destroys'

export type ChangeKind =
  | 'typeAdded'
  | 'typePutIn'
  | 'typeDropped'
  | 'typeReplaced'
  | 'typeTakenOut'
  | 'pairsAdded'
  | 'attributeAdded'
  | 'attributeDropped'
  | 'attributeRetyped'
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
  pairsAdded: 'safe',
  attributeAdded: 'safe',
  attributeDropped: 'destroys',
  attributeRetyped: 'destroys',
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
  /** The attribute or index; absent when the change is about the whole type. */
  readonly part: string | null
  readonly sentence: string
}

export function diffSchemas(live: SchemaModel, draft: SchemaModel): readonly Change[] {
  return [
    ...diffTypes(live.vertices, draft.vertices, diffVertex),
    ...diffTypes(live.edges, draft.edges, diffEdge),
  ]
}

export function changesOfClass(
  changes: readonly Change[],
  changeClass: ChangeClass,
): readonly Change[] {
  return changes.filter((change) => change.changeClass === changeClass)
}

/** "3 changes · 1 destroys data": the sentence of the bottom bar. */
export function changesSentence(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No changes'
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`
  const destroying = changesOfClass(changes, 'destroys').length
  if (destroying === 0) return count
  return `${count} · ${destroying} ${destroying === 1 ? 'destroys' : 'destroy'} data`
}

/** How the draft stands to what is published, for a mark beside each type. */
export function typeState(live: SchemaModel, type: TypeModel): 'new' | 'changed' | 'same' {
  if (type.isNew) return 'new'
  const changes =
    type.kind === 'vertex'
      ? changesOf(live.vertices, type, diffVertex)
      : changesOf(live.edges, type, diffEdge)
  if (changes === null) return 'new'
  return changes.length > 0 ? 'changed' : 'same'
}

/** Null when the type is not published in this graph. */
function changesOf<T extends TypeModel>(
  live: readonly T[],
  after: T,
  diffType: (before: T, after: T) => readonly Change[],
): readonly Change[] | null {
  const before = live.find(({ name }) => name === after.name)
  if (before === undefined) return null
  return before === after ? [] : diffType(before, after)
}

function diffTypes<T extends TypeModel>(
  live: readonly T[],
  draft: readonly T[],
  diffType: (before: T, after: T) => readonly Change[],
): readonly Change[] {
  const dropped = live.filter((before) => !draft.some(({ name }) => name === before.name))
  const kept = draft.flatMap((after) => {
    const before = live.find(({ name }) => name === after.name)
    if (before === undefined) return [entry(after)]
    if (after.isNew) {
      const sentence = `Replace ${after.kind} type ${after.name}: all its ${plural(after)} are deleted`
      return [change('typeReplaced', after, null, sentence)]
    }
    return diffType(before, after)
  })
  return [...kept, ...dropped.map(departure)]
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

function diffVertex(before: VertexModel, after: VertexModel): readonly Change[] {
  const added = after.indexes.filter((index) => !before.indexes.some(sameIndex(index)))
  const dropped = before.indexes.filter((index) => !after.indexes.some(sameIndex(index)))
  return [
    ...diffAttributes(before, after),
    ...added.map((index) =>
      change('indexAdded', after, index.name, `Index ${after.name}.${index.attribute}`),
    ),
    ...dropped.map((index) =>
      change('indexDropped', after, index.name, `Drop index ${index.name} of ${after.name}`),
    ),
    ...diffVectors(before, after),
    ...diffDescriptions(before, after),
  ]
}

function diffVectors(before: VertexModel, after: VertexModel): readonly Change[] {
  return [
    ...vectorsBeyond(after, before).map(({ name, dimension, metric }) => {
      const sentence = `Add vector ${after.name}.${name} of ${dimension} numbers, ${metric}`
      return change('vectorAdded', after, name, sentence)
    }),
    ...vectorsBeyond(before, after).map(({ name }) =>
      change('vectorDropped', after, name, `Drop vector ${after.name}.${name} and its values`),
    ),
  ]
}

function diffEdge(before: EdgeModel, after: EdgeModel): readonly Change[] {
  const added = addedPairs(before, after)
  const attributes = [...diffAttributes(before, after), ...diffDescriptions(before, after)]
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

function diffAttributes(before: TypeModel, after: TypeModel): readonly Change[] {
  const dropped = before.attributes.filter((attribute) => !hasAttribute(after, attribute.name))
  return [
    ...after.attributes
      .filter(({ isNew }) => isNew)
      .map((attribute) => arrival(before, after, attribute)),
    ...dropped.map(({ name }) =>
      change('attributeDropped', after, name, `Drop ${after.name}.${name} and its values`),
    ),
  ]
}

function arrival(before: TypeModel, after: TypeModel, attribute: AttributeModel): Change {
  const old = before.attributes.find(({ name }) => name === attribute.name)
  const described = `${after.name}.${attribute.name} ${attribute.type}`
  if (old === undefined) {
    const start = attribute.defaultText === null ? '' : ` (default ${attribute.defaultText})`
    return change('attributeAdded', after, attribute.name, `Add ${described}${start}`)
  }
  const sentence = `Replace ${after.name}.${attribute.name} ${old.type} by ${attribute.type}: its values are lost`
  return change('attributeRetyped', after, attribute.name, sentence)
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

function hasAttribute(type: TypeModel, name: string): boolean {
  return type.attributes.some((attribute) => attribute.name === name)
}

function sameIndex(index: { readonly name: string; readonly attribute: string }) {
  return (other: { readonly name: string; readonly attribute: string }) =>
    other.name === index.name && other.attribute === index.attribute
}

function change(kind: ChangeKind, type: TypeModel, part: string | null, sentence: string): Change {
  const changeClass = classOfKind[kind]
  return { kind, changeClass, owner: type.kind, typeName: type.name, part, sentence }
}
