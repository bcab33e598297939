/**
 * Log entries of kind 2: the catalogue after a schema change, as JSON. Of a catalogue with more than a few
 * types and graphs only what the change has made is written; what is as it was is named by its place in
 * the catalogue before (docs/formats/mutation-frame.md).
 */
import type { Catalog } from '#catalog/types.ts'
import { DbError, newerFormat } from '#kernel/errors.ts'
import { FRAME_VERSION, frameKind } from './mutate/frame-format.ts'

const HEADER_SIZE_BYTES = 2
/** A whole catalogue whose change converts columns: a program that knows version 1 only would make them empty. */
const CONVERTING_VERSION = 2
const DIFFERENCE_VERSION = 3

/** Catalogues of up to so many graphs and types are written whole. */
export const WHOLE_CATALOG_PARTS_MAX = 16

const lists = ['graphs', 'vertexTypes', 'edgeTypes', 'tuples', 'accums'] as const

/** Of a list: a part that is new, or where parts of the list before begin and how many. */
type Piece = object | readonly [start: number, count: number]

interface Difference {
  /** Version of the catalogue that it is the difference to. */
  readonly from: number
  /** As the catalogue, with pieces for its lists. */
  readonly catalog: Readonly<Record<string, unknown>>
}

/** @param before the catalogue that the entry is applied to; null: not to be relied on */
export function encodeCatalog(
  catalog: Catalog,
  before: Catalog | null,
  isConverting = false,
): Uint8Array {
  if (before !== null && partCount(before) > WHOLE_CATALOG_PARTS_MAX) {
    return entryOf(DIFFERENCE_VERSION, differenceOf(catalog, before))
  }
  return entryOf(isConverting ? CONVERTING_VERSION : FRAME_VERSION, catalog)
}

function entryOf(version: number, value: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value))
  const bytes = new Uint8Array(HEADER_SIZE_BYTES + json.length)
  bytes[0] = frameKind.catalog
  bytes[1] = version
  bytes.set(json, HEADER_SIZE_BYTES)
  return bytes
}

function partCount({ graphs, vertexTypes, edgeTypes }: Catalog): number {
  return graphs.length + vertexTypes.length + edgeTypes.length
}

function differenceOf(catalog: Catalog, before: Catalog): Difference {
  const members = Object.entries(catalog).map(([name, value]) => {
    const list = lists.find((one) => one === name)
    const parts = list === undefined ? undefined : catalog[list]
    return [name, list && parts ? piecesOf(parts, before[list] ?? []) : value]
  })
  return { from: before.version, catalog: Object.fromEntries(members) }
}

function piecesOf(parts: readonly object[], before: readonly object[]): Piece[] {
  const places = new Map(before.map((part, place) => [part, place]))
  const pieces: Piece[] = []
  let run: [start: number, count: number] | null = null
  for (const part of parts) {
    const place = places.get(part)
    if (place === undefined) {
      run = null
      pieces.push(part)
    } else if (run !== null && run[0] + run[1] === place) run[1]++
    else {
      run = [place, 1]
      pieces.push(run)
    }
  }
  return pieces
}

/**
 * @param before the catalogue that the entry is applied to: parts that are as they were are its own
 * @throws DbError UNSUPPORTED_FORMAT, CORRUPT_LOG
 */
export function decodeCatalog(entry: Uint8Array, before: Catalog): Catalog {
  if (entry[0] !== frameKind.catalog) throw new DbError('CORRUPT_LOG', 'not a catalogue entry')
  const version = entry[1]!
  if (version < FRAME_VERSION || version > DIFFERENCE_VERSION) {
    throw newerFormat('the catalogue in the commit log has', version, DIFFERENCE_VERSION)
  }
  const value = jsonOf(entry)
  return version === DIFFERENCE_VERSION ? applied(value as Difference, before) : (value as Catalog)
}

function jsonOf(entry: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(entry.subarray(HEADER_SIZE_BYTES)))
  } catch (cause) {
    throw new DbError('CORRUPT_LOG', 'catalogue entry is no JSON', { cause })
  }
}

function applied({ from, catalog }: Difference, before: Catalog): Catalog {
  if (from !== before.version) {
    const text = `a schema change is of version ${from} of the catalogue, and the log is at version ${before.version}`
    throw new DbError('CORRUPT_LOG', text)
  }
  const members = Object.entries(catalog).map(([name, value]) => {
    const list = lists.find((one) => one === name)
    if (list === undefined) return [name, value]
    return [name, partsOf(value as readonly Piece[], before[list] ?? [])]
  })
  return Object.fromEntries(members) as Catalog
}

function partsOf(pieces: readonly Piece[], before: readonly object[]): readonly object[] {
  const [first] = pieces
  // Plans and caches tell by identity that nothing has changed.
  if (pieces.length === 1 && Array.isArray(first) && first[1] === before.length) return before
  return pieces.flatMap((piece) => {
    if (!Array.isArray(piece)) return [piece]
    const [start = 0, count = 0] = piece as readonly number[]
    if (start + count <= before.length) return before.slice(start, start + count)
    throw new DbError('CORRUPT_LOG', 'a schema change names types that the catalogue has not')
  })
}
