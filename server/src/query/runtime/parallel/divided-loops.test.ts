import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { arrayView } from '../../../../test/fixtures/array-view.ts'
import { Arena } from '../cells/arena.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { Ropes } from '../cells/ropes.ts'
import { Shapes } from '../cells/shapes.ts'
import { StringTable } from '../cells/strings.ts'
import { TemporaryBlocks } from '../cells/temporaries.ts'
import { RunControl } from '../control.ts'
import { VertexLayout } from '../graph/layout.ts'
import { VertexSets } from '../graph/vertex-set.ts'
import { integerRules } from '../integer-functions.ts'
import { ColumnCopies } from './column-copies.ts'
import { Divider, type Part, segmentSize } from './divided-loops.ts'
import { PartialBlocks } from './partial-blocks.ts'
import { type Failure, Team, type Turn } from './team.ts'
import { SEGMENTS_MAX, WorkBlock } from './work-block.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const edges = { vertexCount: 100, sources: words, targets: words }
const layout = new VertexLayout(arrayView({ ...edges, weights: none, amounts: none, sinces: none }))

function dividerWith(team: Team | null, limitBytes = 2 ** 20): Divider {
  const memory = new MemoryBudget(limitBytes, { isShared: team !== null })
  const sets = new VertexSets(layout, memory)
  const control = new RunControl()
  const budget = new MemoryBudget(2 ** 20)
  const strings = new StringTable(budget)
  const ropes = new Ropes(strings, budget)
  const temporaries = new TemporaryBlocks(budget)
  const cells = { arena: new Arena(budget), strings, ropes, temporaries }
  const shapes = new Shapes(cells, { wide: false, integers: integerRules })
  return new Divider({
    wide: false,
    control,
    memory,
    sets,
    copies: new ColumnCopies(memory),
    partials: new PartialBlocks(memory, shapes, () => 0),
    team,
    segmentItems: 10,
    helpersFirst: false,
    profiler: null,
  })
}

/** A helper that this thread plays: it is lent at once, and `meets` the run's words. */
function teamOf(meets: (block: WorkBlock, port: MessagePort) => void): Team {
  return new Team((buffer, lending) => {
    const block = new WorkBlock(buffer)
    const { port1, port2 } = new MessageChannel()
    lending.postMessage(port1, [port1])
    block.noteLent()
    block.answer()
    meets(block, port2)
  })
}

const division = {
  part: 0,
  size: 'row',
  ordered: true,
  width: 1,
  folds: 'none',
  marks: [],
  copies: [],
} as const

/** Leaves the sum of its items in its cell. */
const sum: Part = ([cells], segment, first, end) => {
  const own = cells as Float64Array
  for (let item = first; item < end; item++) own[segment] = own[segment]! + item
}

