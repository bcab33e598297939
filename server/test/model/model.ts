/** What the graph should hold, as plain Maps. Shares nothing with the engine but the catalogue. */
import type { Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import type { EdgeEntry, FieldWrite, Flags, VertexEntry } from './entry-types.ts'
import { defaultRow, type ModelRow, type ModelValue, storedOf, textOf } from './values.ts'

export interface ModelEdge {
  readonly type: EdgeType
  readonly fromType: string
  readonly from: string
  readonly toType: string
  readonly to: string
  readonly row: ModelRow
}

export interface ModelOutcome {
  rejected: boolean
  acceptedVertices: number
  acceptedEdges: number
  skippedEdges: number
  readonly skippedVertices: string[]
  readonly missing: string[]
  retiredEntries: number
  readonly retired: string[]
}

export class Model {
  readonly catalog: Catalog
  vertices = new Map<string, ModelRow>()
  edges = new Map<string, ModelEdge>()
  /** Permanently deleted. */
  readonly retired = new Set<string>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  clone(): Model {
    const copy = new Model(this.catalog)
    copy.vertices = new Map([...this.vertices].map(([key, row]) => [key, new Map(row)]))
    copy.edges = new Map(
      [...this.edges].map(([key, edge]) => [key, { ...edge, row: new Map(edge.row) }]),
    )
    return copy
  }

  upsert(
    vertices: readonly VertexEntry[],
    edges: readonly EdgeEntry[],
    flags: Flags,
  ): ModelOutcome {
    const outcome: ModelOutcome = {
      rejected: false,
      acceptedVertices: 0,
      acceptedEdges: 0,
      skippedEdges: 0,
      skippedVertices: [],
      missing: [],
      retiredEntries: 0,
      retired: [],
    }
    const before = flags.atomic ? this.clone() : null
    for (const entry of vertices) this.#upsertVertex(entry, flags, outcome)
    for (const entry of edges) this.#upsertEdge(entry, flags, outcome)
    const { skippedVertices, skippedEdges, retiredEntries } = outcome
    if (before && skippedVertices.length + skippedEdges + retiredEntries > 0) {
      this.vertices = before.vertices
      this.edges = before.edges
      outcome.rejected = true
    }
    return outcome
  }

  deleteVertex(type: string, id: string, isPermanent = false): boolean {
    if (isPermanent && this.vertices.has(`${type}|${id}`)) this.retired.add(`${type}|${id}`)
    for (const [key, edge] of this.edges) {
      const isFrom = edge.fromType === type && edge.from === id
      if (isFrom || (edge.toType === type && edge.to === id)) this.edges.delete(key)
    }
    return this.vertices.delete(`${type}|${id}`)
  }

  idsOf(type: string): string[] {
    const prefix = `${type}|`
    return [...this.vertices.keys()].flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    )
  }

  /** Keys of the edges that `name` shows of a vertex, with the other end of each. */
  edgesOf(
    type: string,
    id: string,
    name: string,
  ): { key: string; otherType: string; other: string }[] {
    const { edgeType, isReverse } = this.#named(name)
    return [...this.edges].flatMap(([key, edge]) => {
      if (edge.type.id !== edgeType.id) return []
      const isFrom = edge.fromType === type && edge.from === id
      const isTo = edge.toType === type && edge.to === id
      if (isFrom && !isReverse) return [{ key, otherType: edge.toType, other: edge.to }]
      const seenFromBehind = edgeType.directed ? isReverse : true
      return isTo && seenFromBehind ? [{ key, otherType: edge.fromType, other: edge.from }] : []
    })
  }

  #upsertVertex({ type, id, fields }: VertexEntry, flags: Flags, outcome: ModelOutcome): void {
    const key = `${type}|${id}`
    const exists = this.vertices.has(key)
    if (exists ? flags.newVertexOnly : flags.updateVertexOnly) {
      outcome.skippedVertices.push(key)
      return
    }
    if (this.#meetsRetired([key], outcome)) {
      outcome.retiredEntries++
      return
    }
    this.#ensure(type, id)
    write(this.#vertexType(type), this.vertices.get(key)!, fields, !exists)
    outcome.acceptedVertices++
  }

  #meetsRetired(keys: readonly string[], outcome: ModelOutcome): boolean {
    const met = keys.filter((key) => this.retired.has(key))
    for (const key of met) if (!outcome.retired.includes(key)) outcome.retired.push(key)
    return met.length > 0
  }

  #upsertEdge(entry: EdgeEntry, flags: Flags, outcome: ModelOutcome): void {
    const { edgeType, isReverse } = this.#named(entry.name)
    const given = [
      { type: entry.fromType, id: entry.from },
      { type: entry.toType, id: entry.to },
    ] as const
    const isSwapped = edgeType.directed ? isReverse : !this.#isPair(edgeType, given)
    const [from, to] = isSwapped ? [given[1], given[0]] : given
    const both = !edgeType.directed && (flags.sourceMustExist || flags.targetMustExist)
    const required = [
      ...(flags.sourceMustExist || both ? [given[0]] : []),
      ...(flags.targetMustExist || both ? [given[1]] : []),
    ]
    const missing = required.filter(({ type, id }) => !this.vertices.has(`${type}|${id}`))
    if (missing.length > 0) {
      outcome.skippedEdges++
      for (const { type, id } of missing) {
        const key = `${type}|${id}`
        if (!outcome.missing.includes(key)) outcome.missing.push(key)
      }
      return
    }
    if (this.#meetsRetired([`${from.type}|${from.id}`, `${to.type}|${to.id}`], outcome)) {
      outcome.skippedEdges++
      return
    }
    this.#ensure(from.type, from.id)
    this.#ensure(to.type, to.id)
    this.#writeEdge(edgeType, from, to, entry.fields)
    outcome.acceptedEdges++
  }

  #writeEdge(
    type: EdgeType,
    from: { type: string; id: string },
    to: { type: string; id: string },
    fields: readonly FieldWrite[],
  ): void {
    const discriminators = type.attributes
      .slice(0, type.discriminatorCount)
      .map(({ name, type: { kind } }) =>
        textOf(kind, fields.findLast((field) => field.name === name)!.value),
      )
    const ends = [`${from.type}|${from.id}`, `${to.type}|${to.id}`]
    if (!type.directed && from.type === to.type) ends.sort()
    const key = [type.name, ...ends, ...discriminators].join('§')
    const old = this.edges.get(key)
    const edge = old ?? {
      type,
      fromType: from.type,
      from: from.id,
      toType: to.type,
      to: to.id,
      row: defaultRow(type.attributes),
    }
    this.edges.set(key, edge)
    write(type, edge.row, fields, old === undefined)
  }

  #ensure(type: string, id: string): void {
    const key = `${type}|${id}`
    if (this.vertices.has(key)) return
    const found = this.#vertexType(type)
    const { primaryId } = found
    const row = defaultRow(storedOf(found))
    if (primaryId.syntax === 'PRIMARY_KEY') row.set(primaryId.names[0]!, BigInt(id))
    if (primaryId.syntax === 'COMPOSITE') {
      const [first = '', second = ''] = id.split(',')
      row.set(primaryId.names[0]!, first)
      row.set(primaryId.names[1]!, BigInt(second))
    }
    this.vertices.set(key, row)
  }

  #isPair(type: EdgeType, [from, to]: readonly [{ type: string }, { type: string }]): boolean {
    const fromId = this.#vertexType(from.type).id
    const toId = this.#vertexType(to.type).id
    return type.pairs.some((pair) => pair.fromTypeId === fromId && pair.toTypeId === toId)
  }

  #named(name: string): { edgeType: EdgeType; isReverse: boolean } {
    const edgeType = this.catalog.edgeTypes.find(
      (type) => type.name === name || type.reverseName === name,
    )!
    return { edgeType, isReverse: edgeType.name !== name }
  }

  #vertexType(name: string): VertexType {
    return this.catalog.vertexTypes.find((type) => type.name === name)!
  }
}

