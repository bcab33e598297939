import { describe, expect, it } from 'vitest'
import { Arena } from '../cells/arena.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { Ropes } from '../cells/ropes.ts'
import { Shapes } from '../cells/shapes.ts'
import { StringTable } from '../cells/strings.ts'
import { TemporaryBlocks } from '../cells/temporaries.ts'
import { RunControl } from '../control.ts'
import { integerRules } from '../integer-functions.ts'
import { packBlock } from './packing.ts'
import { ParcelWriter } from './parcels.ts'
import { PartialBlocks, partialFunctions } from './partial-blocks.ts'

const element = { kind: 'value', type: { kind: 'INT' } } as const

/** @param ticks what the clock says, each time that it is asked */
function world(ticks: number[] = []) {
  const budget = new MemoryBudget(2 ** 20)
  const strings = new StringTable(budget)
  const temporaries = new TemporaryBlocks(budget)
  const memory = {
    ...{ arena: new Arena(budget), strings, temporaries },
    ropes: new Ropes(strings, budget),
  }
  const shapes = new Shapes(memory, { wide: false, integers: integerRules })
  const partials = new PartialBlocks(budget, shapes, () => ticks.shift() ?? 0)
  const shape = shapes.accum({ kind: 'SetAccum', element })
  const accumulator = shape.make()
  const run = partialFunctions(partials)
  const control = new RunControl()
  /** A segment of as many rows as edges, that leaves some numbers. */
  const segment = (first: number, numbers: readonly number[], rows = 10) => {
    const own = run.partialBlock(shape, accumulator, 0)
    for (const number of numbers) shape.add(own, number)
    control.add(rows, rows)
    run.putPartial(shape, 3, [accumulator, own], first)
  }
  const members = () =>
    Array.from({ length: shape.size(accumulator) }, (_, i) => shape.elementAt(accumulator, i))
  const take = () => run.foldPartials(shape, 3, accumulator)
  return { budget, partials, shape, control, segment, members, take }
}

describe('collections of segments', () => {
  it('are the accumulator itself in a loop that is not shared', () => {
    const { segment, members } = world()
    segment(0, [4, 2])
    expect(members()).toEqual([4, 2])
  })

  it('are taken in by their first items, whoever has folded them, and give their memory back', () => {
    const { budget, partials, shape, segment, members, take } = world()
    const before = budget.usedBytes
    const out = new ParcelWriter(shape.memory)
    const theirs = shape.make()
    for (const number of [7, 1]) shape.add(theirs, number)
    packBlock(shape, theirs, out)
    partials.partially(() => segment(20, [1, 3]))
    partials.add({ slot: 3, first: 10, parcel: out.finish() })
    partials.partially(() => segment(0, [5, 7]))
    expect(members()).toEqual([])
    partials.assertWhole(3)
    expect(() => partials.assertWhole(2)).toThrow('no collection')
    take()
    expect(members()).toEqual([5, 7, 1, 3])
    expect(budget.usedBytes).toBe(before)
  })

  it('stay with one thread when taking them in takes long, or more memory than there is', () => {
    const tried = (ticks: number[], segmentCount: number) => {
      const { partials, control, segment, members } = world(ticks)
      const pays = partials.paysToShare('free', control, segmentCount, () => segment(0, [9, 8]))
      return [pays, members()]
    }
    // Folded in 100 ms, taken in within 15 or 16.
    expect(tried([0, 100, 200, 215], 24)).toEqual([true, [9, 8]])
    expect(tried([0, 100, 200, 216], 24)).toEqual([false, [9, 8]])
    expect(tried([0, 100, 200, 201], 2 ** 20)).toEqual([false, [9, 8]])
  })

  it('go by what they hold alone where order counts', () => {
    const tried = (rows: number) => {
      const { partials, control, segment, members } = world([0, 1, 2, 500])
      const pays = partials.paysToShare('ordered', control, 24, () => segment(0, [9, 8], rows))
      return [pays, members()]
    }
    // Two entries for 40 rows and edges, and for 38.
    expect(tried(20)).toEqual([true, [9, 8]])
    expect(tried(19)).toEqual([false, [9, 8]])
  })

  it('are gone when the loop has failed', () => {
    const { partials, segment, members, take } = world()
    partials.partially(() => segment(0, [1]))
    partials.clear()
    take()
    expect(members()).toEqual([])
    const failing = () => partials.partially(() => expect.fail('failed'))
    expect(failing).toThrow('failed')
    expect(partials.isPartial).toBe(false)
  })
})