describe('a divided loop', () => {
  it('has one cell for all items when no order counts, and one for each segment when it does', () => {
    const divider = dividerWith(null)
    expect([...divider.divide(sum, { ...division, ordered: false }, [], 25)]).toEqual([300])
    expect([...divider.divide(sum, division, [], 25)]).toEqual([45, 145, 110])
    expect([...divider.divide(sum, division, [], 0)]).toEqual([0])
  })

  it('leaves the same cells when helpers are there', () => {
    const divider = dividerWith(teamOf(() => undefined))
    expect([...divider.divide(sum, division, [], 25)]).toEqual([45, 145, 110])
    expect(divider.threads()).toBe(2)
  })

  it('stays with the run where others may not write, its sums in the cells of segments', () => {
    const segments: number[] = []
    const part: Part = (inputs, segment, first, end) => {
      segments.push(segment)
      if (inputs.length > 1) sum(inputs.slice(1), segment, first, end)
    }
    let port: MessagePort | null = null
    const divider = dividerWith(teamOf((_block, given) => (port = given)))
    const alone = { ...division, size: 'alone' } as const
    expect([...divider.divide(part, alone, [words], 25)]).toEqual([45, 145, 110])
    expect(segments.splice(0)).toEqual([0, 1, 2])
    expect([...divider.divide(part, { ...alone, ordered: false }, [words], 25)]).toEqual([300])
    expect(segments).toEqual([0])
    divider.divide(part, { ...alone, ordered: false, width: 0 }, [], 600)
    expect(segments.slice(1)).toEqual(Array.from({ length: 60 }, (_, segment) => segment))
    expect(divider.threads()).toBe(2)
    expect(receiveMessageOnPort(port!)).toBeUndefined()
  })

  it('sends a helper bitmaps of its own and joins what it marks', () => {
    let port: MessagePort | null = null
    const divider = dividerWith(teamOf((_block, given) => (port = given)))
    const marks = new Uint32Array(new SharedArrayBuffer(16))
    const part: Part = ([bits], segment) => {
      ;(bits as Uint32Array)[0]! |= 1
      if (segment > 0) return
      const turn = receiveMessageOnPort(port!)?.message as Turn
      ;(turn.inputs[0] as Uint32Array)[0]! |= 6
    }
    divider.divide(part, { ...division, width: 0, folds: 'none', marks: [0] }, [marks], 25)
    expect(marks[0]).toBe(7)
  })

  it('sends a helper copies of columns and keeps the least or the greatest, turn after turn', () => {
    let port: MessagePort | null = null
    const divider = dividerWith(teamOf((_block, given) => (port = given)))
    const least = new Float64Array(new SharedArrayBuffer(24)).fill(5)
    const most = new Uint8Array(new SharedArrayBuffer(3))
    const copies = [
      { input: 0, keeps: 'least' },
      { input: 1, keeps: 'greatest' },
    ] as const
    const part: Part = ([low, high], segment) => {
      if (segment > 0) return
      ;(low as Float64Array)[0] = 3
      const turn = receiveMessageOnPort(port!)?.message as Turn
      expect(turn.inputs[0]).not.toBe(low)
      ;(turn.inputs[0] as Float64Array).set([4, 2, 9])
      ;(turn.inputs[1] as Uint8Array)[2] = 1
      ;(high as Uint8Array)[0] = 1
    }
    for (const turn of [1, 2]) {
      const how = { ...division, width: 0, folds: 'none', copies } as const
      divider.divide(part, how, [least, most], 25)
      expect([turn, ...least, ...most]).toEqual([turn, 3, 2, 5, 1, 0, 1])
    }
  })

  it('goes on without a helper for whose columns there is no memory', () => {
    let port: MessagePort | null = null
    const team = teamOf((_block, given) => (port = given))
    const column = new Float64Array(new SharedArrayBuffer(64))
    const part: Part = ([own]) => {
      ;(own as Float64Array)[0] = 1
    }
    const copies = [{ input: 0, keeps: 'greatest' }] as const
    dividerWith(team, 63).divide(
      part,
      { ...division, width: 0, folds: 'none', copies },
      [column],
      25,
    )
    expect(column[0]).toBe(1)
    expect(receiveMessageOnPort(port!)).toBeUndefined()
  })

  it('goes on without a helper for whose bitmaps there is no memory', () => {
    let port: MessagePort | null = null
    const team = teamOf((_block, given) => (port = given))
    const marks = new Uint32Array(new SharedArrayBuffer(16))
    const part: Part = ([bits]) => {
      ;(bits as Uint32Array)[0]! |= 1
    }
    dividerWith(team, 15).divide(
      part,
      { ...division, width: 0, folds: 'none', marks: [0] },
      [marks],
      25,
    )
    expect(marks[0]).toBe(1)
    expect(receiveMessageOnPort(port!)).toBeUndefined()
  })

  it('fails as the first segment fails, whoever ran it', () => {
    let helper: { block: WorkBlock; port: MessagePort } | null = null
    const team = teamOf((block, port) => (helper = { block, port }))
    const error = { code: 'QUERY_RUNTIME', message: 'of the helper', details: {} } as const
    const part: Part = (_inputs, segment) => {
      if (segment < 2) return
      helper!.port.postMessage({ segment: 1, widen: false, error } satisfies Failure)
      throw new Error('of the run')
    }
    expect(() => dividerWith(team).divide(part, division, [], 50)).toThrow('of the helper')
  })

  it('ends with an error when a helper is gone', () => {
    const team = teamOf((block) => {
      block.enter()
      block.noteLost()
    })
    expect(() => dividerWith(team).divide(sum, division, [], 25)).toThrow('lost a thread')
  })

  it('refuses arrays that another thread would get a copy of', () => {
    const divider = dividerWith(teamOf(() => undefined))
    expect(() => divider.divide(sum, division, [new Uint32Array(4)], 25)).toThrow('out of reach')
  })

  it('has segments that depend on the items alone, and no more than there are numbers for', () => {
    const ordered = { size: 'row', ordered: true, folds: 'none' } as const
    expect(segmentSize(10, 4096, ordered)).toBe(4096)
    expect(segmentSize(10, 4096, { ...ordered, size: 'deep' })).toBe(256)
    expect(segmentSize(10, 4096, { ...ordered, size: 'search' })).toBe(16)
    expect(segmentSize(10, 64, { ...ordered, size: 'search' })).toBe(1)
    const items = 2 ** 31
    expect(Math.ceil(items / segmentSize(items, 4096, ordered))).toBeLessThanOrEqual(SEGMENTS_MAX)
    const free = { size: 'row', ordered: false, folds: 'none' } as const
    expect([1_000, 131_072, items].map((count) => segmentSize(count, 4096, free))).toEqual([
      256,
      1_024,
      segmentSize(items, 4096, ordered),
    ])
    expect(segmentSize(24_000, 4096, { ...free, folds: 'free' })).toBe(1_000)
    expect(segmentSize(3, 4096, { size: 'share', ordered: false, folds: 'none' })).toBe(1)
  })
})
