import { describe, expect, it } from 'vitest'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  openEngine,
  realScheduler,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { FrameCursor } from './mutate/frame-cursor.ts'
import { withKey, withKeyInPieces } from './mutate/keyed-frame.ts'
import { OutcomeBuilder } from './mutate/outcome.ts'
import { withPosition } from './mutate/positioned-frame.ts'
import { commitKey, RecentKeys } from './recent-keys.ts'

const catalog = catalogOf([vertexType(1, 'person', { attributes: attributes({ n: 'INT' }) })])
const key = commitKey('eva', 'request 1')

function addOne(): Uint8Array {
  return new FrameBuilder(catalog).vertex('person', 'p', { n: 1 }, 2).finish()
}

function outcomeOf(sequence: number, skippedCount = 0) {
  const builder = new OutcomeBuilder()
  for (let n = 0; n < skippedCount; n++) builder.skippedVertices.push({ typeId: 1, id: `${n}` })
  return builder.finish(sequence)
}

describe('a key', () => {
  it('differs by user, key and part', () => {
    const keys = [commitKey('a', 'b'), commitKey('ab', ''), commitKey('a', 'b', 1)]
    expect(new Set([...keys, commitKey('a', 'b')]).size).toBe(3)
  })

  it('stands in the frame in front of what each older version holds', () => {
    const positioned = withPosition(addOne(), { run: 'r', statement: 1, input: 2, line: 3 })
    for (const frame of [addOne(), positioned]) {
      const cursor = new FrameCursor(withKey(frame, key))
      const plain = new FrameCursor(frame)
      expect(cursor.key).toBe(key)
      expect(plain.key).toBeNull()
      expect(cursor.position).toEqual(plain.position)
      expect([cursor.nextRun(), cursor.count]).toEqual([plain.nextRun(), plain.count])
    }
    expect(() => new FrameCursor(withKey(addOne(), key).subarray(0, 20))).toThrow('cut off')
  })

  it('is put in front of a long batch in pieces, with turns for others between them', async () => {
    let turns = 0
    const scheduler = {
      yieldToOthers: () => {
        turns += 1
        return realScheduler.yieldToOthers()
      },
    }
    // A clock at rest: no slice is ever late. Turns beyond those of a batch without a key are those of the copy.
    const clock = { nowMs: () => 0, monotonicMs: () => 0 }
    const long = new FrameBuilder(catalog)
    for (let n = 0; n < 3_000; n++) long.vertex('person', `${n} ${'x'.repeat(400)}`, { n })
    const frame = long.finish()
    const pieces = Math.ceil(frame.length / (512 * 1024))
    expect(pieces).toBeGreaterThan(2)
    const keyed = await withKeyInPieces(frame, key, scheduler.yieldToOthers)
    expect(keyed).toEqual(withKey(frame, key))
    expect(turns).toBe(pieces - 1)

    const engine = await openEngine(new MemoryStore(), { scheduler, clock })
    await engine.changeCatalog(() => catalog)
    turns = 0
    await engine.commit(frame)
    const turnsWithoutKey = turns
    turns = 0
    const both = await Promise.all([1, 2].map(() => engine.commit(frame, { key })))
    expect(turns).toBe(turnsWithoutKey + pieces - 1)
    expect(both[0]).toEqual(both[1])
    expect(both[0]).toMatchObject({ acceptedVertices: 3_000 })
  })

  it('is applied once, at the same time or later, and after a restart and a fold', async () => {
    const store = new MemoryStore()
    const engine = await engineWith(catalog, store)
    await engine.commit(addOne())
    const both = await Promise.all([1, 2].map(() => engine.commit(addOne(), { key })))
    expect(both[0]).toEqual(both[1])
    const sequence = engine.sequence
    expect(await engine.commit(addOne(), { key })).toEqual(both[0])
    const restarted = await openEngine(store)
    expect(await restarted.commit(addOne(), { key, ack: 'none' })).toEqual(both[0])
    await restarted.rebuild()
    const folded = await openEngine(store)
    expect(await folded.commit(addOne(), { key })).toEqual(both[0])
    expect(folded.sequence).toBe(sequence)
    await folded.commit(addOne(), { key: commitKey('eva', 'request 2') })
    expect(folded.sequence).toBe(sequence + 1)
  })

  it('with ack=none is waited for by a repeat until it is applied', async () => {
    const engine = await engineWith(catalog)
    const planned = engine.commit(addOne(), { key, ack: 'none' })
    const repeated = engine.commit(addOne(), { key })
    expect((await planned).acceptedVertices).toBe(1)
    expect((await repeated).sequence).toBe(engine.sequence)
    await engine.settled()
    expect(engine.sequence).toBe((await repeated).sequence)
  })

  it('of a refused commit may be used again', async () => {
    const engine = await engineWith(catalog)
    const other = catalogOf([vertexType(7, 'gone')])
    const bad = new FrameBuilder(other).vertex('gone', 'x').finish()
    await expect(engine.commit(bad, { key })).rejects.toMatchObject({ code: 'SCHEMA_RULE' })
    expect((await engine.commit(addOne(), { key })).acceptedVertices).toBe(1)
  })
})

describe('recent keys', () => {
  it('forget the oldest beyond their number, and beyond their names', () => {
    const keys = new RecentKeys(3, 10)
    for (let n = 1; n <= 4; n++) keys.note(`${n}`, outcomeOf(n))
    expect([keys.get('1'), keys.get('2')?.sequence, keys.count]).toEqual([undefined, 2, 3])
    keys.note('5', outcomeOf(5, 10))
    keys.note('6', outcomeOf(6, 1))
    expect([keys.get('5'), keys.get('6')?.sequence, keys.count]).toEqual([undefined, 6, 1])
  })

  it('do not remember a conflict: the query runs again', () => {
    const keys = new RecentKeys()
    keys.note('a', { ...outcomeOf(1), isInConflict: true })
    expect(keys.get('a')).toBeUndefined()
  })

  it('are stored and restored in their order', () => {
    const keys = new RecentKeys()
    for (let n = 0; n < 5_000; n++) keys.note(`${n}`, outcomeOf(n + 1, n % 3))
    const restored = new RecentKeys(4_999)
    restored.restore(Buffer.concat([...keys.stored()]))
    expect([restored.count, restored.get('0')]).toEqual([4_999, undefined])
    expect(restored.get('4')).toEqual(keys.get('4'))
    expect(() => restored.restore(Buffer.from('no json\n'))).toThrow('no JSON')
  })
})
