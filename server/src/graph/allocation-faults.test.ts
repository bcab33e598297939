/** Every allocation of graph memory in a workload fails once: an error, nothing lost, nothing half done. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { forEachIn, forEachOut } from './adjacency/read.ts'
import { jsonAt } from './columns/json.ts'
import type { GraphEngine } from './engine.ts'
import { idText } from './ids/read.ts'
import { type AllocationKind, allocationFault, memoryRefused } from './memory/allocate.ts'
import { isSet } from './memory/bits.ts'
import type { GraphView } from './view.ts'

const first = catalogOf(
  [vertexType(1, 'V', { attributes: attributes({ name: 'STRING', n: 'INT' }) })],
  [edgeType(2, 'E', [1, 1], { attributes: attributes({ w: 'DOUBLE', s: 'STRING' }) })],
)
/** `n` becomes text in a column of its own. */
const [type] = first.vertexTypes
const second: Catalog = {
  ...first,
  version: 2,
  vertexTypes: [
    {
      ...type!,
      attributes: [...type!.attributes, { id: 3, name: 'later', type: { kind: 'STRING' } }],
      nextAttributeId: 4,
    },
  ],
}

type Operation = (engine: GraphEngine) => Promise<unknown>

/** Upserts, deletes, a schema change, rebuilds: the same for one seed. */
function workload(seed: number): Operation[] {
  const random = createRandom(seed)
  const id = () => `vertex number ${random.below(400)}`
  const upserts = (catalog: Catalog): Operation => {
    const frame = new FrameBuilder(catalog)
    for (let i = 0; i < 60; i++) {
      frame.vertex('V', id(), { name: `name ${random.below(5_000)}`, n: random.below(100) })
      frame.edge('E', [id(), id()], { w: i, s: `text ${random.below(5_000)}` })
    }
    const bytes = frame.finish()
    return (engine) => engine.commit(bytes)
  }
  const deletes = (catalog: Catalog): Operation => {
    const frame = new FrameBuilder(catalog)
    for (let i = 0; i < 15; i++) frame.deleteVertex('V', id())
    const bytes = frame.finish()
    return (engine) => engine.commit(bytes)
  }
  const rebuild: Operation = (engine) => engine.rebuild({ force: true })
  return [
    (engine) => engine.changeCatalog(() => first),
    ...[upserts(first), deletes(first), rebuild, upserts(first), deletes(first)],
    (engine) => engine.changeCatalog(() => second),
    ...[upserts(second), deletes(second), rebuild, upserts(second)],
  ]
}

/** Texts so long that their heaps pass the size above which buffers grow in place. */
function largeWorkload(seed: number): Operation[] {
  const random = createRandom(seed)
  const upserts = (from: number): Operation => {
    const frame = new FrameBuilder(first)
    for (let i = from; i < from + 40; i++) {
      const text = String.fromCharCode(97 + random.below(26)).repeat(15_000 + random.below(5_000))
      frame.vertex('V', `v${i}`, { name: text, n: i })
      frame.edge('E', [`v${random.below(i + 1)}`, `v${i}`], { w: i, s: text.slice(0, 9_000) })
    }
    const bytes = frame.finish()
    return (engine) => engine.commit(bytes)
  }
  const numbers = Array.from({ length: 9 }, (_, at) => at * 40)
  return [
    (engine) => engine.changeCatalog(() => first),
    ...numbers.slice(0, 6).map(upserts),
    (engine) => engine.rebuild({ force: true }),
    ...numbers.slice(6).map(upserts),
  ]
}

/** Everything that a reader sees, in its order. */
function dump({ vertexTables, edgeTables }: GraphView): string {
  const lines: string[] = []
  for (const table of vertexTables) {
    for (let row = 0; row < table.rowCount; row++) {
      if (isSet(table.deleted, row)) continue
      const values = table.columns.map((column) => jsonAt(column, row))
      lines.push(`${idText(table.ids, row)} ${values.join(' ')}`)
      for (const { adjacencies } of edgeTables) {
        for (const adjacency of adjacencies) {
          const edge = (to: number, at: number) =>
            lines.push(
              `- ${idText(table.ids, to)} ${adjacency.columns.map((column) => jsonAt(column, at))}`,
            )
          forEachOut(adjacency, row, edge)
          forEachIn(adjacency, row, edge)
        }
      }
    }
  }
  return lines.join('\n')
}

