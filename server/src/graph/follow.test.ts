import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import { REBUILD_DELTA_COUNT_MIN, REBUILD_LOG_BYTES_MIN } from '#kernel/limits.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { SharedMemoryStore } from '#storage/memory/shared-memory-store.ts'
import { attributes, catalogOf, FrameBuilder, vertexType } from '../../test/fixtures/engine.ts'
import {
  birthday,
  catalog,
  dumpOf,
  type Instance,
  likes,
  people,
  person,
  SharedEngines,
  turnOfLoop,
  WAIT_MS,
  widerCatalog,
} from '../../test/fixtures/shared-engines.ts'
import { commitKey } from './recent-keys.ts'

/** Large enough to be applied in slices. */
const LARGE_COUNT = 30_000

let engines: SharedEngines
const open: SharedEngines['open'] = (name, parts) => engines.open(name, parts)
const expectEqual = () => engines.expectEqual()

beforeEach(() => {
  engines = new SharedEngines()
})

afterEach(() => engines.close())

describe('an engine that follows', () => {
  it('applies what the writer commits, and refuses commits of its own', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(10, 1))
    await a.engine.commit(new FrameBuilder(catalog).edge('likes', ['p1', 'p2']).finish())
    await a.store.putDocument('users', 'eva', new Uint8Array([1]))
    await expectEqual()
    expect(b.engine.view().vertexTables[0]?.liveCount).toBe(10)
    expect(b.documents).toEqual([{ collection: 'users', key: 'eva', bytes: new Uint8Array([1]) }])
    await expect(b.engine.commit(people(1, 2))).rejects.toMatchObject({ code: 'NOT_WRITER' })
    await expect(b.engine.changeCatalog(() => catalogOf([]))).rejects.toMatchObject({
      code: 'NOT_WRITER',
    })
  })

  it('starts behind what others wrote, from segments and the log behind them', async () => {
    const a = await open('a')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(100, 1), { key: commitKey('u', 'first') })
    expect((await a.engine.rebuild()).isCheckpoint).toBe(true)
    await a.engine.commit(people(50, 2))
    const b = await open('b')
    await expectEqual()
    expect(b.engine.keys.get(commitKey('u', 'first'))).toMatchObject({ acceptedVertices: 100 })
  })

  it('shows a large batch whole or not at all', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    const seen = new Set<number>()
    const done = a.engine.commit(people(LARGE_COUNT, 1))
    const end = done.then(() => b.store.reached(engines.image.end, WAIT_MS))
    for (let isOver = false; !isOver; ) {
      seen.add(b.engine.view().vertexTables[0]?.rowCount ?? 0)
      isOver = await Promise.race([end.then(() => true), turnOfLoop().then(() => false)])
    }
    seen.delete(0)
    expect([...seen].filter((count) => count !== LARGE_COUNT)).toEqual([])
    await expectEqual()
  })

  it('converts columns when a type gets wider, and goes on', async () => {
    const a = await open('a')
    await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(2_000, 7))
    await a.engine.changeCatalog(() => widerCatalog)
    await a.engine.commit(people(10, 8, widerCatalog))
    await expectEqual()
    await a.engine.changeCatalog((now) => ({ ...now, version: 3, edgeTypes: [], graphs: [] }))
    await expectEqual()
  })

  it('folds deltas without segments, and answers alike', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(100, 1))
    await a.engine.commit(new FrameBuilder(catalog).edge('likes', ['p1', 'p2']).finish())
    await b.store.reached(engines.image.end, WAIT_MS)
    const { end } = engines.image
    expect(await b.engine.rebuild()).toMatchObject({ isCheckpoint: false })
    expect([engines.image.end, engines.image.memory.manifest]).toEqual([end, null])
    await a.engine.commit(new FrameBuilder(catalog).edge('likes', ['p3', 'p2']).finish())
    await expectEqual()
  })

  it('folds its deltas as the writer, and leaves the log to the next checkpoint', async () => {
    const a = await open('a')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(100, 1))
    await a.engine.rebuild()
    const { manifest } = engines.image.memory
    await a.engine.commit(manyLikes())
    expect(await a.engine.rebuildIfDue()).toMatchObject({ isCheckpoint: false })
    expect(await a.engine.rebuildIfDue()).toBeNull()
    expect(engines.image.memory.manifest).toBe(manifest)
    await open('b')
    await expectEqual()
    await a.engine.commit(birthday())
    expect(await a.engine.rebuild()).toMatchObject({ isCheckpoint: true })
    await open('c')
    await expectEqual()
  })

  it('reads at a start a log that is as long as a checkpoint lets it become, after many folds', async () => {
    const a = await open('a')
    await a.engine.changeCatalog(() => catalog)
    const logBytes = () => a.store.statistics().logSizeBytes
    const name = 'x'.repeat(REBUILD_LOG_BYTES_MIN / 5)
    for (let fold = 0; fold < 4; fold++) {
      await a.engine.commit(manyLikes(`${fold}`, name))
      expect(await a.engine.rebuildIfDue()).toMatchObject({ isCheckpoint: false })
    }
    expect(engines.image.memory.manifest).toBeNull()
    expect(logBytes()).toBeLessThan(REBUILD_LOG_BYTES_MIN)
    const b = await open('b')
    expect(b.engine.sequence).toBe(a.engine.sequence)
    // This one makes it too long, and a checkpoint begins by itself.
    await a.engine.commit(manyLikes('4', name))
    expect(await a.engine.rebuild()).toMatchObject({ isCheckpoint: false })
    expect(engines.image.memory.manifest?.foldedSequence).toBe(a.engine.sequence)
    expect(logBytes()).toBeLessThan(1_000)
    await b.store.reached(a.engine.sequence, WAIT_MS)
    const vertexCounts = [a, b].map(({ engine }) => engine.view().vertexTables[0]?.liveCount)
    expect(vertexCounts).toEqual([600, 600])
  })
})

