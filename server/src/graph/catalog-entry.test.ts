/** Entries of schema changes: whole catalogues, and differences to the one before. */
import { describe, expect, it } from 'vitest'
import type { Catalog, VertexType } from '#catalog/types.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { catalogOf, edgeType, openEngine, vertexType } from '../../test/fixtures/engine.ts'
import { decodeCatalog, encodeCatalog, WHOLE_CATALOG_PARTS_MAX } from './catalog-entry.ts'

const SEED = Number(process.env['QUIVER_SEED'] ?? 29)
const DIFFERENCE = 3

/** So many vertex types, an edge type and a graph. */
function catalogWith(count: number): Catalog {
  const types = Array.from({ length: count }, (_, at) => vertexType(at + 2, `V${at}`))
  return catalogOf(types, [edgeType(1, 'E', [2, 2])])
}

const several = catalogWith(WHOLE_CATALOG_PARTS_MAX)

/** One change of some kind, as services make them: what is as it was is the same object. */
function changed(catalog: Catalog, random: Random): Catalog {
  const { vertexTypes, nextTypeId, version, graphs } = catalog
  const next = { ...catalog, version: version + 1 }
  const place = random.below(vertexTypes.length)
  switch (random.below(7)) {
    case 0: {
      const added = vertexType(nextTypeId, `V${nextTypeId}`)
      return { ...next, nextTypeId: nextTypeId + 1, vertexTypes: [...vertexTypes, added] }
    }
    case 1:
      if (vertexTypes.length <= WHOLE_CATALOG_PARTS_MAX) return next
      return { ...next, vertexTypes: vertexTypes.filter((_, at) => at !== place) }
    case 2: {
      const described = (type: VertexType, at: number) =>
        at === place ? { ...type, description: `as of ${version}` } : type
      return { ...next, vertexTypes: vertexTypes.map(described) }
    }
    case 3:
      return { ...next, vertexTypes: vertexTypes.toReversed() }
    case 4:
      return { ...next, tuples: [...catalog.tuples, { name: `U${version}`, fields: [] }] }
    case 5:
      return { ...next, accums: [...(catalog.accums ?? []), { name: `A${version}`, text: '' }] }
    default: {
      const graph = { name: `g${version}`, vertexTypeIds: [], edgeTypeIds: [], schemaVersion: 1 }
      const { imported: _, ...rest } = next
      // A member that comes and goes.
      const imported = { id: `${version}`, graphs: {}, typeIds: [place] }
      return { ...rest, graphs: [...graphs, graph], ...(random.below(2) === 0 && { imported }) }
    }
  }
}

describe('an entry of a schema change', () => {
  it('is the whole catalogue while there are few types, as older programs wrote it', () => {
    const few = catalogWith(3)
    const entry = encodeCatalog({ ...few, version: 2 }, few)
    expect([...entry.subarray(0, 2)]).toEqual([2, 1])
    expect(encodeCatalog(several, null)[1]).toBe(1)
    expect(decodeCatalog(entry, several)).toEqual({ ...few, version: 2 })
  })

  it(`gives the catalogue that was written, whatever has changed (seed ${SEED})`, () => {
    const random = createRandom(SEED)
    let written = several
    let read: Catalog = JSON.parse(JSON.stringify(several))
    for (let step = 0; step < 500; step++) {
      const next = changed(written, random)
      const entry = encodeCatalog(next, written)
      expect(entry[1]).toBe(DIFFERENCE)
      read = decodeCatalog(entry, read)
      // Texts, for checksums of catalogues are those of their JSON: the order of members counts.
      expect(JSON.stringify(read), `step ${step}`).toBe(JSON.stringify(next))
      written = next
    }
  })

  it('holds what has changed alone, and leaves the rest as it is', () => {
    const many = catalogWith(1_000)
    const added = vertexType(5_000, 'New')
    const next = { ...many, version: 2, vertexTypes: [...many.vertexTypes, added] }
    const entry = encodeCatalog(next, many)
    expect(entry.length).toBeLessThan(1_000)
    const read = decodeCatalog(entry, many)
    expect(read.edgeTypes).toBe(many.edgeTypes)
    expect(read.vertexTypes.slice(0, -1).every((one, at) => one === many.vertexTypes[at])).toBe(
      true,
    )
  })

  it('of another catalogue than the one at hand is damage', () => {
    const next = { ...several, version: 7 }
    const entry = encodeCatalog({ ...next, version: 8 }, next)
    expect(() => decodeCatalog(entry, several)).toThrow(/CORRUPT_LOG|version 7/)
    const short = { ...several, version: 7, vertexTypes: [] }
    expect(() => decodeCatalog(entry, short)).toThrow('types that the catalogue has not')
  })

  it('of a later version is refused, and no JSON is damage', () => {
    const entry = encodeCatalog(several, null)
    expect(() => decodeCatalog(Uint8Array.of(2, 4, ...entry.subarray(2)), several)).toThrow('newer')
    expect(() => decodeCatalog(entry.subarray(0, -1), several)).toThrow('no JSON')
  })
})

it('schema changes of many types are made whole or not at all, whatever write fails', async () => {
  for (const moment of ['before', 'torn', 'after'] as const) {
    for (let operation = 1; operation <= 14; operation++) {
      const random = createRandom(SEED + operation)
      const image = createMemoryImage()
      const fault = { operation, moment, code: 'STORE_FAILED' } as const
      const engine = await openEngine(new FaultyStore(new MemoryStore(image), fault))
      // What may be there after a start: the last acknowledged one, or the one that failed.
      let allowed = [JSON.stringify(engine.catalog)]
      for (let step = 0; step < 12; step++) {
        let next: Catalog | null = null
        const change = (old: Catalog) => {
          next = old.vertexTypes.length === 0 ? several : changed(old, random)
          return next
        }
        const isDone = await engine.changeCatalog(change).then(
          () => true,
          () => false,
        )
        if (next !== null)
          allowed = isDone ? [JSON.stringify(next)] : [...allowed, JSON.stringify(next)]
        if (!isDone) break
        if (step === 5) await engine.rebuild().catch(() => {})
      }
      const restarted = await openEngine(new MemoryStore(image))
      expect(allowed, `write ${operation} ${moment}`).toContain(JSON.stringify(restarted.catalog))
      await restarted.changeCatalog((old) => ({ ...old, version: old.version + 1 }))
      const again = await openEngine(new MemoryStore(image))
      expect(again.catalog.version).toBe(restarted.catalog.version)
    }
  }
}, 120_000)
