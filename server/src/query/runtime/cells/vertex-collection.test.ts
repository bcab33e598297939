/** Sets of vertices against plain sets, and counts of what two of them share. */
import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { integerRules } from '../integer-functions.ts'
import { type RunArrays, RunCounter } from '../set-counts/run-counter.ts'
import { setRunFunctions } from '../set-counts/set-runs.ts'
import { SharedVertices } from '../set-counts/shared-vertices.ts'
import { Arena } from './arena.ts'
import { COUNT, SLOT_COUNT } from './block.ts'
import { MemoryBudget } from './memory.ts'
import { Ropes } from './ropes.ts'
import { Shapes } from './shapes.ts'
import { StringTable } from './strings.ts'
import { VertexCollectionShape } from './vertex-collection.ts'

const VERTICES = 5_000

function world() {
  const memory = new MemoryBudget(2 ** 26)
  const strings = new StringTable(memory)
  const arena = new Arena(memory)
  const cells = { arena, strings, ropes: new Ropes(strings, memory), temporaries: { push() {} } }
  const shapes = new Shapes(cells, { wide: false, integers: integerRules })
  const element = { kind: 'value', type: { kind: 'VERTEX', typeIds: null } } as const
  const set = shapes.accum({ kind: 'SetAccum', element })
  expect(set).toBeInstanceOf(VertexCollectionShape)
  return { memory, arena, set: set as VertexCollectionShape }
}

const membersOf = (set: VertexCollectionShape, block: number) =>
  Array.from({ length: set.size(block) }, (_, i) => set.elementAt(block, i) as number)

/** As the collections of the language have it: the last one moves into the gap. */
function removeFrom(model: number[], value: number): boolean {
  const at = model.indexOf(value)
  if (at < 0) return false
  const last = model.pop()!
  if (at < model.length) model[at] = last
  return true
}

describe('sets of vertices', () => {
  it('agree with lists without repeats over random programs on several of them', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed)
      const { set } = world()
      const range = [5, 40, 600, VERTICES][seed % 4]!
      const blocks = [set.make(), set.make(), set.make()]
      const models: number[][] = [[], [], []]
      for (let step = 0; step < 1_500; step++) {
        // Runs of one set, as the source of a hop has them, and changes between several.
        const i = seed % 2 === 0 ? (step >> 6) % 3 : random.below(3)
        const [block, model] = [blocks[i]!, models[i]!]
        const vertex = random.below(range) - 1
        const action = random.below(100)
        const what = `seed ${seed}, step ${step}`
        if (action < 75) {
          set.add(block, vertex)
          if (!model.includes(vertex)) model.push(vertex)
        } else if (action < 88) expect(set.has(block, vertex), what).toBe(model.includes(vertex))
        else if (action < 97)
          expect(set.removeKey(block, vertex), what).toBe(removeFrom(model, vertex))
        else if (action < 98) {
          set.clear(block)
          models[i] = []
        } else {
          blocks[i] = set.copy(block)
          set.free(block)
        }
      }
      expect(
        blocks.map((block) => membersOf(set, block)),
        `seed ${seed}`,
      ).toEqual(models)
      for (const [i, model] of models.entries()) {
        for (const vertex of model) expect(set.has(blocks[i]!, vertex)).toBe(true)
      }
    }
  })

  it('give back all that they took', () => {
    const { memory, set } = world()
    const fill = (): void => {
      const blocks = Array.from({ length: 50 }, () => set.make())
      for (let vertex = 0; vertex < 1_000; vertex++) {
        for (const block of blocks) set.add(block, vertex)
      }
      for (const block of blocks) set.free(block)
    }
    fill()
    const { usedBytes } = memory
    fill()
    expect(memory.usedBytes).toBe(usedBytes)
  })

  it('take many numbers at once, in their order, behind those they have', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed)
      const { set } = world()
      const block = set.make()
      let model: number[] = []
      for (let step = 0; step < 12; step++) {
        const numbers = new Set<number>()
        const size = random.below([3, 30, 700][step % 3]!)
        for (let i = 0; i < size; i++) numbers.add(random.below(VERTICES))
        const array = Int32Array.from([-9, -9, ...numbers, -9])
        set.addAll(block, array, 2, numbers.size)
        model = [...new Set([...model, ...numbers])]
        if (random.below(5) === 0) {
          set.clear(block)
          model = []
        }
        expect(membersOf(set, block), `seed ${seed}, step ${step}`).toEqual(model)
        for (const vertex of numbers) expect(set.has(block, vertex)).toBe(model.includes(vertex))
      }
    }
  })

  it('have slots once they are large, whoever filled them', () => {
    const { arena, set } = world()
    const block = set.make()
    for (let vertex = 0; vertex < 300; vertex++) set.add(block, vertex * 7)
    expect(arena.cells[block + SLOT_COUNT]).toBeGreaterThanOrEqual(600)
    const copy = set.copy(block)
    expect(arena.cells[copy + SLOT_COUNT]).toBeGreaterThanOrEqual(600)
    expect(arena.cells[copy + COUNT]).toBe(300)
  })
})

