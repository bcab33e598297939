/** Positions of loading jobs: in the record of the rows, over restarts, reloads and checkpoints. */
import { describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import { LoadPositions } from './load-positions.ts'
import { FrameCursor } from './mutate/frame-cursor.ts'
import { FrameWriter } from './mutate/frame-writer.ts'
import { withPosition } from './mutate/positioned-frame.ts'

const position = { run: 'g.j.é.m1.1', statement: 2, input: 3, line: 2 ** 40 }

function frameOf(...ids: string[]): Uint8Array {
  const writer = new FrameWriter(5)
  writer.beginVertices(7, [])
  for (const id of ids) {
    writer.textKey(id)
    writer.endEntry()
  }
  return writer.finish()
}

describe('a batch with a position', () => {
  it('has the runs and flags of the batch without, and says the position', () => {
    const cursor = new FrameCursor(withPosition(frameOf('a', 'bc'), position))
    expect(cursor.position).toEqual(position)
    expect(cursor.flags).toBe(5)
    expect(cursor.hasExpectations).toBe(false)
    expect(cursor.nextRun()).toBe(true)
    expect([cursor.typeId, cursor.count]).toEqual([7, 2])
    const keys = [0, 1].map(() => {
      cursor.readKey(0, false)
      return cursor.keyText(0)
    })
    expect(keys).toEqual(['a', 'bc'])
    expect(cursor.nextRun()).toBe(false)
    expect(new FrameCursor(frameOf('a')).position).toBeNull()
  })

  it('may have no runs', () => {
    const cursor = new FrameCursor(withPosition(null, position))
    expect(cursor.position).toEqual(position)
    expect(cursor.nextRun()).toBe(false)
  })

  it('is damage where it is cut off', () => {
    const whole = withPosition(null, position)
    for (let length = 4; length < whole.length; length++) {
      let error: unknown = null
      try {
        new FrameCursor(whole.subarray(0, length))
      } catch (cause) {
        error = cause
      }
      expect(isDbError(error, 'CORRUPT_LOG'), `${length} bytes`).toBe(true)
    }
  })
})

describe('positions', () => {
  it('are the last ones of each statement, until the run is forgotten', () => {
    const positions = new LoadPositions()
    expect(positions.stored()).toBeNull()
    positions.note({ run: 'a', statement: 0, input: 0, line: 5 }, 3)
    // A checkpoint is ahead of what is applied once more behind it.
    positions.note({ run: 'a', statement: 0, input: 0, line: 5 }, 3)
    positions.note({ run: 'a', statement: 0, input: 1, line: 2 }, 4)
    positions.note({ run: 'a', statement: 0, input: 0, line: 9 }, 5)
    positions.note({ run: 'a', statement: 1, input: 0, line: 9 }, 0)
    positions.note({ run: 'b', statement: 0, input: 0, line: 1 }, 0)
    const restored = new LoadPositions()
    restored.restore(JSON.parse(JSON.stringify(positions.stored())))
    expect([...restored.of('a')]).toEqual([
      [0, { input: 1, line: 2, createdEnds: 7 }],
      [1, { input: 0, line: 9, createdEnds: 0 }],
    ])
    restored.forget('a')
    expect(restored.runs).toEqual(['b'])
    expect(restored.of('a').size).toBe(0)
    restored.restore(undefined)
    // Checkpoints of earlier versions do not count.
    restored.restore({ c: [[0, 0, 4]] })
    expect(restored.of('c').get(0)).toEqual({ input: 0, line: 4, createdEnds: 0 })
    restored.clear()
    expect(restored.stored()).toBeNull()
  })
})