/** Edges that make a rebuild due, to new vertices. @param name of a vertex */
function manyLikes(newIds = 'q', name = ''): Uint8Array {
  const frame = new FrameBuilder(catalog)
  frame.vertex('person', 'p0', { name })
  for (let n = 0; n < REBUILD_DELTA_COUNT_MIN; n++) {
    frame.edge('likes', [`p${Math.floor(n / 100)}`, `${newIds}.${n % 100}`])
  }
  return frame.finish()
}

describe('a new writer', () => {
  it('goes on where the one before ended, and that one follows', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(10, 1))
    await a.store.resign()
    await b.store.writerKnown(WAIT_MS)
    await expect.poll(() => b.store.role).toBe('writer')
    await b.engine.commit(people(20, 2))
    await expectEqual()
    await a.store.takeOver()
    await a.engine.commit(people(30, 3))
    await expectEqual()
    expect([a.store.role, b.store.role]).toEqual(['writer', 'follower'])
  })

  it('answers a commit whose answer was lost by its key; a refused one is not in the graph', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(1, 1))
    const add = new FrameBuilder(catalog).vertex('person', 'p0', { age: 10 }, 2).finish()
    a.store.loseAnswers()
    const lost = a.engine.commit(add, { key: commitKey('u', 'k') })
    await b.store.takeOver()
    expect(await b.engine.commit(add, { key: commitKey('u', 'k') })).toMatchObject({
      acceptedVertices: 1,
    })
    a.store.goOn()
    expect((await lost).acceptedVertices).toBe(1)
    await expectEqual()
    expect(dumpOf(b.engine)[0]).toContain('11')

    b.store.pause()
    const refused = b.engine.commit(add).catch((error: unknown) => error)
    await a.store.takeOver()
    b.store.goOn()
    expect(isDbError(await refused, 'NOT_WRITER')).toBe(true)
    await expectEqual()
    expect(dumpOf(b.engine)[0]).toContain('11')
  })

  it('keeps blobs of tables that have not changed since the fold', async () => {
    const city = vertexType(3, 'city', { attributes: attributes({ size: 'INT' }) })
    const a = await open('a')
    const b = await open('b')
    const both = catalogOf([person, city], [likes])
    await a.engine.changeCatalog(() => both)
    await a.engine.commit(people(100, 1, both))
    await a.engine.commit(new FrameBuilder(both).vertex('city', 'rome', { size: 3 }).finish())
    await a.engine.rebuild()
    await a.engine.commit(people(10, 2, both))
    await a.engine.rebuild()
    const folded = engines.image.memory.manifest!
    await a.engine.commit(people(10, 2, both))
    await b.store.takeOver()
    await b.engine.rebuild()
    const kept = engines.image.memory.manifest!.blobs.filter(({ key }) =>
      folded.blobs.some((blob) => blob.key === key),
    )
    expect(kept.some(({ key }) => key.includes('/v3/'))).toBe(true)
    expect(kept.some(({ key }) => key.includes('/v1/'))).toBe(false)
    await open('c')
    await expectEqual()
  })
})

