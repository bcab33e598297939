/**
 * Leaves the rows of deleted vertices out of a table: ids, columns and ordinals of the others, in the
 * order they had, and where each old row went.
 *
 * A pure function over a pinned view, so that it runs in a worker while writes go on. A row goes only
 * when both engines hold it deleted; one that they disagree about stays for `deleted_vertex_check`.
 */
import type { ColumnArray, VertexTableView } from '#graph/view.ts'
import { NumberIds } from '../ids/number-ids.ts'
import { ordinalOf } from '../ids/read.ts'
import { type StoredIds, StringIds } from '../ids/string-ids.ts'
import { allocateWords } from '../memory/allocate.ts'
import { isSet } from '../memory/bits.ts'
import { type ArrayKind, type ArrayOfKind, growableArray, sharedArray } from '../memory/growable.ts'
import { permuteColumn } from './permute.ts'

/** Where an old row goes that is left out. */
export const NO_ROW = 0xffff_ffff

export interface CompactJob {
  readonly table: VertexTableView
  /** The storage engine's own record; null: it holds none deleted. */
  readonly deletedIds: Uint32Array | null
}

/** Old row to new row, ascending where it is not NO_ROW. */
export interface Renumbering {
  readonly map: Uint32Array<SharedArrayBuffer>
  readonly count: number
}

export interface CompactedVertices {
  readonly rows: Renumbering
  readonly ids: StoredIds
  readonly columns: readonly ColumnArray[]
  readonly ordinals: Float64Array<SharedArrayBuffer>
  /** What each engine still holds deleted, by new row; null: nothing. */
  readonly deleted: Uint32Array<SharedArrayBuffer> | null
  readonly deletedIds: Uint32Array<SharedArrayBuffer> | null
}

export function compactVertices(job: CompactJob): CompactedVertices {
  const { table, deletedIds } = job
  const rows = renumber(job)
  const kept = keptRows(rows)
  const ordinals = growableArray('float64', kept.length)
  for (let row = 0; row < kept.length; row++) ordinals[row] = ordinalOf(table, kept[row]!)
  return {
    rows,
    ids: copyIds(table, kept),
    columns: table.columns.map((column) => permuteColumn(column, kept)),
    ordinals,
    deleted: bitsOf(kept, (row) => isSet(table.deleted, row)),
    deletedIds: bitsOf(kept, (row) => isMarked(deletedIds, row)),
  }
}

function renumber({ table, deletedIds }: CompactJob): Renumbering {
  const map = sharedArray('uint32', table.rowCount)
  let count = 0
  for (let row = 0; row < table.rowCount; row++) {
    const isGone = isSet(table.deleted, row) && isMarked(deletedIds, row)
    map[row] = isGone ? NO_ROW : count++
  }
  return { map, count }
}

function keptRows({ map, count }: Renumbering): Uint32Array {
  const kept = allocateWords(count)
  for (let row = 0; row < map.length; row++) if (map[row] !== NO_ROW) kept[map[row]!] = row
  return kept
}

function isMarked(words: Uint32Array | null, row: number): boolean {
  return words !== null && ((words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0
}

function bitsOf(
  kept: Uint32Array,
  isBit: (oldRow: number) => boolean,
): Uint32Array<SharedArrayBuffer> | null {
  const words = sharedArray('uint32', (kept.length + 31) >>> 5)
  let count = 0
  for (let row = 0; row < kept.length; row++) {
    if (!isBit(kept[row]!)) continue
    words[row >>> 5]! |= 1 << (row & 31)
    count += 1
  }
  return count === 0 ? null : words
}

function copyIds({ ids }: VertexTableView, kept: Uint32Array): StoredIds {
  const meter = { bytes: 0 }
  if (ids.offsets !== null) {
    const next = new StringIds(meter)
    for (const row of kept) next.add(ids.bytes!, ids.offsets[row]!, ids.offsets[row + 1]!)
    return exactIds(next)
  }
  const next = new NumberIds(ids.type, meter)
  const bytes = new Uint8Array(ids.values!.buffer, ids.values!.byteOffset, ids.values!.byteLength)
  for (const row of kept) next.add(bytes, row * 8, row * 8 + 8)
  return exactIds(next)
}

/** In arrays of just their length, as if they came out of a segment. */
function exactIds(ids: StringIds | NumberIds): StoredIds {
  const { slots, offsets, bytes, values } = ids.view()
  const { count } = ids
  return {
    count,
    slots,
    offsets: offsets === null ? null : exact('uint32', offsets, count + 1),
    bytes: bytes === null ? null : exact('uint8', bytes, offsets![count]!),
    values: values === null ? null : exact('int64', values, count),
  }
}

function exact<K extends ArrayKind>(
  kind: K,
  array: ArrayOfKind[K],
  length: number,
): ArrayOfKind[K] {
  const copy = growableArray(kind, length)
  const size = length * array.BYTES_PER_ELEMENT
  new Uint8Array(copy.buffer).set(new Uint8Array(array.buffer, array.byteOffset, size))
  return copy
}
