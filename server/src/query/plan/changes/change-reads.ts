/**
 * What a query that changes the graph reads of it: the attributes and types that its changes may
 * depend on. The commit is refused, and the query run again, when another commit changed one of
 * them in an element that the query changes (docs/decisions/0122-writes-of-queries.md). PRINT does not
 * count, since nothing that is written depends on it.
 */
import type { BoundQuery } from '#query/ir/bound.ts'

export interface ChangeReads {
  /** Attribute ids by vertex or edge type, each ascending. */
  readonly attributes: readonly (readonly [typeId: number, attributeIds: readonly number[]])[]
  /** Vertex and edge types whose elements it looks for. */
  readonly typeIds: readonly number[]
}

export const noChangeReads: ChangeReads = { attributes: [], typeIds: [] }

const changeKinds = new Set(['setAttribute', 'insertVertex', 'insertEdge', 'deleteElement'])

/** Of the query and those it calls; nothing for a query without changes. */
export function changeReadsOf(query: BoundQuery): ChangeReads {
  const walk = new Walk()
  for (const one of [query, ...query.callees]) walk.visit(one.body)
  if (!walk.hasChanges) return noChangeReads
  const attributes = [...walk.attributes].map(
    ([typeId, ids]) => [typeId, [...ids].toSorted((a, b) => a - b)] as const,
  )
  return { attributes, typeIds: [...walk.typeIds].toSorted((a, b) => a - b) }
}

class Walk {
  hasChanges = false
  readonly attributes = new Map<number, Set<number>>()
  readonly typeIds = new Set<number>()

  visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const node = value as Readonly<Record<string, unknown>>
    const { kind } = node
    if (kind === 'print' || kind === 'println') return
    if (typeof kind === 'string' && changeKinds.has(kind)) {
      this.#change(node)
      return
    }
    this.#note(node)
    for (const [key, inner] of Object.entries(node)) if (key !== 'type') this.visit(inner)
  }

  /** What it assigns is not read; the values are. */
  #change({ of, value, key, fields, from, to }: Readonly<Record<string, unknown>>): void {
    this.hasChanges = true
    const assigned = Array.isArray(fields) ? fields.map((field) => field.value) : []
    this.visit([of, value, key, assigned, from, to])
  }

  #note({ kind, typeId, attributeId, typeIds, edgeTypeId }: Readonly<Record<string, unknown>>) {
    if (typeof typeId === 'number' && typeof attributeId === 'number') {
      this.typeIds.add(typeId)
      // The primary id has no attribute of its own and never changes.
      if (attributeId >= 0) this.#attribute(typeId, attributeId)
    }
    if (typeof edgeTypeId === 'number') this.typeIds.add(edgeTypeId)
    // Of a position of a pattern, or of a set of all vertices of these types.
    if (Array.isArray(typeIds) && (kind === undefined || kind === 'allOfTypes')) {
      for (const id of typeIds) this.typeIds.add(id as number)
    }
  }

  #attribute(typeId: number, attributeId: number): void {
    const known = this.attributes.get(typeId)
    if (known === undefined) this.attributes.set(typeId, new Set([attributeId]))
    else known.add(attributeId)
  }
}
