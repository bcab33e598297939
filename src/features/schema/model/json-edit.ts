/**
 * What somebody wrote into the text of the schema, as the operations that lead there from the schema
 * before. A type or attribute under a new name in its old place is renamed, not dropped and made.
 */
import {
  type AttributeModel,
  type EdgeModel,
  findEdge,
  findVertex,
  type IndexModel,
  type SchemaModel,
  type TypeModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import {
  type EdgeTypeJson,
  readEdge,
  readVertex,
  type VertexTypeJson,
} from '#lib/graph-schema/wire-form.ts'
import type { Place } from '#lib/json/json-places.ts'
import { describedParts } from './descriptions.ts'
import { addition } from './import-schema.ts'
import {
  type CheckedSchema,
  checkSchemaJson,
  type JsonProblem,
  spelledEdge,
  spelledVertex,
} from './json-check.ts'
import { freeIndexName } from './names.ts'
import { applyOperation, type Operation } from './operations.ts'
import { isSamePair } from './pairs.ts'
import { vectorsOf } from './published.ts'
import { vectorsBeyond } from './vector-operations.ts'

export interface JsonEdit {
  readonly operations: readonly Operation[]
  /** While there are any the text is no schema, and the operations lead nowhere. */
  readonly problems: readonly JsonProblem[]
}

export function jsonEdit(text: string, before: SchemaModel, tuples: readonly string[]): JsonEdit {
  const checked = checkSchemaJson(text, tuples)
  if (!checked.ok) return { operations: [], problems: checked.problems }
  const steps = new Steps(before, checked.json.placeOf)
  steps.toSchema(checked.json)
  return steps
}

type TypeJson = VertexTypeJson | EdgeTypeJson

class Steps implements JsonEdit {
  readonly operations: Operation[] = []
  readonly problems: JsonProblem[] = []
  readonly #placeOf: CheckedSchema['placeOf']
  #schema: SchemaModel

  constructor(before: SchemaModel, placeOf: CheckedSchema['placeOf']) {
    this.#schema = before
    this.#placeOf = placeOf
  }

  #run(operation: Operation, at: Place): void {
    const applied = applyOperation(this.#schema, operation)
    if (applied.ok) {
      this.#schema = applied.schema
      this.operations.push(operation)
    } else {
      this.problems.push({ ...at, message: applied.problem })
    }
  }

  /** Room is made first; then types get their names, and at last what they hold. */
  toSchema(json: CheckedSchema): void {
    const { vertices, edges } = this.#schema
    const vertexNames = nameChanges(vertices, json.VertexTypes)
    const edgeNames = nameChanges(edges, json.EdgeTypes)
    const nowhere = { from: 0, to: 1 }
    for (const name of [...edgeNames.gone, ...vertexNames.gone]) {
      // An edge type goes with the vertex types it joins.
      const isThere = findVertex(this.#schema, name) ?? findEdge(this.#schema, name)
      if (isThere) this.#run({ kind: 'dropType', name }, nowhere)
    }
    for (const [name, to] of [...vertexNames.renamed, ...edgeNames.renamed]) {
      const types: readonly TypeJson[] = [...json.VertexTypes, ...json.EdgeTypes]
      const at = types.find(({ Name }) => Name === to)
      this.#run({ kind: 'renameType', name, to }, at ? this.#placeOf(at, 'Name') : nowhere)
    }
    for (const one of json.VertexTypes) this.#toVertex(one, isFirst(json.VertexTypes, one))
    for (const one of json.EdgeTypes) this.#toEdge(one, isFirst(json.EdgeTypes, one))
  }

  #toVertex(json: VertexTypeJson, isOne: boolean): void {
    const at = this.#placeOf(json, 'Name')
    const target = { ...readVertex(spelledVertex(json)), isLocal: json.IsLocal !== false }
    const { name } = target
    const now = findVertex(this.#schema, name)
    if (now === undefined || !isOne) {
      this.#run(addition(target, json.IsLocal), at)
      return
    }
    this.#toScope(now, target, at)
    if (now.stats !== target.stats) this.#run({ kind: 'setStats', name, stats: target.stats }, at)
    this.#renameAttributes(now, target, json)
    const id = findVertex(this.#schema, name)?.primaryId
    const idFacts = ({ syntax, names, type, asAttribute }: VertexModel['primaryId']) =>
      JSON.stringify([syntax, names, type, asAttribute])
    if (id !== undefined && idFacts(id) !== idFacts(target.primaryId)) {
      const { primaryId } = target
      this.#run({ kind: 'changeId', name, primaryId }, this.#placeOf(json, 'PrimaryId'))
    }
    this.#toAttributes(target, json)
    this.#toIndexes(target, json)
    this.#toVectors(now, target, json)
    this.#toDescriptions(target, json)
  }

  #toEdge(json: EdgeTypeJson, isOne: boolean): void {
    const at = this.#placeOf(json, 'Name')
    const target = { ...readEdge(spelledEdge(json)), isLocal: json.IsLocal !== false }
    const { name, directed, pairs, reverseName } = target
    const now = findEdge(this.#schema, name)
    if (now === undefined || !isOne) {
      this.#run(addition(target, json.IsLocal), at)
      return
    }
    this.#toScope(now, target, at)
    const isSame =
      now.directed === directed &&
      now.reverseName === (directed ? reverseName : null) &&
      now.pairs.length === pairs.length &&
      pairs.every((pair) => now.pairs.some((one) => isSamePair(target, one, pair)))
    if (!isSame) {
      this.#run({ kind: 'changeEdge', name, shape: { directed, pairs, reverseName } }, at)
    }
    this.#renameAttributes(now, target, json)
    this.#toAttributes(target, json)
    this.#toDiscriminators(target, json)
    this.#toDescriptions(target, json)
  }

  #toScope(now: TypeModel, { name, isLocal }: TypeModel, at: Place): void {
    if (now.isLocal !== isLocal) this.#run({ kind: 'setScope', name, isLocal }, at)
  }

  #attributeAt(json: TypeJson, name: string): Place {
    const one = json.Attributes?.find(({ AttributeName }) => AttributeName === name)
    return one === undefined ? this.#placeOf(json, 'Name') : this.#placeOf(one, 'AttributeName')
  }

  #renameAttributes(now: TypeModel, target: TypeModel, json: TypeJson): void {
    const { renamed } = nameChanges(
      now.attributes,
      target.attributes.map(({ name }) => ({ Name: name })),
    )
    for (const [attribute, name] of renamed) {
      const before = now.attributes.find((one) => one.name === attribute)
      if (before === undefined) continue
      const to = { ...before, name }
      this.#run(
        { kind: 'changeAttribute', name: target.name, attribute, to },
        this.#attributeAt(json, name),
      )
    }
  }

  #attributes(name: string): readonly AttributeModel[] {
    return (findVertex(this.#schema, name) ?? findEdge(this.#schema, name))?.attributes ?? []
  }

  #toAttributes({ name, attributes }: TypeModel, json: TypeJson): void {
    for (const { name: attribute } of this.#attributes(name)) {
      if (attributes.some((one) => one.name === attribute)) continue
      this.#run({ kind: 'dropAttribute', name, attribute }, this.#placeOf(json, 'Name'))
    }
    const seen = new Set<string>()
    for (const to of attributes) {
      const now = seen.has(to.name)
        ? undefined
        : this.#attributes(name).find((one) => one.name === to.name)
      seen.add(to.name)
      const at = this.#attributeAt(json, to.name)
      if (now === undefined) {
        this.#run({ kind: 'addAttributes', name, attributes: [to] }, at)
      } else if (now.type !== to.type || now.defaultText !== to.defaultText) {
        const { description: _, ...facts } = to
        const said =
          now.description === undefined ? facts : { ...facts, description: now.description }
        this.#run({ kind: 'changeAttribute', name, attribute: to.name, to: said }, at)
      }
    }
  }

  #toDiscriminators({ name, attributes, discriminatorCount }: EdgeModel, json: TypeJson): void {
    const wanted = attributes.slice(0, discriminatorCount).map((one) => one.name)
    const edge = findEdge(this.#schema, name)
    const had = edge?.attributes.slice(0, edge.discriminatorCount).map((one) => one.name) ?? []
    const set = (attribute: string, on: boolean) =>
      this.#run(
        { kind: 'setDiscriminator', name, attribute, on },
        this.#attributeAt(json, attribute),
      )
    for (const one of had) if (!wanted.includes(one)) set(one, false)
    for (const one of wanted) if (!had.includes(one)) set(one, true)
  }

  #toIndexes({ name }: VertexModel, json: VertexTypeJson): void {
    const had = findVertex(this.#schema, name)?.indexes ?? []
    const wanted = (json.Attributes ?? [])
      .filter(({ HasIndex, IndexName }) => HasIndex ?? IndexName !== undefined)
      .map(({ AttributeName: attribute, IndexName }) => ({ attribute, name: IndexName }))
    const isWanted = (index: IndexModel) =>
      wanted.some(
        (one) => one.attribute === index.attribute && (one.name ?? index.name) === index.name,
      )
    for (const index of had) {
      const at = this.#attributeAt(json, index.attribute)
      if (!isWanted(index)) this.#run({ kind: 'dropIndex', name, index: index.name }, at)
    }
    for (const { attribute, name: given } of wanted) {
      const now = findVertex(this.#schema, name)?.indexes ?? []
      if (now.some((one) => one.attribute === attribute)) continue
      const indexName = given ?? freeIndexName(this.#schema, `${name}_${attribute}_index`)
      const index = { name: indexName, attribute }
      this.#run({ kind: 'addIndex', name, index }, this.#attributeAt(json, attribute))
    }
  }

  #toVectors(now: VertexModel, target: VertexModel, json: VertexTypeJson): void {
    const { name } = target
    const at = this.#placeOf(json, 'EmbeddingAttributes')
    const wanted = vectorsOf(target).map((one) => ({ Name: one.name }))
    for (const [vector, to] of nameChanges(vectorsOf(now), wanted).renamed) {
      this.#run({ kind: 'renameVector', name, vector, to }, at)
    }
    const named = findVertex(this.#schema, name) ?? now
    for (const vector of vectorsBeyond(named, target)) {
      this.#run({ kind: 'dropVector', name, vector: vector.name }, at)
    }
    for (const { isNew: _, ...vector } of vectorsBeyond(target, named)) {
      this.#run({ kind: 'addVector', name, vector }, at)
    }
  }

  #toDescriptions(target: TypeModel, json: TypeJson): void {
    const { name } = target
    const now = findVertex(this.#schema, name) ?? findEdge(this.#schema, name)
    if (now === undefined) return
    const had = new Map(describedParts(now).map(({ part, text }) => [part, text]))
    for (const { part, text } of describedParts(target)) {
      if (!had.has(part) || had.get(part) === text) continue
      this.#run(
        { kind: 'describe', name, part, text },
        part === null ? this.#placeOf(json, 'Description') : this.#attributeAt(json, part),
      )
    }
  }
}

const isFirst = <T extends { readonly Name: string }>(types: readonly T[], type: T): boolean =>
  types.find(({ Name }) => Name === type.Name) === type

/** As many as before: what stands in the place of a missing name is that one, renamed. */
function nameChanges(
  before: readonly { readonly name: string }[],
  after: readonly { readonly Name: string }[],
): { readonly renamed: readonly (readonly [string, string])[]; readonly gone: readonly string[] } {
  const olds = new Set(before.map(({ name }) => name))
  const news = new Set(after.map(({ Name }) => Name))
  const gone = [...olds].filter((name) => !news.has(name))
  const renamed =
    before.length === after.length
      ? before.flatMap(({ name }, place) => {
          const to = after[place]?.Name ?? name
          return news.has(name) || olds.has(to) ? [] : [[name, to] as const]
        })
      : []
  const isRenamed = new Set(renamed.map(([name]) => name))
  return { renamed, gone: gone.filter((name) => !isRenamed.has(name)) }
}
