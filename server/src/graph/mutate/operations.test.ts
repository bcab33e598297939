import { describe, expect, it } from 'vitest'
import type { AttributeType, AttributeValue, TupleType } from '#catalog/types.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { valueAt } from '../columns/read.ts'
import { fieldOp } from './frame-format.ts'

const pair: TupleType = {
  name: 'Pair',
  fields: [
    { name: 'a', type: 'INT' },
    { name: 'b', type: 'STRING' },
  ],
}
const { add, and, ignoreIfExists, max, min, or, set } = fieldOp
const integers: AttributeType = { kind: 'INT' }
const strings: AttributeType = { kind: 'STRING' }

interface Case {
  readonly type: AttributeType
  readonly op: number
  readonly old: AttributeValue
  readonly value: AttributeValue
  readonly expected: AttributeValue
}

function one(
  type: AttributeType | AttributeType['kind'],
  op: number,
  values: readonly [old: AttributeValue, value: AttributeValue, expected: AttributeValue],
): Case {
  const full = (typeof type === 'string' ? { kind: type } : type) as AttributeType
  return { type: full, op, old: values[0], value: values[1], expected: values[2] }
}

const list: AttributeType = { kind: 'LIST', element: integers as { kind: 'INT' } }
const textSet: AttributeType = { kind: 'SET', element: strings as { kind: 'STRING' } }
const map: AttributeType = {
  kind: 'MAP',
  key: strings as { kind: 'STRING' },
  value: integers as { kind: 'INT' },
}
const tuple: AttributeType = { kind: 'TUPLE', name: 'Pair' }

const cases: readonly Case[] = [
  one('INT', set, [5, -7, -7]),
  one('INT', ignoreIfExists, [5, 7, 5]),
  one('INT', add, [5, -7, -2]),
  one('INT', add, [2 ** 31 - 1, 1, 2 ** 31]),
  one('INT', add, [2 ** 53 - 1, 2, 2n ** 53n + 1n]),
  one('INT', add, [2n ** 63n - 1n, 1, -(2n ** 63n)]),
  one('INT', and, [12, 10, 8]),
  one('INT', or, [12, 10, 14]),
  one('INT', and, [-1, 2 ** 40, 2 ** 40]),
  one('INT', max, [5, 7, 7]),
  one('INT', max, [5, -7, 5]),
  one('INT', min, [5, -7, -7]),
  one('UINT', add, [2 ** 32 - 1, 1, 2 ** 32]),
  one('UINT', add, [2n ** 64n - 1n, 2, 1]),
  one('UINT', max, [3, 2n ** 64n - 1n, 2n ** 64n - 1n]),
  one('UINT', or, [2n ** 63n, 1, 2n ** 63n + 1n]),
  one('FLOAT', add, [0.5, 0.25, 0.75]),
  one('DOUBLE', add, [0.1, 0.2, 0.1 + 0.2]),
  one('DOUBLE', max, [0.1, 0.2, 0.2]),
  one('DOUBLE', min, [0.1, 0.2, 0.1]),
  one('DOUBLE', ignoreIfExists, [0.1, 0.2, 0.1]),
  one('BOOL', and, [true, false, false]),
  one('BOOL', or, [false, true, true]),
  one('BOOL', set, [true, false, false]),
  one('DATETIME', max, [100, 50, 100]),
  one('DATETIME', min, [100, -50, -50]),
  one('DATETIME', set, [0, 253_402_300_799, 253_402_300_799]),
  one('STRING', add, ['ab', 'cd', 'abcd']),
  one('STRING', max, ['ab', 'b', 'b']),
  one('STRING', min, ['ab', 'b', 'ab']),
  one('STRING', ignoreIfExists, ['', 'b', '']),
  one(list, add, [
    [1, 2],
    [2, 3],
    [1, 2, 2, 3],
  ]),
  one(list, set, [[1, 2], [], []]),
  one(textSet, add, [
    ['a', 'c'],
    ['b', 'c', 'd'],
    ['a', 'b', 'c', 'd'],
  ]),
  one(map, add, [
    [
      ['a', 1],
      ['b', 2],
    ],
    [
      ['b', 20],
      ['c', 30],
    ],
    [
      ['a', 1],
      ['b', 20],
      ['c', 30],
    ],
  ]),
  one(tuple, set, [
    [1, 'x'],
    [2, 'y'],
    [2, 'y'],
  ]),
  one(tuple, ignoreIfExists, [
    [1, 'x'],
    [2, 'y'],
    [1, 'x'],
  ]),
]

async function results({ type, op, old, value }: Case): Promise<AttributeValue[]> {
  const catalog = catalogOf(
    [vertexType(1, 'V', { attributes: attributes({ x: type }) })],
    [edgeType(2, 'E', [1, 1], { attributes: attributes({ x: type }) })],
    { tuples: [pair] },
  )
  const engine = await engineWith(catalog)
  const frame = () => new FrameBuilder(catalog)
  await engine.commit(frame().vertex('V', 'v', { x: old }).finish())
  await engine.commit(frame().edge('E', ['v', 'v'], { x: old }).finish())
  await engine.commit(frame().vertex('V', 'v', { x: value }, op).finish())
  await engine.commit(frame().edge('E', ['v', 'v'], { x: value }, op).finish())
  await engine.commit(frame().vertex('V', 'new', { x: value }, op).finish())
  const view = engine.view()
  const vertices = view.vertexTables[0]!.columns[0]!
  const edges = view.edgeTables[0]!.adjacencies[0]!.columns[0]!
  return [valueAt(vertices, 0), valueAt(edges, 0), valueAt(vertices, 1)]
}

describe('operation codes', () => {
  for (const one of cases) {
    const name = Object.entries(fieldOp).find(([, code]) => code === one.op)![0]
    it(`${name} of ${one.type.kind}: ${String(one.old)} and ${String(one.value)}`, async () => {
      const [onVertex, onEdge, onNew] = await results(one)
      expect(onVertex).toEqual(one.expected)
      expect(onEdge).toEqual(one.expected)
      expect(onNew).toEqual(one.value)
    })
  }
})
