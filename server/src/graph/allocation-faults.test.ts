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
import { allocationFault, memoryRefused } from './memory/allocate.ts'
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

const open = (store: MemoryStore) => openEngine(store, { inlineMergeSizeMax: 1e9 })

/** What the graph is after each operation, without faults, and how many allocations there are. */
async function expectedStates(operations: readonly Operation[]) {
  const engine = await open(new MemoryStore())
  const states = [dump(engine.view())]
  let count = 0
  allocationFault.before = () => {
    count += 1
  }
  for (const operation of operations) {
    await operation(engine)
    states.push(dump(engine.view()))
  }
  allocationFault.before = null
  return { states, count }
}

/** Lets the `number`-th allocation from now on fail. */
function failOnce(number: number): void {
  let count = 0
  allocationFault.before = (sizeBytes) => {
    count += 1
    if (count === number) throw memoryRefused(sizeBytes)
  }
}

/** @returns what the operation that met the fault answered, if one did */
async function runWithFault(number: number, seed: number, states: readonly string[]) {
  const image = createMemoryImage()
  const engine = await open(new MemoryStore(image))
  const operations = workload(seed)
  failOnce(number)
  for (const [index, operation] of operations.entries()) {
    const error: unknown = await operation(engine).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error === null) continue
    allocationFault.before = null
    const isGone = await operation(engine).then(
      () => false,
      () => true,
    )
    if (!isGone) {
      // The operation was refused whole, and memory is there again: the server goes on.
      for (const next of operations.slice(index + 1)) await next(engine)
      expect(dump(engine.view()), `allocation ${number}`).toBe(states.at(-1))
    } else {
      // A durable commit was applied in part: nothing of it is shown.
      expect(() => engine.view(), `allocation ${number}`).toThrow('could not be applied')
    }
    await engine.close()
    const again = dump((await open(new MemoryStore(image))).view())
    const possible = isGone ? [states[index], states[index + 1]] : [states.at(-1)]
    expect(possible, `allocation ${number} after a restart`).toContain(again)
    return { error, isGone }
  }
  return null
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
      const { states, count } = await expectedStates(workload(seed))
      expect(count).toBeGreaterThan(100)
      const ends = { refused: 0, applyFailed: 0 }
      for (let number = 1; number <= count; number += STEP) {
        const { error, isGone } = (await runWithFault(number, seed, states))!
        expect(error).toMatchObject({ code: isGone ? 'UNAVAILABLE' : 'MEMORY_LIMIT' })
        ends[isGone ? 'applyFailed' : 'refused'] += 1
      }
      expect(ends.refused).toBeGreaterThan(3)
      expect(ends.applyFailed).toBeGreaterThan(3)
    },
    60_000,
  )

  it('is no reason to refuse a start for ever', async () => {
    const image = createMemoryImage()
    const operations = workload(5)
    const engine = await open(new MemoryStore(image))
    for (const operation of operations) await operation(engine)
    const state = dump(engine.view())
    await engine.close()
    for (let number = 1; ; number++) {
      failOnce(number)
      const opened = await open(new MemoryStore(image)).catch((error: unknown) => error)
      if (!(opened instanceof Error)) break
      expect(opened).toMatchObject({ code: 'MEMORY_LIMIT' })
    }
    allocationFault.before = null
    expect(dump((await open(new MemoryStore(image))).view())).toBe(state)
  })
})