/** How often the graph was read again, and how often that failed. */
interface Reloads {
  ended: number
  failed: number
}

function open(store: MemoryStore, reloads: Reloads = { ended: 0, failed: 0 }) {
  return openEngine(store, {
    inlineMergeSizeMax: 1e9,
    onReload: ({ kind }) => {
      if (kind === 'ended') reloads.ended += 1
      if (kind === 'attempt-failed') reloads.failed += 1
    },
  })
}

/** What the graph is after each operation, without faults, and how many allocations there are. */
async function expectedStates(operations: readonly Operation[], only?: AllocationKind) {
  const engine = await open(new MemoryStore())
  const states = [dump(engine.view())]
  let count = 0
  allocationFault.before = (_sizeBytes, kind) => {
    if (only === undefined || kind === only) count += 1
  }
  for (const operation of operations) {
    await operation(engine)
    states.push(dump(engine.view()))
  }
  allocationFault.before = null
  return { states, count }
}

/** The last allocation that failed was of room that an operation can do without: `Delta` leaves none then. */
let wasForRoom = false

/** Lets one allocation fail, and the `after`-th of those behind it, and so on. */
function failAt(number: number, after: readonly number[] = [], only?: AllocationKind): void {
  let left = number
  const later = [...after]
  allocationFault.before = (sizeBytes, kind) => {
    if (only !== undefined && kind !== only) return
    left -= 1
    if (left !== 0) return
    left = later.shift() ?? 0
    const refused = memoryRefused(sizeBytes)
    wasForRoom = refused.stack?.includes('#leaveRoom') === true
    throw refused
  }
}

interface FaultyRun {
  readonly operations: readonly Operation[]
  /** After each of them. */
  readonly states: readonly string[]
  /** Which allocations are counted; absent: all. */
  readonly only?: AllocationKind
}

/** Runs the operations; an operation that is refused is tried once more. */
async function runWithFault(
  number: number,
  { operations, states, only }: FaultyRun,
): Promise<{ refusal: unknown; reloads: Reloads }> {
  const image = createMemoryImage()
  const reloads = { ended: 0, failed: 0 }
  const engine = await open(new MemoryStore(image), reloads)
  let refusal: unknown = null
  failAt(number, [], only)
  for (const [index, operation] of operations.entries()) {
    const error: unknown = await operation(engine).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error !== null) {
      refusal = error
      await operation(engine)
    }
    expect(dump(engine.view()), `allocation ${number}`).toBe(states[index + 1])
  }
  allocationFault.before = null
  await engine.close()
  const again = dump((await open(new MemoryStore(image))).view())
  expect(again, `allocation ${number} after a restart`).toBe(states.at(-1))
  return { refusal, reloads }
}

afterEach(() => {
  allocationFault.before = null
})

const isSlow = process.env['QUIVER_SLOW'] === '1'
const seeds = isSlow ? [1, 2, 3] : [1]
/** In the quick suite, one of so many allocations fails. */
const STEP = isSlow ? 1 : 7

