import { describe, expect, it, vi } from 'vitest'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'

const types = attributes({ name: 'STRING', age: 'INT', score: 'DOUBLE', wide: 'UINT', on: 'BOOL' })
const catalog = catalogOf([
  vertexType(1, 'Person', {
    attributes: types,
    indexes: types.map((one) => ({ name: `by_${one.name}`, attributeId: one.id })),
  }),
])
const frame = () => new FrameBuilder(catalog)

async function filled(count: number) {
  const engine = await engineWith(catalog)
  const builder = frame()
  for (let i = 0; i < count; i++) {
    builder.vertex('Person', `p${i}`, {
      name: `n${i % 10}`,
      age: i - 50,
      score: i / 4,
      wide: 2n ** 63n + BigInt(i),
      on: i % 2 === 1,
    })
  }
  await engine.commit(builder.finish())
  return engine
}

describe('a secondary index', () => {
  it('finds rows by equal values of every type', async () => {
    const engine = await filled(100)
    expect([...engine.lookupEqual(1, 1, ['n3'])!]).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93])
    expect([...engine.lookupEqual(1, 2, [-7])!]).toEqual([43])
    expect([...engine.lookupEqual(1, 3, [2.5])!]).toEqual([10])
    expect([...engine.lookupEqual(1, 4, [2n ** 63n + 5n])!]).toEqual([5])
    expect(engine.lookupEqual(1, 5, [true])!.length).toBe(50)
    expect(engine.lookupEqual(1, 1, ['none'])!.length).toBe(0)
    expect(engine.lookupEqual(1, 9, [1])).toBeNull()
  })

  it('finds rows by any of several values, changed ones among them', async () => {
    const engine = await filled(6000)
    await engine.commit(frame().vertex('Person', 'p7', { age: 7777, name: 'new' }).finish())
    expect([...engine.lookupEqual(1, 2, [7777, -50, -43, -50])!]).toEqual([0, 7])
    expect([...engine.lookupEqual(1, 1, ['new', 'none'])!]).toEqual([7])
    expect(engine.lookupEqual(1, 2, [])!.length).toBe(0)
    // Neighbours beyond 2^53 are one key and one double.
    const wide = [2n ** 63n + 5n, 2n ** 63n + 8n]
    expect([...engine.lookupEqual(1, 4, wide)!]).toEqual([5, 8])
    expect([...engine.lookupEqual(1, 3, [Number.NaN, 2.5, 0.25])!]).toEqual([1, 10])
  })

  it('looks at each changed row once, however many values are wanted', async () => {
    const engine = await filled(6000)
    engine.lookupEqual(1, 2, [0])
    const many = frame()
    for (let i = 0; i < 4000; i++) many.vertex('Person', `p${i}`, { age: i })
    await engine.commit(many.finish())
    const { column } = engine.tables.vertexTable(1)!.indexOn(2)!
    const read = vi.spyOn(column, 'readNumber')
    const rows = engine.lookupEqual(
      1,
      2,
      Array.from({ length: 128 }, (_, value) => value),
    )!
    expect(rows.length).toBe(128)
    expect(read.mock.calls.length).toBeLessThan(5000)
  })

  it('finds ranges with inclusive and open bounds', async () => {
    const engine = await filled(100)
    expect([...engine.lookupRange(1, 2, { low: -2, high: 1 })!]).toEqual([48, 49, 50, 51])
    expect([...engine.lookupRange(1, 2, { low: 48 })!]).toEqual([98, 99])
    expect([...engine.lookupRange(1, 3, { high: 0.5 })!]).toEqual([0, 1, 2])
  })

  it('follows updates, deletes and new rows, and survives a merge', async () => {
    const engine = await filled(6000)
    expect(engine.lookupEqual(1, 2, [-50])!.length).toBe(1)
    await engine.commit(frame().vertex('Person', 'p7', { age: 7777 }).finish())
    await engine.commit(frame().vertex('Person', 'new', { age: 7777 }).finish())
    expect([...engine.lookupEqual(1, 2, [7777])!]).toEqual([7, 6000])
    expect([...engine.lookupEqual(1, 2, [-43])!]).toEqual([])
    await engine.commit(frame().deleteVertex('Person', 'p7').finish())
    expect([...engine.lookupEqual(1, 2, [7777])!]).toEqual([6000])
    const many = frame()
    for (let i = 0; i < 5000; i++) many.vertex('Person', `p${i + 500}`, { age: 9 })
    await engine.commit(many.finish())
    expect(engine.lookupEqual(1, 2, [9])!.length).toBe(5001)
    expect([...engine.lookupEqual(1, 2, [7777])!]).toEqual([6000])
  })

  it('comes and goes with the catalogue', async () => {
    const engine = await filled(10)
    await engine.changeCatalog((old) => ({
      ...old,
      vertexTypes: old.vertexTypes.map((type) => ({ ...type, indexes: type.indexes.slice(0, 1) })),
    }))
    expect(engine.lookupEqual(1, 2, [1])).toBeNull()
    expect(engine.lookupEqual(1, 1, ['n1'])!.length).toBe(1)
  })

  it('is built beside writes when the table is large, and scans serve until then', async () => {
    const engine = await filled(60_000)
    expect(engine.lookupEqual(1, 2, [7])).toBeNull()
    await engine.commit(
      frame().vertex('Person', 'p57', { age: 8 }).deleteVertex('Person', 'p30050').finish(),
    )
    await engine.commit(frame().vertex('Person', 'new', { age: 7 }).finish())
    let rows = engine.lookupEqual(1, 2, [7])
    while (rows === null) {
      await new Promise((resolve) => setImmediate(resolve))
      rows = engine.lookupEqual(1, 2, [7])
    }
    expect([...rows]).toEqual([60_000])
    expect([...engine.lookupEqual(1, 2, [8])!]).toEqual([57, 58])
    expect([...engine.lookupRange(1, 2, { low: 29_998, high: 30_001 })!]).toEqual([
      30_048, 30_049, 30_051,
    ])
  })

  it('of a large table takes changed rows in beside writes, a few at a time', async () => {
    const engine = await filled(60_000)
    while (engine.lookupEqual(1, 2, [7]) === null) await new Promise(setImmediate)
    const change = async (from: number, age: number) => {
      const many = frame()
      for (let i = from; i < from + 5_000; i++) many.vertex('Person', `p${i}`, { age })
      await engine.commit(many.finish())
    }
    await change(10, 100_001)
    const index = engine.tables.vertexTable(1)!.indexOn(2)!
    expect(index.needsWork).toBe(true)
    const pieces = index.work()
    let count = 0
    const step = () => {
      count += 1
      return pieces.next().done !== true
    }
    // Others write what is under way, and what is not, and look both up.
    for (let at = 0; at < 4; at++) expect(step()).toBe(true)
    expect(engine.lookupEqual(1, 2, [100_001])!.length).toBe(5_000)
    await engine.commit(
      frame().vertex('Person', 'p10', { age: 7 }).vertex('Person', 'p50000', { age: 7 }).finish(),
    )
    await engine.commit(frame().deleteVertex('Person', 'p11').finish())
    const look = () => {
      expect([...engine.lookupEqual(1, 2, [7])!]).toEqual([10, 50_000])
      expect(engine.lookupEqual(1, 2, [100_001])!.length).toBe(4_998)
    }
    look()
    while (step()) if (count % 2 === 0) look()
    look()
    expect(count).toBeGreaterThan(60_000 / 16_384 + 2)
    expect(index.contents()!.dirty).toEqual([10, 50_000, 11])
    await change(20_000, 100_002)
    expect(engine.lookupEqual(1, 2, [100_002])!.length).toBe(5_000)
    while (index.contents()!.dirty.length > 0) await new Promise(setImmediate)
    expect(engine.lookupEqual(1, 2, [100_002])!.length).toBe(5_000)
    look()
  })

  it('of a large table does not look at more dirty rows than a scan is worth', async () => {
    const engine = await filled(70_000)
    while (engine.lookupEqual(1, 2, [7]) === null) await new Promise(setImmediate)
    const many = frame()
    for (let i = 0; i < 66_000; i++) many.vertex('Person', `p${i}`, { age: 5 })
    await engine.commit(many.finish())
    expect(engine.lookupEqual(1, 2, [7])).toBeNull()
    while (engine.lookupEqual(1, 2, [7]) === null) await new Promise(setImmediate)
    expect(engine.lookupRange(1, 2, { low: 66_000 })!.length).toBe(3_950)
    expect(engine.lookupEqual(1, 2, [5]), 'more than are found in one go').toBeNull()
  })

  it('tells how much of it is built, in equal steps', async () => {
    const engine = await filled(70_000)
    const index = engine.tables.vertexTable(1)!.indexOn(2)!
    expect(index.builtShare).toBe(0)
    const shares = [...index.build().map(() => index.builtShare)]
    expect(shares.length).toBeGreaterThan(18)
    expect(shares).toEqual(shares.map((_, step) => step / shares.length))
    expect(index.builtShare).toBe(1)
  })

  it('counts as memory in use while it is there', async () => {
    const engine = await filled(10_000)
    const before = engine.memory().usedBytes
    engine.lookupEqual(1, 2, [7])
    expect(engine.memory().usedBytes).toBe(before + 80_000)
    await engine.changeCatalog((old) => ({
      ...old,
      vertexTypes: old.vertexTypes.map((type) => ({ ...type, indexes: [] })),
    }))
    expect(engine.memory().usedBytes).toBe(before)
  })
})
