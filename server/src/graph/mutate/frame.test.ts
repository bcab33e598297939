import { describe, expect, it } from 'vitest'
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { FrameCursor } from './frame-cursor.ts'
import { fieldOp, frameFlag, runKind } from './frame-format.ts'
import { readValue, tupleLookup, writeValue } from './frame-values.ts'
import { FrameWriter } from './frame-writer.ts'

const tuples = tupleLookup([
  {
    name: 'Addr',
    fields: [
      { name: 'street', type: 'STRING', length: 40 },
      { name: 'no', type: 'INT' },
    ],
  },
])

function roundTrip(type: AttributeType, value: AttributeValue): AttributeValue {
  const writer = new FrameWriter(0)
  writer.beginVertices(1, [{ attributeId: 1, op: fieldOp.set }])
  writer.textKey('a')
  writeValue(writer, type, value, tuples)
  writer.endEntry()
  const cursor = new FrameCursor(writer.finish())
  cursor.nextRun()
  cursor.readKey(0, false)
  const read = readValue(cursor, type, tuples)
  expect(cursor.at).toBe(cursor.runEnd)
  expect(cursor.nextRun()).toBe(false)
  return read
}

describe('mutation frames', () => {
  it('give back runs, fields, keys and flags as they were written', () => {
    const writer = new FrameWriter(frameFlag.atomic | frameFlag.newVertexOnly, 64)
    const type = { edgeTypeId: 9, fromTypeId: 2, toTypeId: 300 }
    writer.beginEdges(type, [{ attributeId: 4, op: fieldOp.max }])
    writer.bigintKey(-5n)
    writer.textKey('ä'.repeat(200))
    writer.float64(1.5)
    writer.endEntry()
    writer.sameKey()
    writer.textKey('')
    writer.float64(-2)
    writer.endEntry()
    writer.deleteVertexType(7)

    const cursor = new FrameCursor(writer.finish())
    expect(cursor.flags).toBe(17)
    expect(cursor.nextRun()).toBe(true)
    expect(cursor).toMatchObject({ kind: 2, count: 2, typeId: 9, fromTypeId: 2, toTypeId: 300 })
    expect([cursor.fieldIds, cursor.fieldOps]).toEqual([[4], [5]])
    expect([cursor.readKey(0, true), cursor.readKey(1, false)]).toEqual([true, true])
    expect([cursor.keyBigint(0), cursor.keyText(1)]).toEqual([-5n, 'ä'.repeat(200)])
    expect(cursor.float64()).toBe(1.5)
    expect([cursor.readKey(0, true), cursor.readKey(1, false)]).toEqual([false, true])
    expect([cursor.keyBigint(0), cursor.keyText(1)]).toEqual([-5n, ''])
    cursor.skipValue({ kind: 'DOUBLE' })
    expect(cursor.nextRun()).toBe(true)
    expect(cursor).toMatchObject({ kind: runKind.deleteVertexType, count: 0, typeId: 7 })
    expect(cursor.nextRun()).toBe(false)
  })

  it('leave no trace of a run without entries', () => {
    const writer = new FrameWriter(0)
    writer.beginVertexDeletes(3)
    expect(new FrameCursor(writer.finish()).nextRun()).toBe(false)
  })

  it.each<[AttributeType, AttributeValue]>([
    [{ kind: 'INT' }, -9_223_372_036_854_775_808n],
    [{ kind: 'UINT' }, 18_446_744_073_709_551_615n],
    [{ kind: 'FLOAT' }, 0.5],
    [{ kind: 'BOOL' }, true],
    [{ kind: 'STRING' }, 'héllo 😀'],
    [{ kind: 'FIXED_BINARY', length: 3 }, new Uint8Array([1, 2, 255])],
    [{ kind: 'TUPLE', name: 'Addr' }, ['Elm', 5]],
    [
      { kind: 'LIST', element: { kind: 'TUPLE', name: 'Addr' } },
      [
        ['Elm', 5],
        ['', -1],
      ],
    ],
  ])('keep a value of type %j', (type, value) => {
    expect(roundTrip(type, value)).toEqual(value)
  })

  it('keep sets sorted and unique, and of equal map keys the last', () => {
    const set: AttributeType = { kind: 'SET', element: { kind: 'STRING' } }
    expect(roundTrip(set, ['b', 'a', 'b'])).toEqual(['a', 'b'])
    const map: AttributeType = { kind: 'MAP', key: { kind: 'STRING' }, value: { kind: 'INT' } }
    const pairs: AttributeValue = [
      ['k', 1],
      ['j', 2],
      ['k', 3],
    ]
    expect(roundTrip(map, pairs)).toEqual([
      ['j', 2],
      ['k', 3],
    ])
  })

  it('are refused when they are cut or of another kind', () => {
    const writer = new FrameWriter(0)
    writer.beginVertexDeletes(3)
    writer.textKey('abc')
    writer.endEntry()
    const frame = writer.finish()
    const cut = new FrameCursor(frame.subarray(0, frame.length - 1))
    expect(() => cut.nextRun()).toThrow('a run is cut off')
    expect(() => new FrameCursor(new Uint8Array(4))).toThrow('not a mutation batch')
    expect(() => new FrameCursor(new Uint8Array([1, 5, 0, 0]))).toThrow('version 5')
  })
})