describe('an allocation that fails', () => {
  it.each(seeds)(
    'ends its operation and loses nothing, whichever it is (seed %i)',
    async (seed) => {
      const operations = workload(seed)
      const { states, count } = await expectedStates(operations)
      expect(count).toBeGreaterThan(100)
      const ends = { refused: 0, reloaded: 0 }
      for (let number = 1; number <= count; number += STEP) {
        const { refusal, reloads } = await runWithFault(number, { operations, states })
        expect(reloads.failed).toBe(0)
        if (refusal !== null) expect(refusal).toMatchObject({ code: 'MEMORY_LIMIT' })
        ends.refused += refusal === null ? 0 : 1
        ends.reloaded += reloads.ended
        const isReloaded = refusal === null && !wasForRoom
        expect(reloads.ended, `allocation ${number}`).toBe(isReloaded ? 1 : 0)
      }
      expect(ends.refused).toBeGreaterThan(3)
      expect(ends.reloaded).toBeGreaterThan(3)
    },
    60_000,
  )

  it('ends its operation and loses nothing where memory grows in place', async () => {
    const operations = largeWorkload(1)
    const { states, count } = await expectedStates(operations, 'growth')
    expect(count).toBeGreaterThan(5)
    for (let number = 1; number <= count; number++) {
      const run = { operations, states, only: 'growth' } as const
      const { refusal, reloads } = await runWithFault(number, run)
      expect(reloads.failed).toBe(0)
      if (refusal !== null) expect(refusal).toMatchObject({ code: 'MEMORY_LIMIT' })
      const isReloaded = refusal === null && !wasForRoom
      expect(reloads.ended, `growth ${number}`).toBe(isReloaded ? 1 : 0)
    }
  }, 60_000)

  it('may meet the graph as it is read again, too', async () => {
    const operations = workload(1)
    const { states } = await expectedStates(operations)
    const { number, engine, image, reloads } = await firstReload(1)
    // The next one fails, and the first of the second attempt.
    failAt(number, [1, 1])
    const errors: unknown[] = []
    for (const operation of operations)
      await operation(engine).catch((error: unknown) => errors.push(error))
    expect(reloads).toEqual({ ended: 0, failed: 1 })
    const gone = { code: 'UNAVAILABLE', message: expect.stringContaining('restart') }
    for (const error of errors) expect(error).toMatchObject(gone)
    expect(() => engine.view()).toThrow('could not be read again; restart')
    allocationFault.before = null
    await engine.close()
    const again = dump((await open(new MemoryStore(image))).view())
    // The first operation that failed is in the log; those behind it were refused.
    expect(again).toBe(states[operations.length - errors.length + 1])
  })

  it('is met once while the graph is read again: the second attempt succeeds', async () => {
    const operations = workload(1)
    const { states } = await expectedStates(operations)
    let failedCount = 0
    for (let place = 1; ; place += STEP) {
      const { number, engine, reloads } = await firstReload(1)
      failAt(number, [place])
      for (const operation of operations) await operation(engine)
      expect(dump(engine.view())).toBe(states.at(-1))
      if (reloads.failed === 0) break
      expect(reloads).toEqual({ ended: 1, failed: 1 })
      failedCount += 1
    }
    expect(failedCount).toBeGreaterThan(1)
  })

  it('is no reason to refuse a start for ever', async () => {
    const image = createMemoryImage()
    const operations = workload(5)
    const engine = await open(new MemoryStore(image))
    for (const operation of operations) await operation(engine)
    const state = dump(engine.view())
    await engine.close()
    let refusedCount = 0
    for (let number = 1; ; number++) {
      failAt(number)
      const opened = await open(new MemoryStore(image)).catch((error: unknown) => error)
      if (!(opened instanceof Error)) break
      expect(opened).toMatchObject({ code: 'MEMORY_LIMIT' })
      refusedCount += 1
    }
    expect(refusedCount).toBeGreaterThan(10)
    allocationFault.before = null
    expect(dump((await open(new MemoryStore(image))).view())).toBe(state)
  })
})

/** An engine, and the first allocation of a workload whose failure makes it read the graph again. */
async function firstReload(seed: number) {
  for (let number = 1; ; number++) {
    const reloads = { ended: 0, failed: 0 }
    const engine = await open(new MemoryStore(), reloads)
    failAt(number)
    for (const operation of workload(seed)) await operation(engine).catch(() => {})
    allocationFault.before = null
    if (reloads.ended === 0) continue
    const image = createMemoryImage()
    const fresh = { ended: 0, failed: 0 }
    return { number, image, reloads: fresh, engine: await open(new MemoryStore(image), fresh) }
  }
}
