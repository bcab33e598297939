/**
 * Each statement of a commit, a checkpoint, a start that takes over and a follower fails once, in every
 * way that a connection to PostgreSQL knows: nothing acknowledged is lost, nothing refused is there,
 * and the store goes on.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { newSchema } from '../conformance/postgres-harness.ts'
import { optionsFor } from '../conformance/postgres-options.ts'
import { FaultyWire, type WireFault, wireFaults } from '../fixtures/faulty-wire.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { becomesWriter, startStore } from '../fixtures/started-store.ts'

const MS_MAX = 300_000
/** What every instance does all the time. */
const inBackground = new Set(['beat', 'head', 'follow', 'confirm'])
/** More than anything here has. */
const STATEMENTS_MAX = 60
const LARGE_BYTES = 1.5 * 1024 * 1024
/** Several parts in one statement, without a transaction around it. */
const IN_PARTS_BYTES = 150_000
const isSlow = process.env['QUIVER_SLOW'] === '1'
/** The others are rarer, and what answers them is the same: in the quick suite at some statements only. */
const isCommon = (fault: WireFault) => fault === 'lost after' || fault === 'refused'
const STEP = isSlow ? 1 : 4

let node: PostgresNode
let wire: FaultyWire
let schema: string

beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
  wire = await FaultyWire.start(node.port)
}, MS_MAX)
afterAll(async () => {
  await wire?.close()
  await node?.remove()
})
beforeEach(() => {
  schema = newSchema()
})
afterEach(() => wire.disarm())

/** Nobody takes over because of silence. */
const patient = { takeoverAfterMs: 2 * MS_MAX }
/** Over the way on which statements fail, and over one without faults. */
const faulty = (name = 'one') => ({
  ...optionsFor(node.url({ schema, port: wire.port }), name),
  ...patient,
})
const direct = (name: string) => ({ ...optionsFor(node.url({ schema }), name), ...patient })

interface Steps {
  /** Before each run, without faults. */
  readonly before?: () => Promise<void>
  readonly run: () => Promise<void>
  /** Which statements fail; absent: those that are not in the background. */
  readonly counts?: (label: string) => boolean
  /** Each so-and-so-many-th fails; absent: each. */
  readonly step?: number
}

const ofItsOwn = (label: string) => !inBackground.has(label)

/** Runs it with each of its statements failing once. @returns those that did */
async function withEach(fault: WireFault, { before, run, counts = ofItsOwn, step = 1 }: Steps) {
  const hits: string[] = []
  for (let number = 1; number <= STATEMENTS_MAX; number += step) {
    await before?.()
    wire.arm(fault, number, counts)
    await run()
    wire.disarm()
    if (wire.hit === null) return hits
    hits.push(wire.hit)
  }
  throw new Error(`more than ${STATEMENTS_MAX} statements: ${hits.join()}`)
}

/** What was answered to whoever wrote. */
class Answers {
  /** Entries by their sequences. */
  readonly acknowledged = new Map<number, string>()
  readonly refusals: unknown[] = []
  #document = ''

  get last(): number {
    return Math.max(0, ...this.acknowledged.keys())
  }

  async append(store: PostgresStore, text: string, sizeBytes = 0): Promise<void> {
    try {
      const sequence = await store.append(bytesOf(text.padEnd(sizeBytes)))
      store.shared.applied(sequence)
      this.acknowledged.set(sequence, text)
    } catch (error) {
      this.refusals.push(error)
    }
  }

  async put(store: PostgresStore, text: string): Promise<void> {
    try {
      await store.putDocument('documents', 'document', bytesOf(text))
      this.#document = text
    } catch (error) {
      this.refusals.push(error)
    }
  }

