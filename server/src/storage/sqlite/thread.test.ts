import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { DbError } from '#kernel/errors.ts'
import { CommitQueue } from '../commit-queue.ts'
import { StorageThread, type StorageThreadOptions } from '../thread/thread.ts'
import { dataFiles } from './directory.ts'
import { isLocked, lockDirectory } from './lock.ts'
import type { LogProtocol, SegmentProtocol } from './protocol.ts'
import { SqliteStore } from './sqlite-store.ts'
import { bytesOf, testClock as clock, type TestDirectory, testDirectory } from './test-directory.ts'

/** What a broken thread does with a request. */
const ANSWER = 'parentPort.postMessage({ id, value: kind })'
/** The platform cannot read a view of so large a buffer in another thread. */
const UNREADABLE =
  'parentPort.postMessage({ id, value: new Uint8Array(new SharedArrayBuffer(2 ** 32), 8) })'
const LOST = `parentPort.postMessage(
  { id: null, isRequestLost: true, failure: { code: null, message: 'lost', details: {} } })`

describe('a storage thread', () => {
  it.each([
    ['exits', 'process.exit(3)', {}],
    ['throws', "throw new Error('broken')", {}],
    [
      'runs out of memory',
      'const all = []; while (true) all.push(new Array(1e5).fill(all.length))',
      { resourceLimits: { maxOldGenerationSizeMb: 16 } },
    ],
  ])(
    'that %s rejects every request, and all later ones',
    async (_fault, does, limits) => {
      const failures: Error[] = []
      const thread = threadThat(does, { ...limits, onFailure: (error) => failures.push(error) })
      const waiting = [thread.request('state', null), thread.request('shrink', null)]
      for (const reason of await rejections(waiting)) expect(reason.code).toBe('STORE_FAILED')
      const [later] = await rejections([thread.request('state', null)])
      expect(later?.code).toBe('STORE_FAILED')
      expect(failures).toHaveLength(1)
    },
    60_000,
  )

  it.each([
    ['an answer that cannot be read', UNREADABLE, 'an answer of the log thread could not be read'],
    ['that a request could not be read', LOST, 'lost'],
  ])('that sends %s rejects every request that waits, and goes on', async (_name, does, text) => {
    const thread = threadThat(`if (kind === 'state') ${does}; else if (kind === 'trim') ${ANSWER}`)
    const waiting = [thread.request('shrink', null), thread.request('state', null)]
    for (const reason of await rejections(waiting)) {
      expect(reason.code).toBe('STORE_FAILED')
      expect(reason.message).toContain(text)
    }
    expect(await thread.request('trim', { foldedSequence: 0 })).toBe('trim')
    await thread.terminate()
  })

  it('that cannot be sent a request rejects this one only', async () => {
    const thread = threadThat(ANSWER)
    const unsendable = { bytes: bytesOf('x'), call: () => undefined }
    const [reason] = await rejections([thread.request('append', unsendable)])
    expect(reason?.message).toContain('append could not be sent to the log thread')
    expect(await thread.request('state', null)).toBe('state')
    await thread.terminate()
  })

  it('tells of a request that it could not read', async () => {
    const entry = new URL('./storage-worker.ts', import.meta.url)
    const worker = new Worker(entry, { workerData: { role: 'segments' } })
    worker.postMessage({ id: 1, input: new Uint8Array(new SharedArrayBuffer(2 ** 32), 8) })
    const [reply] = await once(worker, 'message')
    expect(reply).toMatchObject({ id: null, isRequestLost: true })
    expect(reply.failure.message).toContain('a request to a storage thread could not be read')
    await worker.terminate()
  })
})

describe('closing a store', () => {
  it.each([
    ['never answer', ''],
    ['hang in a loop', 'while (true) {}'],
    ['are gone', 'process.exit(1)'],
  ])('ends although its threads %s, and rejects what waits', async (_name, does) => {
    using directory = testDirectory()
    const store = brokenStore(directory, does)
    const waiting = [store.append(bytesOf('a')), store.getDocument('users', 'ada')]
    const rejected = rejections(waiting)
    await store.close()
    for (const reason of await rejected) expect(reason.code).toBe('STORE_FAILED')
    expect(isLocked(directory.path)).toBe(false)
  })
})

describe('a commit', () => {
  it('for which there is no memory is refused, and the next one is written', async () => {
    const written: number[] = []
    const queue = new CommitQueue({
      lastSequence: 0,
      clock,
      write: async (bytes) => written.push(bytes.length),
      onFailure: (error) => {
        throw error
      },
    })
    const tooLarge = Object.defineProperty(new Uint8Array(1), 'length', { value: 2 ** 53 })
    const [first, second] = await rejections([queue.append(tooLarge), queue.append(bytesOf('b'))])
    expect([first?.code, second?.code]).toEqual(['MEMORY_LIMIT', 'MEMORY_LIMIT'])
    await queue.drained()
    expect(await queue.append(bytesOf('c'))).toBe(1)
    expect(written).toHaveLength(1)
  })
})

function threadThat(
  does: string,
  options: Omit<StorageThreadOptions, 'entry'> = {},
): StorageThread<LogProtocol> {
  return new StorageThread(
    { role: 'log', path: '', endPath: '' },
    { ...options, entry: entryThat(does) },
  )
}

function entryThat(does: string): URL {
  const program = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id, kind }) => { ${does} })`
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}

function brokenStore(directory: TestDirectory, does: string): SqliteStore {
  const entry = entryThat(does)
  const { segments: path } = dataFiles(directory.path)
  const start = { sequence: 0, crc: 0 }
  return new SqliteStore({
    clock,
    lock: lockDirectory(directory.path, clock),
    log: threadThat(does),
    segments: new StorageThread<SegmentProtocol>({ role: 'segments', path }, { entry }),
    logState: { anchor: start, last: start, sizeBytes: 0 },
    manifest: null,
    closeMsMax: 50,
  })
}

async function rejections(promises: readonly Promise<unknown>[]): Promise<readonly DbError[]> {
  const outcomes = await Promise.allSettled(promises)
  return outcomes.map((outcome) => {
    expect(outcome.status).toBe('rejected')
    return (outcome as PromiseRejectedResult).reason
  })
}