function write(
  type: VertexType | EdgeType,
  row: ModelRow,
  fields: readonly FieldWrite[],
  isNew: boolean,
): void {
  // Of a field named twice the last counts, so it is one write and not two.
  const last = new Map(fields.map((field) => [field.name, field]))
  for (const { name, op, value } of last.values()) {
    const { kind } = storedOf(type).find((attribute) => attribute.name === name)!.type
    row.set(name, isNew ? value : merged(kind, op, row.get(name)!, value))
  }
}

type Scalar = number | bigint | string

function merged(kind: string, op: string, old: ModelValue, value: ModelValue): ModelValue {
  if (op === '~') return old
  if (op === '>') return (value as Scalar) > (old as Scalar) ? value : old
  if (op === '<') return (value as Scalar) < (old as Scalar) ? value : old
  if (op === '&') return kind === 'BOOL' ? old === true && value === true : bits(old) & bits(value)
  if (op === '|') return kind === 'BOOL' ? old === true || value === true : bits(old) | bits(value)
  if (op === '+') return sum(kind, old, value)
  return value
}

const bits = (value: ModelValue): bigint => value as bigint

function sum(kind: string, old: ModelValue, value: ModelValue): ModelValue {
  switch (kind) {
    case 'INT':
      return BigInt.asIntN(64, bits(old) + bits(value))
    case 'UINT':
      return BigInt.asUintN(64, bits(old) + bits(value))
    case 'FLOAT':
      return Math.fround((old as number) + (value as number))
    case 'DOUBLE':
      return (old as number) + (value as number)
    case 'STRING':
      return `${old}${value}`
    case 'LIST':
      return [...(old as ModelValue[]), ...(value as ModelValue[])]
    case 'SET':
      return [...new Set([...(old as string[]), ...(value as string[])])].sort()
    default: {
      const map = new Map([...(old as [string, bigint][]), ...(value as [string, bigint][])])
      return [...map].sort(([left], [right]) => (left < right ? -1 : 1))
    }
  }
}