  /** The store holds just what was acknowledged. @returns the description of its checkpoint */
  async check(): Promise<string> {
    const store = await openPostgresStore(direct('reader'))
    const manifest = await store.readManifest()
    const folded = manifest?.foldedSequence ?? 0
    const found = new Map<number, string>()
    for await (const { sequence, payload } of store.readLog(folded)) {
      found.set(sequence, textOf(payload).trimEnd())
    }
    const behind = [...this.acknowledged].filter(([sequence]) => sequence > folded)
    expect(found).toEqual(new Map(behind))
    const document = await store.getDocument('documents', 'document')
    expect(document === null ? '' : textOf(document)).toBe(this.#document)
    if (manifest !== null) expect(textOf(await store.readBlob('blob'))).toBe(manifest.description)
    await store.abandon()
    return manifest?.description ?? ''
  }
}

describe.each(wireFaults)('a statement (%s)', { timeout: MS_MAX }, (fault) => {
  const isRefused = fault === 'refused'
  let answers: Answers
  beforeEach(() => {
    answers = new Answers()
  })

  it('in a commit: it is carried out once, or refused and not there', async () => {
    const writer = await startStore(faulty())
    await becomesWriter(writer)
    const { store } = writer
    let count = 0
    const small = await withEach(fault, { run: () => answers.append(store, `small ${++count}`) })
    // On a slow machine a connection may be given up, and a statement come once more.
    expect([...new Set(small)]).toEqual(['append'])
    const inParts = await withEach(fault, {
      run: () => answers.append(store, `in parts ${++count}`, IN_PARTS_BYTES),
    })
    expect([...new Set(inParts)]).toEqual(['append-3'])
    const group = await withEach(fault, {
      // In one transaction: an entry whose parts take two statements, and a document.
      run: async () => {
        const text = `large ${++count}`
        await Promise.all([answers.append(store, text, LARGE_BYTES), answers.put(store, text)])
      },
    })
    expect([...new Set(group)]).toEqual([
      ...['BEGIN', 'append-16', 'append-more-9'],
      ...[expect.stringMatching(/^INSERT INTO documents/), 'COMMIT'],
    ])
    const refusal = expect.objectContaining({ code: 'DISK_FULL' })
    const single = small.length + inParts.length
    const refusalCount = isRefused ? single + 2 * group.length : 0
    expect(answers.refusals).toEqual(Array(refusalCount).fill(refusal))
    expect(store.shared.role).toBe('writer')
    await store.close()
    await answers.check()
  })

  it('in a checkpoint: it is published whole, or the one before it stays', async () => {
    const writer = await startStore(faulty())
    await becomesWriter(writer)
    const { store } = writer
    let [published, count] = ['', 0]
    const publish = async () => {
      const text = `checkpoint ${++count}`
      const segments = store.beginSegments()
      try {
        await segments.writeBlob('blob', bytesOf(text))
        await segments.publish(text, answers.last)
        published = text
      } catch (error) {
        if (!isRefused) throw error
        expect(error).toMatchObject({ code: 'DISK_FULL' })
        await segments.abandon()
      }
      await store.settled()
    }
    const before = () => answers.append(store, `entry before ${count + 1}`)
    await before()
    await publish()
    const step = isCommon(fault) ? 1 : STEP
    const hits = await withEach(fault, { before, run: publish, step })
    const named = [/^INSERT INTO manifest/, /^DELETE FROM (manifest|log|parts)/]
    const all = [
      ...['write-part', 'BEGIN', 'append', 'COMMIT'],
      ...named.map((name) => expect.stringMatching(name)),
    ]
    if (step === 1) expect(hits).toEqual(expect.arrayContaining(all))
    else expect(hits.length).toBeGreaterThan(1)
    expect(published).toBe(`checkpoint ${count}`)
    await store.close()
    expect(await answers.check()).toBe(published)
  })

  it.runIf(isSlow || isCommon(fault))(
    'in a start that takes over: nothing is lost, and the next start succeeds',
    async () => {
      let count = 0
      const start = async () => {
        const started = await startStore(faulty()).catch((error: unknown) => {
          if (!isRefused) throw error
          expect(error).toMatchObject({ code: expect.stringMatching(/^(DISK_FULL|STORE_FAILED)$/) })
          return null
        })
        const isWriter = started !== null && (await becomesWriter(started))
        wire.disarm()
        if (isWriter) await answers.append(started.store, `entry ${++count}`)
        await started?.store.abandon()
      }
      await start()
      const hits = await withEach(fault, { run: start, counts: () => true, step: STEP })
      expect(hits.length).toBeGreaterThan(15 / STEP)
      // A new writer that is refused what it looks at ends, and starts again.
      const ended = expect.objectContaining({ code: 'UNAVAILABLE' })
      expect(answers.refusals).toEqual(answers.refusals.map(() => ended))
      if (!isRefused) expect(answers.refusals).toEqual([])
      await answers.check()
    },
  )

  it('of a follower: it has applied what the other one wrote, or starts again', async () => {
    const writer = await startStore(direct('writer'))
    await becomesWriter(writer)
    const seen: string[] = []
    const open = async () => {
      const store = await openPostgresStore(faulty())
      const ended = Promise.withResolvers<void>()
      await store.shared.follow({
        ...idleFollower,
        apply: async (entries) => {
          for (const entry of entries) {
            if (entry.kind === 'commit') seen.push(textOf(entry.payload).trimEnd())
          }
        },
        mustStartAgain: () => ended.resolve(),
      })
      return { store, ended: ended.promise }
    }
    let follower = await open()
    let count = 0
    let written: string[] = []
    const write = async (sizeBytes: number) => {
      const text = `entry ${++count}`
      await answers.append(writer.store, text, sizeBytes)
      written.push(text)
    }
    // Few bytes come with the write that confirms them. Many come by statements of their own, or in one
    // with its write while more of them are expected.
    for (const label of ['follow', 'beat', 'COPY (SELECT', 'confirm', 'COPY (WITH']) {
      await write(0)
      await follower.store.shared.reached(answers.last, MS_MAX)
      wire.arm(fault, 1, (one) => one.startsWith(label))
      const sizeBytes = ['follow', 'beat'].includes(label) ? 0 : 20_000
      for (await write(sizeBytes); wire.hit === null; ) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (label === 'COPY (WITH') await write(sizeBytes)
      }
      if (isRefused) {
        await follower.ended
        await follower.store.abandon()
        follower = await open()
      } else {
        await follower.store.shared.reached(answers.last, MS_MAX)
        expect(seen, label).toEqual(written)
      }
      seen.splice(0)
      written = []
    }
    await follower.store.close()
    await writer.store.close()
    await answers.check()
  })
})

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice())
}