/** Where the sets of a column lie, in its runs. */
function runsOf(
  runs: ReturnType<typeof setRunFunctions>,
  column: Uint32Array,
  initial: number,
): RunArrays {
  const directory = runs.runDirectory(column, initial, column.length)
  return [directory, runs.runMembers(column), runs.runRows(column), column, initial]
}

describe('what two sets share', () => {
  it.each([
    { seeds: 20, vertexCount: VERTICES, large: 3_000 },
    // More members than have places of 16 bits.
    { seeds: 1, vertexCount: 150_000, large: 70_000 },
  ])(
    'is counted alike from blocks and from runs, in any order of sets: $vertexCount vertices',
    ({ seeds, vertexCount, large }) => {
      for (let seed = 1; seed <= seeds; seed++) {
        const random = createRandom(seed)
        const { memory, arena, set } = world()
        const initial = set.make()
        set.add(initial, 3)
        const columns = [new Uint32Array(40), new Uint32Array(40)] as const
        const models = columns.map((column) =>
          Array.from(column, (_, v) => {
            if (v % 9 === 0) return new Set([3])
            column[v] = set.make()
            const size = [20, 20, 200, large][random.below(4)]!
            for (let i = random.below(size); i > 0; i--) {
              // The first vertices are in many sets.
              const below = random.below(3) === 0 ? 500 : vertexCount + 1
              set.add(column[v]!, random.below(below) - 1)
            }
            return new Set(membersOf(set, column[v]!))
          }),
        )
        const runs = setRunFunctions({ arena, memory, vertexCount })
        const [one, other] = columns.map((column) => runsOf(runs, column, initial))
        expect(one![0].length).toBeGreaterThan(40)
        const arrays = [arena.cells, arena.words, arena.setChanges] as const
        const counter = () => {
          const sets = new SharedVertices(memory, vertexCount)
          sets.open(arrays)
          return { sets, runs: new RunCounter(memory, vertexCount, sets) }
        }
        const [same, two] = [counter(), counter()]
        for (let step = 0; step < 400; step++) {
          // Either side may stay, or none; and a part of a loop may begin.
          const left = step % 3 === 0 ? random.below(40) : 5
          const right = step % 3 === 1 ? 7 : random.below(40)
          const block = (side: 0 | 1, v: number) => columns[side][v]! || initial
          const expected = (side: 0 | 1) =>
            [...models[0]![left]!].filter((vertex) => models[side]![right]!.has(vertex)).length
          same.runs.open([one!, one!])
          two.runs.open([one!, other!])
          const found = [
            same.sets.count(block(0, left), block(0, right)),
            same.runs.count(left, right),
            two.sets.count(block(0, left), block(1, right)),
            two.runs.count(left, right),
          ]
          const wanted = [expected(0), expected(0), expected(1), expected(1)]
          expect(found, `seed ${seed}, step ${step}`).toEqual(wanted)
        }
      }
    },
  )

  it('follows changes of the sets', () => {
    const { memory, arena, set } = world()
    const column = Uint32Array.from([set.make(), set.make()])
    const [one, other] = [column[0]!, column[1]!]
    const runs = setRunFunctions({ arena, memory, vertexCount: VERTICES })
    const sets = new SharedVertices(memory, VERTICES)
    const counter = new RunCounter(memory, VERTICES, sets)
    const count = (): number => {
      const arrays = runsOf(runs, column, one)
      counter.open([arrays, arrays])
      sets.open([arena.cells, arena.words, arena.setChanges])
      const found = counter.count(0, 1)
      expect(sets.count(one, other)).toBe(found)
      return found
    }
    const counts = [count()]
    for (const change of [
      () => set.add(one, 1),
      () => set.add(other, 1),
      () => set.add(other, 2),
      () => set.add(one, 2),
      () => set.removeKey(one, 1),
      () => set.clear(other),
    ]) {
      change()
      counts.push(count())
    }
    expect(counts).toEqual([0, 0, 1, 1, 2, 1, 0])
  })

  it('gives back the memory of runs that are made anew', () => {
    const { memory, arena, set } = world()
    const column = Uint32Array.from([set.make(), set.make()])
    const runs = setRunFunctions({ arena, memory, vertexCount: VERTICES })
    const used = Array.from({ length: 5 }, (_, i) => {
      set.add(column[0]!, 1)
      set.removeKey(column[0]!, 1)
      runsOf(runs, column, column[0]!)
      return i === 0 ? 0 : memory.usedBytes
    })
    expect(new Set(used.slice(1)).size).toBe(1)
  })

  it('is counted without a copy when few sources or no memory call for it', () => {
    const { arena, set } = world()
    const column = new Uint32Array(1_000)
    column[1] = set.make()
    const few = setRunFunctions({ arena, memory: new MemoryBudget(2 ** 20), vertexCount: 9 })
    expect(few.runDirectory(column, column[1], 10)).toHaveLength(0)
    expect(few.runMembers(column)).toHaveLength(0)
    const poor = setRunFunctions({ arena, memory: new MemoryBudget(100), vertexCount: 9 })
    expect(poor.runDirectory(column, column[1], 1_000)).toHaveLength(0)
  })
})
