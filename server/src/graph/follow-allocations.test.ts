/**
 * Each allocation of graph memory of a follower fails once while it applies what another server has
 * written. It starts again then, and has everything. Until then it shows the version before or nothing,
 * never a part of an entry.
 */
import { afterEach, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import { FrameBuilder } from '../../test/fixtures/engine.ts'
import {
  catalog,
  dumpOf,
  type Instance,
  people,
  SharedEngines,
  turnOfLoop,
  widerCatalog,
} from '../../test/fixtures/shared-engines.ts'
import { dump } from '../../test/model/dump.ts'
import type { GraphEngine } from './engine.ts'
import { allocationFault, memoryRefused } from './memory/allocate.ts'

const isSlow = process.env['QUIVER_SLOW'] === '1'
/** In the quick suite, one of so many allocations fails. */
const STEP = isSlow ? 1 : 13
/** Texts so long that the batch is applied in slices. */
const LONG_TEXT = 2_500

interface Step {
  readonly at: 'writer' | 'follower'
  readonly run: (engine: GraphEngine) => Promise<unknown>
}

const steps: readonly Step[] = [
  { at: 'writer', run: (engine) => engine.changeCatalog(() => catalog) },
  { at: 'writer', run: (engine) => engine.commit(people(120, 1)) },
  { at: 'writer', run: (engine) => engine.commit(edges(0, 90)) },
  { at: 'writer', run: (engine) => engine.commit(deletes()) },
  { at: 'follower', run: (engine) => engine.rebuild({ force: true }) },
  { at: 'writer', run: (engine) => engine.commit(edges(40, 110)) },
  { at: 'writer', run: (engine) => engine.commit(longTexts(60)) },
  { at: 'writer', run: (engine) => engine.changeCatalog(() => widerCatalog) },
  { at: 'writer', run: (engine) => engine.commit(people(200, 3, widerCatalog)) },
]

function edges(from: number, to: number): Uint8Array {
  const frame = new FrameBuilder(catalog)
  for (let id = from; id < to; id++) frame.edge('likes', [`p${id}`, `q${id % 50}`], { weight: id })
  return frame.finish()
}

function deletes(): Uint8Array {
  const frame = new FrameBuilder(catalog)
  for (let id = 0; id < 120; id += 9) frame.deleteVertex('person', `p${id}`)
  return frame.finish()
}

function longTexts(count: number): Uint8Array {
  const frame = new FrameBuilder(catalog)
  for (let id = 0; id < count; id++) {
    frame.vertex('person', `long${id}`, { age: id, name: `${id} `.padEnd(LONG_TEXT, 'x') })
  }
  return frame.finish()
}

/** Time slices are over at once, so that readers come between any two. */
function hastyClock() {
  let nowMs = 0
  return { nowMs: () => Date.now(), monotonicMs: () => (nowMs += 100) }
}

afterEach(() => {
  allocationFault.before = null
})

/** Counts allocations while it is on, and lets the one with this number fail. */
class Fault {
  count = 0
  readonly #number: number

  constructor(number: number) {
    this.#number = number
  }

  on(): void {
    allocationFault.before = (sizeBytes) => {
      this.count++
      if (this.count === this.#number) throw memoryRefused(sizeBytes)
    }
  }

  off(): void {
    allocationFault.before = null
  }
}

/** Null: nothing is shown. */
function shown(engine: GraphEngine): string | null {
  try {
    return dumpOf(engine).join('\n')
  } catch (error) {
    if (isDbError(error, 'OUTCOME_UNKNOWN')) return null
    throw error
  }
}

/** Applies what there is up to `end`, beside readers. @returns false: it has to start again */
async function follows(
  { store, engine, ends }: Instance,
  { before, after, end }: { before: string; after: string; end: number },
): Promise<boolean> {
  const { catalog: catalogBefore } = engine
  const pinned = engine.pin()
  store.goOn()
  while (ends.length === 0 && store.position < end) {
    expect([before, after]).toContain(shown(engine))
    await turnOfLoop()
  }
  expect(dump(pinned.view, catalogBefore).join('\n')).toBe(before)
  pinned.release()
  if (ends.length === 0) return true
  expect(store.position).toBeLessThan(end)
  expect([before, null]).toContain(shown(engine))
  return false
}

interface Outcome {
  readonly allocationCount: number
  /** The follower had to start again. */
  readonly again: number
  /** Its rebuild was refused, and it went on. */
  readonly refused: number
}

async function runWithFault(number: number): Promise<Outcome> {
  const fault = new Fault(number)
  const engines = new SharedEngines()
  let [again, refused] = [0, 0]
  const openFollower = () => engines.open('b', { takesOver: false, clock: hastyClock() })
  const writer = await engines.open('a')
  let follower = await openFollower()
  for (const { at, run } of steps) {
    if (at === 'follower') {
      fault.on()
      const error: unknown = await run(follower.engine).catch((reason: unknown) => reason)
      fault.off()
      if (error instanceof Error) {
        refused++
        expect(error).toMatchObject({ code: 'MEMORY_LIMIT' })
        await run(follower.engine)
      }
    } else {
      follower.store.pause()
      const before = dumpOf(follower.engine).join('\n')
      await run(writer.engine)
      const after = dumpOf(writer.engine).join('\n')
      fault.on()
      const isThere = await follows(follower, { before, after, end: engines.image.end })
      fault.off()
      if (!isThere) {
        again++
        follower.store.kill()
        follower = await openFollower()
      }
    }
    expect(shown(follower.engine)).toBe(shown(writer.engine))
  }
  await engines.expectEqual()
  await engines.close()
  return { allocationCount: fault.count, again, refused }
}

it(
  'an allocation that fails while a follower applies makes it start again, and no reader sees a part',
  async () => {
    const { allocationCount } = await runWithFault(Number.POSITIVE_INFINITY)
    expect(allocationCount).toBeGreaterThan(50)
    const outcomes = { again: 0, refused: 0, neither: 0 }
    for (let number = 1; number <= allocationCount; number += STEP) {
      const { again, refused } = await runWithFault(number)
      outcomes.again += again
      outcomes.refused += refused
      if (again + refused === 0) outcomes.neither++
    }
    // Each fault was met, and none was passed over.
    expect(outcomes).toMatchObject({ neither: 0 })
    expect(outcomes.again).toBeGreaterThan(3)
    if (isSlow) expect(outcomes.refused).toBeGreaterThan(3)
  },
  isSlow ? 3_600_000 : 300_000,
)