describe('instances', () => {
  it('write no more than fits into the smallest of them', async () => {
    const a = await open('a')
    await open('b', { memoryLimitBytes: 1_000 })
    await a.engine.changeCatalog(() => catalog)
    await expect(a.engine.commit(people(1, 1))).rejects.toMatchObject({ code: 'MEMORY_LIMIT' })
    engines.instances[1]!.store.kill()
    await expect
      .poll(() =>
        a.engine.commit(people(1, 1)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })

  it('whose graphs differ end with a message', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(3, 1))
    await expectEqual()
    const own = a.engine.follower({ take: () => {}, roleChanged: async () => {} })
    own.compare({ sequence: a.engine.sequence, checksum: 1 }, 'b')
    expect(a.ends).toHaveLength(1)
    expect(a.ends[0]).toContain('The graph differs from that of b')
    own.compare({ sequence: a.engine.sequence - 1, checksum: 1 }, 'b')
    expect([a.ends.length, b.ends.length]).toEqual([1, 0])
  })

  it('have the same checksums at the same commits', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    for (let turn = 0; turn < 1_100; turn++) void a.engine.commit(people(1, turn))
    await a.engine.settled()
    await b.store.reached(engines.image.end, WAIT_MS)
    const digest = b.store.self.digest!
    expect(digest.sequence).toBe(1_024)
    const own = a.engine.follower({ take: () => {}, roleChanged: async () => {} })
    own.compare(digest, 'b')
    own.compare({ sequence: 1_023, checksum: 0 }, 'b')
    expect(a.ends).toEqual([])
    own.compare({ ...digest, checksum: digest.checksum + 1 }, 'b')
    expect(a.ends).toHaveLength(1)
  })

  it.each([1, 2, 3])(
    'hold the same graph after random commits and take-overs, seed %i',
    async (seed) => {
      const random = createRandom(seed)
      const [first] = [await open('a'), await open('b'), await open('c')]
      await first.engine.changeCatalog(() => catalog)
      let acknowledged = 0
      for (let step = 0; step < 60; step++) {
        const writer = engines.instances.find(({ store }) => store.role === 'writer')!
        const action = random.below(12)
        if (action === 0) await engines.instances[random.below(3)]!.store.takeOver()
        else if (action === 1) await writer.store.resign()
        else if (action === 2) await engines.instances[random.below(3)]!.engine.rebuild()
        else if (action === 3)
          await writer.store.putDocument('d', `${step}`, new Uint8Array([step]))
        else {
          const count = 1 + random.below(4)
          const commits = Array.from({ length: count }, () => writer.engine.commit(change(random)))
          const settled = await Promise.allSettled(commits)
          acknowledged += settled.filter(({ status }) => status === 'fulfilled').length
        }
        await expect
          .poll(() => engines.instances.some(({ store }) => store.role === 'writer'))
          .toBe(true)
      }
      expect(acknowledged).toBeGreaterThan(0)
      await expectEqual()
      await open('d')
      await expectEqual()
    },
  )
})

