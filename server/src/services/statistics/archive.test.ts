import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, type MemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { RECENT_SLOTS } from './archive.ts'
import { StatisticsService } from './statistics-service.ts'

const sample = {
  key: 'GET /echo',
  graph: null,
  latencyMs: 1,
  outcome: 'ok',
  fromConsole: false,
} as const

const open = (store: MemoryStore | FaultyStore, clock: ReturnType<typeof testClock>) =>
  StatisticsService.open({ documents: new LocalDocuments(store), clock, isGraph: () => true })

/** What seconds and minutes say that was completed in the last hour and in the last week. */
function counts(service: StatisticsService, clock: ReturnType<typeof testClock>) {
  const now = Math.floor(clock.nowMs() / 1000)
  const completed = (from: number, to: number) =>
    service.history('acme', { from, to, withConsole: true }).total.summary.completed
  return { seconds: completed(now - 299, now + 1), minutes: completed(now - 6 * 86_400, now + 1) }
}

/** What a disk would hold if the process were killed now. */
function killed(image: MemoryImage): MemoryImage {
  const documents = [...image.documents].map(([name, all]) => [name, new Map(all)] as const)
  return { ...image, documents: new Map(documents) }
}

const documentsOf = (image: MemoryImage, collection: string) => [
  ...(image.documents.get(collection) ?? new Map<string, Uint8Array>()),
]

describe('statistics on disk', () => {
  it('lose nothing but the running second when the process is killed', async () => {
    const image = createMemoryImage()
    const clock = testClock()
    const service = await open(new MemoryStore(image), clock)
    for (let second = 0; second < 200; second++) {
      service.observe(sample)
      await service.save()
      const found = counts(await open(new MemoryStore(killed(image)), clock), clock)
      expect(found, `second ${second}`).toEqual({ seconds: second, minutes: second })
      clock.advance(1_000)
    }
  })

  it('count nothing twice and nothing less, whichever write a crash follows', async () => {
    for (let operation = 1; operation <= 12; operation++) {
      for (const moment of ['before', 'after'] as const) {
        const image = createMemoryImage()
        const clock = testClock()
        // The fourth save meets a new minute: it writes slices, a minute and an hour.
        const store = new FaultyStore(new MemoryStore(image), {
          operation,
          moment,
          code: 'STORE_FAILED',
        })
        const service = await open(store, clock)
        let certain = 0
        let observed = 0
        for (let step = 0; step < 6; step++) {
          for (let count = 0; count <= step; count++) service.observe(sample)
          observed += step + 1
          clock.advance(23_000)
          const isSaved = await service.save().then(
            () => true,
            () => false,
          )
          if (isSaved) certain = observed
        }
        const found = counts(await open(new MemoryStore(killed(image)), clock), clock)
        const at = `write ${operation}, ${moment}`
        expect(found.seconds, at).toBe(found.minutes)
        expect(found.seconds, at).toBeGreaterThanOrEqual(certain)
        expect(found.seconds, at).toBeLessThanOrEqual(observed)
      }
    }
  })

  it('survive a random life of kills, ends in order and long pauses', async () => {
    const random = createRandom(7)
    const image = createMemoryImage()
    const clock = testClock()
    let service = await open(new MemoryStore(image), clock)
    let total = 0
    let unsaved = 0
    for (let step = 0; step < 400; step++) {
      for (let count = random.below(4); count > 0; count--) {
        service.observe(sample)
        unsaved++
      }
      clock.advance(1_000 * (1 + random.below(random.below(8) === 0 ? 4_000 : 5)))
      const what = random.below(10)
      if (what < 6) await service.save()
      if (what === 6) await service.close()
      if (what <= 6) total += unsaved
      if (what <= 7) unsaved = 0
      if (what === 6 || what === 7) service = await open(new MemoryStore(image), clock)
      const found = counts(service, clock).minutes
      expect(found, `step ${step}`).toBe(total + unsaved)
    }
  })

  it('take one small write per save, and none while nothing is called', async () => {
    const image = createMemoryImage()
    const clock = testClock()
    const store = new FaultyStore(new MemoryStore(image), null)
    const service = await open(store, clock)
    for (let count = 0; count < 10_000; count++) service.observe({ ...sample, latencyMs: count })
    clock.advance(2_000)
    await service.save()
    await service.save()
    expect(store.writeCount).toBe(1)
    const [[, slice] = []] = documentsOf(image, 'statistics-recent')
    expect(slice?.length).toBeLessThan(16_384)
  })

  it('keep a bounded number of documents', async () => {
    const image = createMemoryImage()
    const clock = testClock()
    const service = await open(new MemoryStore(image), clock)
    for (let minute = 0; minute < 3 * 60; minute++) {
      for (let slice = 0; slice < 3; slice++) {
        service.observe(sample)
        clock.advance(20_000)
        await service.save()
      }
    }
    expect(documentsOf(image, 'statistics-recent').length).toBe(RECENT_SLOTS)
    expect(documentsOf(image, 'statistics-seconds').length).toBeLessThanOrEqual(62)
    expect(documentsOf(image, 'statistics-minutes').length).toBe(3)
    clock.advance(8 * 86_400_000)
    service.observe(sample)
    await service.close()
    expect(documentsOf(image, 'statistics-seconds')).toEqual([])
    expect(documentsOf(image, 'statistics-minutes')).toEqual([])
    expect(counts(await open(new MemoryStore(image), clock), clock).minutes).toBe(1)
  })
})
