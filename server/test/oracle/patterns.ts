/**
 * The match table of a SELECT: every row, one after the other, as the pattern is written. Rows of
 * several walks between the same vertices are beside each other (docs/decisions/0014).
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundHop, BoundPosition, BoundSelect, BoundStep } from '#query/ir/bound-select.ts'
import { evaluate, noRow, type Row } from './expressions.ts'
import type { Run } from './run.ts'
import { isState } from './state.ts'
import { type EdgeValue, Unsupported, type Vertex } from './values.ts'
import { ascending, vertexSet } from './vertex-sets.ts'

/** Rows that the interpreter is willing to enumerate. */
const ROWS_MAX = 2_000_000

interface Partial {
  /** So many walks lead to it: as many rows, one behind the other. */
  readonly count: number
  readonly vertices: (Vertex | undefined)[]
  readonly edges: (EdgeValue | null | undefined)[]
}

export function matchRows(run: Run, select: BoundSelect): readonly Row[] {
  if (select.sample !== null) throw new Unsupported('SAMPLE')
  const allowed = lazily(select.positions, (position) => candidates(run, position))
  const names = lazily(select.hops, (hop) => wantedNames(run, hop))
  const conditions = conjuncts(select.where)
  const start: Partial[] = allowed(0).map((vertex) => ({ count: 1, vertices: [vertex], edges: [] }))
  let rows: Partial[] = start
  let left = select.hops.map((_, i) => i)
  const known = new Set([0])
  while (left.length > 0) {
    // A hop between two known vertices is tested before one that leads on (docs/decisions/0014).
    const joins = left.find((i) => known.has(select.hops[i]!.from) && known.has(select.hops[i]!.to))
    const leads = left.find((i) => known.has(select.hops[i]!.from) || known.has(select.hops[i]!.to))
    const at = joins ?? leads
    if (at === undefined) throw new Unsupported('a pattern in two parts')
    const hop = select.hops[at]!
    // A name that is unknown is an error for rows that come to it: those that no condition on what
    // is known so far has refused. Conditions are met in their order.
    const isDecided = ({ positions, hops }: Conjunct): boolean =>
      positions.every((i) => known.has(i)) && !hops.some((i) => left.includes(i))
    const undecided = conditions.findIndex((one) => !isDecided(one))
    const decided = undecided < 0 ? conditions : conditions.slice(0, undecided)
    rows = rows.flatMap((row) => {
      const isRefused = decided.some(
        ({ node }) => evaluate(run, node, { row, locals: [] }) !== true,
      )
      return isRefused ? [] : extend(run, row, { hop, at, allowed, names: names(at) })
    })
    if (rows.length > ROWS_MAX) throw new Unsupported('too many rows')
    known.add(hop.from).add(hop.to)
    left = left.filter((i) => i !== at)
  }
  if (select.positions.some((_, i) => !known.has(i))) throw new Unsupported('a position alone')
  const { where } = select
  const matched =
    where === null ? rows : rows.filter((row) => evaluate(run, where, { row, locals: [] }) === true)
  const count = matched.reduce((sum, row) => sum + row.count, 0)
  if (count > ROWS_MAX) throw new Unsupported('too many rows')
  return matched.flatMap((row) => Array.from({ length: row.count }, () => row))
}

/** Computed when first asked for. */
function lazily<Item, Result>(
  items: readonly Item[],
  compute: (item: Item) => Result,
): (index: number) => Result {
  const known = new Map<number, Result>()
  return (index) => {
    if (!known.has(index)) known.set(index, compute(items[index]!))
    return known.get(index)!
  }
}

interface Conjunct {
  readonly node: BoundExpression
  /** Positions and hops that it speaks of. */
  readonly positions: readonly number[]
  readonly hops: readonly number[]
}

function conjuncts(node: BoundExpression | null): readonly Conjunct[] {
  if (node === null) return []
  if (node.kind === 'and') return [...conjuncts(node.left), ...conjuncts(node.right)]
  const text = JSON.stringify(node, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const numbers = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, number]) => Number(number))
  return [{ node, positions: numbers(/"position":(\d+)/g), hops: numbers(/"hop":(\d+)/g) }]
}