describe('a take-over', () => {
  it('waits for a large batch of the writer before, which is half applied', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    const done = a.engine.commit(people(LARGE_COUNT, 1))
    await turnOfLoop()
    await b.store.takeOver()
    await b.engine.commit(people(10, 2))
    expect((await done).acceptedVertices).toBe(LARGE_COUNT)
    await expectEqual()
    expect(a.store.role).toBe('follower')
  })

  it('ends a change of the schema that has not reached the log', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(LARGE_COUNT, 1))
    const change = a.engine.changeCatalog(() => widerCatalog).catch((error: unknown) => error)
    await turnOfLoop()
    await b.store.takeOver()
    const result = await change
    if (isDbError(result)) {
      expect(result.code).toBe('NOT_WRITER')
      await b.engine.changeCatalog(() => widerCatalog)
    }
    await b.engine.commit(people(10, 2, widerCatalog))
    await expectEqual()
  })

  it.each(['pause', 'lose answers', 'kill', 'resign'] as const)(
    'at any commit leaves each key counted once: %s',
    async (fault) => {
      for (let point = 0; point < 8; point++) {
        engines = new SharedEngines()
        const a = await open('a')
        await open('b', { takesOver: fault !== 'pause' })
        await a.engine.changeCatalog(() => catalog)
        const answers = Array.from({ length: 8 }, async (_, index) => {
          if (index === point) strike(a, fault)
          return await untilAcknowledged(a, commitKey('u', `${index}`))
        })
        const [, b] = engines.instances
        if (fault !== 'resign' && fault !== 'kill') await b!.store.takeOver()
        a.store.goOn()
        const sequences = (await Promise.all(answers)).map(({ sequence }) => sequence)
        expect(new Set(sequences).size).toBe(8)
        await expectEqual()
        expect(dumpOf(b!.engine)[0]).toMatch(/\b8\b/)
        await engines.close()
      }
    },
  )

  it('keeps what was acknowledged with ack=none and reached the log', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(5, 1), { ack: 'none' })
    await b.store.takeOver()
    await b.engine.commit(people(1, 2), { ack: 'none' })
    await b.engine.settled()
    await expectEqual()
    expect(dumpOf(a.engine)).toHaveLength(5)
  })
})

describe('an instance starts again', () => {
  it('when it cannot apply an entry, and nothing is read of it any more', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    await a.store.append(new Uint8Array([1, 9, 0, 0]))
    await expect.poll(() => b.ends, { timeout: WAIT_MS }).toHaveLength(1)
    expect(b.ends[0]).toContain('version 9')
    expect(() => b.engine.view()).toThrow('could not be applied')
  })

  it('as the writer, too: whether the commit counts is not known', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.engine.changeCatalog(() => catalog)
    a.engine.tables.vertexTable(1)!.touchIndexes = () => {
      throw new Error('by order')
    }
    Object.defineProperty(a.engine.tables.vertexTable(1)!, 'isIndexed', { value: true })
    await expect(a.engine.commit(people(1, 1))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(a.ends).toHaveLength(1)
    a.store.kill()
    await b.store.writerKnown(WAIT_MS)
    await expectEqual()
    expect(dumpOf(b.engine)).toHaveLength(1)
  })

  it('in the same process when the log is folded while it is read', async () => {
    const a = await open('a')
    await a.engine.changeCatalog(() => catalog)
    await a.engine.commit(people(10, 1))
    await a.engine.rebuild()
    let foldCount = 0
    class Folded extends SharedMemoryStore {
      override async readBlob(key: string) {
        if (foldCount++ === 0) {
          await a.engine.commit(people(20, 2))
          await a.engine.rebuild()
        }
        return super.readBlob(key)
      }
    }
    const b = await open('b', { Store: Folded })
    expect(foldCount).toBeGreaterThan(1)
    await expectEqual()
    expect(dumpOf(b.engine)).toHaveLength(20)
  })
})

function strike({ store }: Instance, fault: 'pause' | 'lose answers' | 'kill' | 'resign'): void {
  if (fault === 'pause') store.pause()
  else if (fault === 'lose answers') store.loseAnswers()
  else if (fault === 'kill') store.kill()
  else void store.resign()
}

/** As a client that repeats: at the writer of the moment, with the same key. */
async function untilAcknowledged(first: Instance, key: string) {
  let { engine } = first
  for (;;) {
    try {
      return await engine.commit(birthday(), { key })
    } catch (error) {
      if (!isDbError(error)) throw error
      await turnOfLoop()
      engine = engines.writer?.engine ?? engine
    }
  }
}

function change(random: Random): Uint8Array {
  const id = () => `p${random.below(40)}`
  const frame = new FrameBuilder(catalog)
  for (let count = 1 + random.below(5); count > 0; count--) {
    const kind = random.below(6)
    if (kind < 2) frame.vertex('person', id(), { age: random.below(100) }, 2)
    else if (kind < 4) frame.edge('likes', [id(), id()], { weight: random.below(9) })
    else if (kind === 4) frame.deleteVertex('person', id())
    else frame.deleteEdge('likes', [id(), id()])
  }
  return frame.finish()
}
