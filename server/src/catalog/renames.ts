/**
 * Types that get other names, all of a change at one moment: two may swap theirs. Everything stored
 * goes by ids, so that nothing but the catalogue changes.
 */
import { withoutType } from './dropped-type.ts'
import { formerNamesWith, withFormerName } from './former-names.ts'
import { findEdgeType, findVertexType } from './lookup.ts'
import { checkName } from './names.ts'
import { missingEdgeType, missingVertexType, schemaError } from './rule.ts'
import { isTypeNameTaken, nameTaken } from './type-names.ts'
import type { Catalog, EdgeType, TypeRename, VertexType } from './types.ts'

export interface VertexRename {
  readonly name: string
  readonly newName?: string | undefined
}

export interface EdgeRename extends VertexRename {
  readonly newReverseName?: string | undefined
}

/** One type that gets another name, or whose edges do when they are walked backwards. */
interface NewNames {
  readonly id: number
  readonly name: string
  readonly reverseName: string | null
}

/** A part of a change, with what tells where it stands. */
export interface Placed<T> {
  readonly part: T
  /** Runs a step of this part: its refusals say where it stands. */
  within<R>(step: () => R): R
}

export interface Renames {
  readonly vertices: readonly Placed<VertexRename>[]
  readonly edges: readonly Placed<EdgeRename>[]
}

/**
 * @param graph the graph in which the names are looked up; null: global types
 * @throws DbError VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND, NAME_TAKEN, INVALID_NAME, SCHEMA_RULE
 */
export function renameTypes(catalog: Catalog, graph: string | null, renames: Renames): Catalog {
  const vertices = renames.vertices.flatMap(({ part, within }) =>
    within(() => newVertexName(catalog, graph, part)),
  )
  const edges = renames.edges.flatMap(({ part, within }) =>
    within(() => newEdgeNames(catalog, graph, part)),
  )
  const changes = [...vertices, ...edges]
  if (changes.length === 0) return catalog
  checkOnce(changes)
  const byId = new Map(changes.map((one) => [one.id, one]))
  const next = {
    ...catalog,
    vertexTypes: catalog.vertexTypes.map((type) => renamedVertex(type, byId.get(type.id))),
    edgeTypes: catalog.edgeTypes.map((type) => renamedEdge(type, byId.get(type.id))),
  }
  for (const { part, within } of renames.vertices) {
    within(() => checkNewName(next, byId, 'vertex', part.newName))
  }
  for (const { part, within } of renames.edges) {
    within(() => {
      checkNewName(next, byId, 'edge', part.newName)
      checkNewName(next, byId, 'edge', part.newReverseName)
    })
  }
  return withRenames(catalog, next)
}

function newVertexName(
  catalog: Catalog,
  graph: string | null,
  { name, newName }: VertexRename,
): NewNames[] {
  if (newName === undefined) return []
  const type = findVertexType(catalog, graph, name)
  if (type === undefined) throw missingVertexType(name, graph)
  return newName === name ? [] : [{ id: type.id, name: newName, reverseName: null }]
}

function newEdgeNames(
  catalog: Catalog,
  graph: string | null,
  { name, newName = name, newReverseName }: EdgeRename,
): NewNames[] {
  if (newName === name && newReverseName === undefined) return []
  const found = findEdgeType(catalog, graph, name)
  if (found === undefined) throw missingEdgeType(name, graph)
  const { type, reversed } = found
  if (reversed) {
    throw schemaError(`${name} is the reverse edge of ${type.name}; change that one.`)
  }
  if (newReverseName !== undefined && type.reverseName === null) {
    throw schemaError(`The edge ${name} has no reverse edge that could get another name.`)
  }
  return [{ id: type.id, name: newName, reverseName: newReverseName ?? type.reverseName }]
}

function checkOnce(changes: readonly NewNames[]): void {
  const seen = new Set<number>()
  for (const { id, name } of changes) {
    if (seen.has(id)) throw schemaError(`A type gets two names; one of them is ${name}.`)
    seen.add(id)
  }
}

function renamedVertex(type: VertexType, names: NewNames | undefined): VertexType {
  return names === undefined ? type : { ...withFormerName(type, names.name), name: names.name }
}

function renamedEdge(type: EdgeType, names: NewNames | undefined): EdgeType {
  if (names === undefined) return type
  const { name, reverseName } = names
  const renamed = name === type.name ? type : { ...withFormerName(type, name), name }
  if (type.reverseName === null || reverseName === null || reverseName === type.reverseName) {
    return renamed
  }
  const former = formerNamesWith(type.formerReverseNames, type.reverseName, reverseName)
  return { ...renamed, reverseName, formerReverseNames: former }
}

/** @param next with all the new names */
function checkNewName(
  next: Catalog,
  byId: ReadonlyMap<number, NewNames>,
  what: 'vertex' | 'edge',
  name: string | undefined,
): void {
  const change = [...byId.values()].find((one) => one.name === name || one.reverseName === name)
  if (name === undefined || change === undefined) return
  const type = [...next.vertexTypes, ...next.edgeTypes].find(({ id }) => id === change.id)
  checkName(what, name)
  if (change.name === change.reverseName) {
    throw schemaError(`The reverse edge of ${name} needs another name.`)
  }
  if (type === undefined || !isTypeNameTaken(withoutType(next, change.id), type.graph, name)) return
  throw nameTaken(what, name)
}

function withRenames(before: Catalog, after: Catalog): Catalog {
  const types = [
    ...renamesOf(before.vertexTypes, after.vertexTypes),
    ...renamesOf(before.edgeTypes, after.edgeTypes),
  ]
  return types.length === 0 ? after : { ...after, renames: { version: before.version + 1, types } }
}

function renamesOf(
  before: readonly (VertexType | EdgeType)[],
  after: readonly (VertexType | EdgeType)[],
): TypeRename[] {
  return before.flatMap(({ name: from, graph }, position) => {
    const to = after[position]?.name
    return to === undefined || to === from ? [] : [{ graph, from, to }]
  })
}