function candidates(run: Run, { typeIds, within }: BoundPosition): readonly Vertex[] {
  const all = typeIds.flatMap((id) => run.graph.vertices.get(id) ?? [])
  if (within === null) return ascending(all)
  const members = new Set(vertexSet(run, within, noRow))
  return ascending(all.filter((vertex) => members.has(vertex)))
}

/** Names that edges must have; null: any. */
function wantedNames(run: Run, { names }: BoundHop): ReadonlySet<string> | null {
  if (names === null) return null
  const value = evaluate(run, names, noRow)
  return new Set(isState(value) ? (value.elements() as string[]) : [value as string])
}

interface Extension {
  readonly hop: BoundHop
  readonly at: number
  readonly allowed: (position: number) => readonly Vertex[]
  readonly names: ReadonlySet<string> | null
}

function extend(run: Run, row: Partial, extension: Extension): Partial[] {
  const { hop, at, allowed } = extension
  const from = row.vertices[hop.from]
  const to = row.vertices[hop.to]
  if (from === undefined && to !== undefined && hop.repeat === null) {
    return extendBack(run, row, extension, to)
  }
  const sources = from === undefined ? allowed(hop.from) : [from]
  const targets = new Set(to === undefined ? allowed(hop.to) : [to])
  return sources.flatMap((source) =>
    ends(run, source, extension)
      .filter(({ other }) => targets.has(other) && (hop.from !== hop.to || other === source))
      .map(({ other, edge, count }) => {
        const vertices = [...row.vertices]
        const edges = [...row.edges]
        vertices[hop.from] = source
        vertices[hop.to] = other
        edges[at] = edge
        return { count: row.count * count, vertices, edges }
      }),
  )
}

function extendBack(run: Run, row: Partial, extension: Extension, to: Vertex): Partial[] {
  const { hop, at, allowed, names } = extension
  const sources = new Set(allowed(hop.from))
  if (hop.failure !== null) evaluate(run, hop.failure, noRow)
  return stepsOf(hop, names)
    .flatMap((step) => run.graph.walkBack(to, step))
    .filter(({ other }) => sources.has(other))
    .map(({ other, edge }) => {
      const vertices = [...row.vertices]
      const edges = [...row.edges]
      vertices[hop.from] = other
      edges[at] = edge
      return { count: row.count, vertices, edges }
    })
}

function stepsOf({ steps }: BoundHop, names: ReadonlySet<string> | null): readonly BoundStep[] {
  return names === null ? steps : steps.filter(({ typeName }) => names.has(typeName))
}

interface End {
  readonly other: Vertex
  readonly edge: EdgeValue | null
  /** Walks that lead there. */
  readonly count: number
}

function ends(run: Run, source: Vertex, { hop, names }: Extension): readonly End[] {
  if (hop.failure !== null) evaluate(run, hop.failure, noRow)
  const steps = stepsOf(hop, names)
  if (hop.repeat === null) {
    return steps.flatMap((step) =>
      run.graph.walk(source, step).map(({ other, edge }) => ({ other, edge, count: 1 })),
    )
  }
  return repeated(run, source, { steps, min: hop.repeat.min, max: hop.repeat.max })
}

interface Repetition {
  readonly steps: readonly BoundStep[]
  readonly min: number
  readonly max: number | null
}

/**
 * For every end the shortest length within the bounds, one row for each walk of that length. Below
 * the lower bound every walk goes on; from it on, only vertices met for the first time do.
 */
function repeated(run: Run, source: Vertex, { steps, min, max }: Repetition): readonly End[] {
  const found: End[] = []
  const emitted = new Set<Vertex>()
  let frontier = new Map<Vertex, number>([[source, 1]])
  for (let length = 0; frontier.size > 0 && (max === null || length <= max); length++) {
    if (length >= min) {
      for (const vertex of frontier.keys()) if (emitted.has(vertex)) frontier.delete(vertex)
      for (const [vertex, count] of frontier) {
        emitted.add(vertex)
        if (count > ROWS_MAX) throw new Unsupported('too many walks')
        found.push({ other: vertex, edge: null, count })
      }
    }
    if (length > 10_000) throw new Unsupported('walks without an end')
    const next = new Map<Vertex, number>()
    for (const [vertex, count] of frontier) {
      for (const step of steps) {
        for (const { other } of run.graph.walk(vertex, step)) {
          next.set(other, (next.get(other) ?? 0) + count)
        }
      }
    }
    frontier = next
  }
  return found
}
