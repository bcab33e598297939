/**
 * Ids that resemble one that no vertex has: what a person may have meant. Letter case aside, an id
 * resembles another when it begins with it, differs by one or two keystrokes, or contains it.
 */
import { requireVertexType, vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog, VertexType } from '#catalog/types.ts'
import { idText } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import { readableVertexType } from '../read/attributes.ts'
import { JsonSink } from '../read/json-sink.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'
import { vertexWriter } from './vertex-json.ts'
import { tableOf } from './vertex-service.ts'

/** Rows that one request looks at; the answer tells when there were more. */
export const SIMILAR_ROWS_MAX = 250_000
/** What is contained in an id must be so long to say anything of it. */
const CONTAINED_LENGTH_MIN = 3
/** Shorter ids differ by one keystroke at most, or all of them would resemble each other. */
const TWO_KEYSTROKES_LENGTH_MIN = 5
/** A text longer than this was pasted, not typed: how far it is from others is not worth its time. */
const COMPARED_LENGTH_MAX = 128

export interface SimilarRequest {
  readonly id: string
  /** Absent: all types. */
  readonly type?: string | undefined
  readonly limit: number
}

interface Candidate {
  readonly type: VertexType
  readonly row: number
  readonly rank: number
  readonly length: number
}

/** The JSON of `{vertices, complete}`, the likeliest first. */
export function* similarVertices(
  scope: ReadScope,
  { catalog, graph }: { readonly catalog: Catalog; readonly graph: string },
  { id, type: typeName, limit }: SimilarRequest,
): Sliced<Uint8Array> {
  const all = vertexTypesOf(catalog, graph)
  const types = typeName === undefined ? all : [requireVertexType(catalog, graph, typeName)]
  const best = new Best(limit)
  for (const type of all) {
    const row = findVertex(tableOf(scope.view, type), id)
    if (row >= 0 && !types.includes(type)) best.offer({ type, row, rank: 0, length: id.length })
  }
  const rank = likeness(id)
  let rowsLeft = SIMILAR_ROWS_MAX
  let rowsAll = 0
  for (const type of types) {
    const { rowCount } = tableOf(scope.view, type)
    const count = Math.min(rowCount, rowsLeft)
    yield* offerSimilar(scope, best, { type, count, rank })
    rowsAll += rowCount
    rowsLeft -= count
  }
  return write(scope, best.candidates, rowsAll <= SIMILAR_ROWS_MAX)
}

interface SearchedType {
  readonly type: VertexType
  /** So many of its rows are looked at. */
  readonly count: number
  readonly rank: (text: string) => number | null
}

function* offerSimilar(
  scope: ReadScope,
  best: Best,
  { type, count, rank }: SearchedType,
): Sliced<void> {
  const table = tableOf(scope.view, type)
  for (let row = 0; row < count; row++) {
    if ((row & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    if (isSet(table.deleted, row)) continue
    const text = idText(table.ids, row)
    const found = rank(text)
    if (found !== null) best.offer({ type, row, rank: found, length: text.length })
  }
}

function write(scope: ReadScope, found: readonly Candidate[], isComplete: boolean): Uint8Array {
  const sink = new JsonSink(RESPONSE_SIZE_BYTES_DEFAULT)
  sink.text('{"vertices":[')
  found.forEach(({ type, row }, position) => {
    if (position > 0) sink.byte(0x2c)
    const table = tableOf(scope.view, type)
    vertexWriter(table, readableVertexType(type, table).attributes)(sink, row)
  })
  sink.text(`],"complete":${isComplete}}`)
  return sink.finish()
}

/** The few best of many: by rank, then the shorter, then the one that came first. */
class Best {
  readonly #limit: number
  candidates: readonly Candidate[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(candidate: Candidate): void {
    const last = this.candidates.at(-1)
    if (this.candidates.length === this.#limit && byLikeness(candidate, last!) >= 0) return
    this.candidates = [...this.candidates, candidate].sort(byLikeness).slice(0, this.#limit)
  }
}

const byLikeness = (a: Candidate, b: Candidate): number => a.rank - b.rank || a.length - b.length

/** How a text resembles the wanted one, smaller is more; null: it does not. */
export function likeness(wanted: string): (text: string) => number | null {
  const target = wanted.trim().toLowerCase()
  const keystrokesMax = target.length >= TWO_KEYSTROKES_LENGTH_MIN ? 2 : target.length > 1 ? 1 : 0
  const isContained = target.length >= CONTAINED_LENGTH_MIN
  if (target === '' || target.length > COMPARED_LENGTH_MAX) return () => null
  return (text) => {
    if (text.length < target.length - keystrokesMax) return null
    const lower = text.toLowerCase()
    if (lower.startsWith(target)) return lower.length === target.length ? 0 : 1
    if (lower.length <= target.length + keystrokesMax) {
      const keystrokes = keystrokesBetween(target, lower, keystrokesMax)
      if (keystrokes <= keystrokesMax) return keystrokes
    }
    return isContained && lower.includes(target) ? 3 : null
  }
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one text into the other
 * (optimal string alignment); more than `max` as soon as it is sure.
 */
function keystrokesBetween(a: string, b: string, max: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, before[j - 2]! + 1)
      current.push(least)
    }
    if (Math.min(...current) > max) return max + 1
    before = previous
    previous = current
  }
  return previous[b.length]!
}
