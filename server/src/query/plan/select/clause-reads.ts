/** What a SELECT's WHERE reads, and which accumulators its ACCUM both assigns and adds to. */
import type { BoundAccumTarget } from '#query/ir/bound.ts'
import type { BoundDmlStatement, BoundSelect } from '#query/ir/bound-select.ts'

export interface AccumSlots {
  readonly globals: ReadonlySet<number>
  readonly columns: ReadonlySet<number>
}

interface AnyNode {
  readonly kind?: unknown
  readonly slot?: unknown
  readonly previous?: unknown
}

/**
 * Accumulators that must be read as they were when the ACCUM clause began: those it reads and
 * writes itself, and those that WHERE reads, since every row is matched before the first runs.
 */
export function snapshotsOf(select: BoundSelect): AccumSlots {
  const globals = new Set(select.accum?.snapshotGlobals)
  const columns = new Set(select.accum?.snapshotVertexAccums)
  const written = select.accum?.effects
  if (written === undefined) return { globals, columns }
  // A pop() yields the top as it was, however the clause has added to the heap by then; and an
  // update() speaks of the list as it was.
  visit(select.accum?.body, (node) => {
    const { target } = node as {
      readonly target?: { readonly kind: string; readonly slot: number }
    }
    const isValue = node.kind === 'pop' || node.kind === 'updateElement'
    if (!isValue || target === undefined) return
    if (target.kind === 'globalAccum') globals.add(target.slot)
    if (target.kind === 'vertexAccum') columns.add(target.slot)
  })
  visit(select.where, (node) => {
    const slot = node.slot as number
    if (node.kind === 'globalAccum' && written.globalsWritten.includes(slot)) globals.add(slot)
    if (node.kind === 'vertexAccum' && written.vertexAccumsWritten.includes(slot)) columns.add(slot)
  })
  return { globals, columns }
}

/** Accumulators with `=` and `+=` in one clause: assignments are applied first (docs/reference/gsql/accumulators.md). */
export function assignedAndAdded(body: readonly BoundDmlStatement[]): AccumSlots {
  const assigned = new Set<string>()
  const added = new Set<string>()
  visit(body, (node) => {
    if (node.kind !== 'updateAccum') return
    const update = node as Extract<BoundDmlStatement, { kind: 'updateAccum' }>
    if (update.target.kind === 'local') return
    const key = `${update.target.kind} ${update.target.slot}`
    ;(update.assign ? assigned : added).add(key)
  })
  const both = [...assigned].filter((key) => added.has(key))
  const slots = (kind: string) =>
    new Set(both.filter((key) => key.startsWith(kind)).map((key) => Number(key.split(' ')[1])))
  return { globals: slots('globalAccum'), columns: slots('vertexAccum') }
}

/**
 * Vertex accumulators to which one row may assign more than once: in several statements or a loop.
 * Not those of the alias of a pattern without hops, whose rows are one per vertex.
 */
export function assignedRepeatedly(
  { hops }: BoundSelect,
  body: readonly BoundDmlStatement[],
): ReadonlySet<number> {
  const counts = new Map<number, number>()
  const isCounted = (target: BoundAccumTarget): target is VertexAccumTarget =>
    target.kind === 'vertexAccum' && (hops.length > 0 || target.of.kind !== 'vertexAlias')
  countAssignments(body, { rounds: 1, counts, isCounted })
  return new Set([...counts].flatMap(([slot, count]) => (count > 1 ? [slot] : [])))
}

type VertexAccumTarget = Extract<BoundAccumTarget, { kind: 'vertexAccum' }>

interface AssignmentCounts {
  /** How often each statement may run for a row: 1, or 2 for more often. */
  readonly rounds: number
  /** By slot. */
  readonly counts: Map<number, number>
  readonly isCounted: (target: BoundAccumTarget) => target is VertexAccumTarget
}

function countAssignments(body: readonly BoundDmlStatement[], into: AssignmentCounts): void {
  const { rounds, counts, isCounted } = into
  for (const statement of body) {
    switch (statement.kind) {
      case 'updateAccum': {
        const { target, assign } = statement
        if (!assign || !isCounted(target)) break
        counts.set(target.slot, (counts.get(target.slot) ?? 0) + rounds)
        break
      }
      case 'if': {
        const bodies = [...statement.branches.map((branch) => branch.body), statement.otherwise]
        for (const inner of bodies) countAssignments(inner, into)
        break
      }
      case 'while':
      case 'foreach':
        countAssignments(statement.body, { ...into, rounds: 2 })
        break
      default:
    }
  }
}

/** Hops whose edges a SELECT speaks of, by SELECT. */
const edgesUsed = new WeakMap<BoundSelect, ReadonlySet<number>>()

/** Whether the edge of a hop is wanted itself, and not only its other end. */
export function usesEdge(select: BoundSelect, hop: number): boolean {
  const known = edgesUsed.get(select)
  if (known !== undefined) return known.has(hop)
  const used = new Set(select.perHops)
  visit([select.where, select.accum?.body], (node) => {
    if (node.kind === 'edgeAlias') used.add((node as { readonly hop: number }).hop)
  })
  edgesUsed.set(select, used)
  return used.has(hop)
}

function visit(node: unknown, see: (node: AnyNode) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see)
  } else if (typeof node === 'object' && node !== null) {
    see(node)
    for (const child of Object.values(node)) visit(child, see)
  }
}
