/** Loads a segment set: every array is used as it was read, nothing is computed from it. */
import type { Attribute, Catalog, TupleType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { DbError } from '#kernel/errors.ts'
import type { SegmentManifest, Store } from '#storage/store.ts'
import { Adjacency, type BaseEdges } from '../adjacency/adjacency.ts'
import { Column } from '../columns/column.ts'
import { arrayKindOf, strideOf } from '../columns/kinds.ts'
import type { DeletedIds } from '../gse/deleted-ids.ts'
import type { StoredIds } from '../ids/string-ids.ts'
import { Bits } from '../memory/bits.ts'
import { type ArrayKind, type ArrayOfKind, sharedArray, viewOfKind } from '../memory/growable.ts'
import { EdgeTable } from '../tables/edge-table.ts'
import type { Tables } from '../tables/tables.ts'
import { VertexTable } from '../tables/vertex-table.ts'
import { BlobsAhead } from './blobs-ahead.ts'
import {
  type BlobKey,
  decodeDescription,
  keysOf,
  type SegmentDescription,
  type StoredAdjacency,
  type StoredColumnKeys,
  type StoredIdKeys,
  type StoredVertexTable,
} from './segment-format.ts'

export interface LoadSource {
  readonly store: Store
  readonly tables: Tables
  readonly deletedIds: DeletedIds
  /** Called between columns. @throws what ends the reading */
  readonly yieldToOthers: () => Promise<void>
}

interface LoadTarget extends LoadSource {
  readonly blobs: BlobsAhead
}

export interface LoadedSegments {
  readonly description: SegmentDescription
  readonly catalog: Catalog
}

/** @throws DbError CORRUPT_SEGMENT, UNSUPPORTED_FORMAT: the engine then does not start. */
export async function readSegments(
  from: LoadSource,
  manifest: SegmentManifest,
): Promise<LoadedSegments> {
  const description = decodeDescription(manifest.description)
  const { vertexTables, adjacencies: storedAdjacencies } = description
  const keys = [...vertexTables, ...storedAdjacencies].flatMap(keysOf)
  const blobs = new BlobsAhead(from.store, keys)
  const target = { ...from, blobs }
  const catalog = JSON.parse(
    new TextDecoder().decode((await from.store.readBlob(description.catalog!)).slice()),
  ) as Catalog
  for (const stored of vertexTables) await readVertices(target, catalog, stored)
  for (const type of catalog.edgeTypes) {
    const adjacencies: Adjacency[] = []
    for (const stored of storedAdjacencies) {
      if (stored.typeId !== type.id) continue
      adjacencies.push(await readEdges(target, catalog, stored))
    }
    const { memory } = target.tables
    target.tables.edges.set(type.id, new EdgeTable(type, catalog.tuples, memory, adjacencies))
  }
  return { description, catalog }
}

async function readVertices(
  target: LoadTarget,
  catalog: Catalog,
  stored: StoredVertexTable,
): Promise<void> {
  const { blobs, tables, deletedIds } = target
  const type = catalog.vertexTypes.find(({ id }) => id === stored.typeId)
  if (type === undefined) throw damaged(`no vertex type ${stored.typeId}`)
  const { meter, versions } = tables.memory
  const deleted = stored.deleted === null ? undefined : await read(blobs, 'uint32', stored.deleted)
  const table = new VertexTable(type, catalog.tuples, tables.memory, {
    ids: await readIds(blobs, stored, stored.rowCount),
    retired: stored.retired ? await readIds(blobs, stored.retired, stored.retired.count) : null,
    ordinals: stored.ordinals ? await read(blobs, 'float64', stored.ordinals) : null,
    nextOrdinal: stored.nextOrdinal ?? stored.rowCount,
    columns: await readColumns(target, storedAttributes(type), catalog.tuples, stored.columns),
    deleted: new Bits(meter, versions, deleted),
  })
  tables.vertices.set(type.id, table)
  if (stored.deletedIds !== null) {
    deletedIds.restore(type.id, await read(blobs, 'uint32', stored.deletedIds))
  }
}

async function readIds(blobs: BlobsAhead, stored: StoredIdKeys, count: number): Promise<StoredIds> {
  const { slots, offsets, bytes, values } = stored
  return {
    count,
    slots: await read(blobs, 'uint32', slots),
    offsets: offsets === null ? null : await read(blobs, 'uint32', offsets),
    bytes: bytes === null ? null : await read(blobs, 'uint8', bytes),
    values: values === null ? null : await read(blobs, 'int64', values),
  }
}

async function readEdges(
  target: LoadTarget,
  catalog: Catalog,
  stored: StoredAdjacency,
): Promise<Adjacency> {
  const { blobs, tables } = target
  const type = catalog.edgeTypes.find(({ id }) => id === stored.typeId)!
  const { count, fromCount, toCount } = stored
  const base: BaseEdges = {
    count,
    fromCount,
    toCount,
    outOffsets: await read(blobs, 'uint32', stored.outOffsets),
    outTargets: await read(blobs, 'uint32', stored.outTargets),
    inOffsets: await read(blobs, 'uint32', stored.inOffsets),
    inSources: await read(blobs, 'uint32', stored.inSources),
    inRows: await read(blobs, 'uint32', stored.inRows),
  }
  checkBase(base, stored)
  const columns = await readColumns(target, type.attributes, catalog.tuples, stored.columns)
  return new Adjacency(type, stored, tables.memory, { base, columns })
}

function checkBase(base: BaseEdges, stored: StoredAdjacency): void {
  const { count, fromCount, toCount } = base
  const fits =
    base.outOffsets.length === fromCount + 1 &&
    base.inOffsets.length === toCount + 1 &&
    [base.outTargets, base.inSources, base.inRows].every((array) => array.length === count) &&
    base.outOffsets[fromCount] === count &&
    base.inOffsets[toCount] === count
  if (!fits) throw damaged(`edges of type ${stored.typeId} do not fit their counts`)
}

async function readColumns(
  target: LoadTarget,
  attributes: readonly Attribute[],
  tuples: readonly TupleType[],
  stored: readonly StoredColumnKeys[],
): Promise<Column[]> {
  const columns: Column[] = []
  for (const keys of stored) {
    const attribute = attributes.find(({ id }) => id === keys.attributeId)
    if (attribute === undefined) throw damaged(`no attribute ${keys.attributeId}`)
    const column = await readColumn(target.blobs, keys)
    if (column.data.length % strideOf(attribute.type) !== 0) {
      throw damaged(`the vectors of attribute ${keys.attributeId} are cut off`)
    }
    columns.push(new Column(attribute, tuples, target.tables.memory, column))
    await target.yieldToOthers()
  }
  return columns
}

async function readColumn(
  blobs: BlobsAhead,
  keys: StoredColumnKeys,
): Promise<ConstructorParameters<typeof Column>[3] & object> {
  const { storage } = keys
  const data = await read(blobs, arrayKindOf(storage), keys.data)
  if (keys.heap === null) return { storage, data, heap: null }
  const bytes = await read(blobs, 'uint8', keys.heap)
  const offsets = keys.heapOffsets === null ? null : await read(blobs, 'uint32', keys.heapOffsets)
  return { storage, data, heap: { bytes, offsets } }
}

async function read<K extends ArrayKind>(
  blobs: BlobsAhead,
  kind: K,
  key: BlobKey,
): Promise<ArrayOfKind[K]> {
  if (key === null) return sharedArray(kind, 0)
  return viewOfKind(kind, await blobs.take(key))
}

function damaged(what: string): DbError {
  return new DbError('CORRUPT_SEGMENT', `segments: ${what}`)
}
