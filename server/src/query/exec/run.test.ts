import { beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'

const catalog = catalogOf(
  [
    vertexType(1, 'City', { attributes: attributes({ name: 'STRING' }) }),
    vertexType(2, 'Person', {
      attributes: attributes({
        name: 'STRING',
        age: 'INT',
        score: 'DOUBLE',
        height: 'FLOAT',
        since: 'DATETIME',
        tags: { kind: 'SET', element: { kind: 'STRING' } },
      }),
    }),
  ],
  [
    edgeType(3, 'Follows', [2, 2], {
      reverseName: 'Followed',
      attributes: attributes({ weight: 'INT', at: 'DATETIME' }),
    }),
    edgeType(4, 'Knows', [2, 2], { directed: false, attributes: attributes({ weight: 'INT' }) }),
    edgeType(5, 'Lives', [2, 1]),
  ],
)

let engine: GraphEngine
let runner: QueryRunner

beforeAll(async () => {
  engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  frame.vertex('City', 'rome', { name: 'Rome' }).vertex('City', 'oslo', { name: 'Oslo' })
  const people = ['ada', 'bo', 'cy', 'di', 'ed']
  people.forEach((id, i) => {
    frame.vertex('Person', id, {
      name: id.toUpperCase(),
      age: 20 + i * 10,
      score: i / 4,
      height: Math.fround(1.5 + i / 10),
      since: 86_400 * i,
      tags: ['t', `x${i}`],
    })
  })
  const follows: readonly (readonly [string, string, number])[] = [
    ['ada', 'bo', 1],
    ['ada', 'cy', 2],
    ['bo', 'cy', 3],
    ['cy', 'ada', 4],
    ['cy', 'di', 5],
    ['di', 'di', 6],
  ]
  for (const [from, to, weight] of follows)
    frame.edge('Follows', [from, to], { weight, at: weight })
  frame.edge('Knows', ['ada', 'bo'], { weight: 7 }).edge('Knows', ['di', 'di'], { weight: 8 })
  frame.edge('Knows', ['cy', 'bo'], { weight: 9 })
  frame.edge('Lives', ['ada', 'rome']).edge('Lives', ['bo', 'rome']).edge('Lives', ['cy', 'oslo'])
  await engine.commit(frame.finish())
  runner = new QueryRunner(catalog, engine)
})

const ids = (set: unknown) => (set as { v_id: string }[]).map(({ v_id }) => v_id)

describe('a query', () => {
  it('sums over the edges of every vertex', () => {
    const body = `SumAccum<INT> @@total; SumAccum<INT> @in;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM @@total += e.weight, t.@in += 1;
      PRINT @@total, R[R.@in AS n];`
    expect(runner.run(body)).toEqual([
      {
        '@@total': 21,
        R: [
          { v_id: 'ada', v_type: 'Person', attributes: { n: 1 } },
          { v_id: 'bo', v_type: 'Person', attributes: { n: 1 } },
          { v_id: 'cy', v_type: 'Person', attributes: { n: 2 } },
          { v_id: 'di', v_type: 'Person', attributes: { n: 2 } },
        ],
      },
    ])
  })

  it('meets undirected edges from both ends, a loop once', () => {
    const body = `SumAccum<INT> @@n; R = SELECT s FROM Person:s -(Knows:e)- Person:t ACCUM @@n += e.weight; PRINT @@n, R;`
    const [row] = runner.run(body) as [{ '@@n': number; R: unknown }]
    expect(row['@@n']).toBe(7 * 2 + 8 + 9 * 2)
    expect(ids(row.R)).toEqual(['ada', 'bo', 'cy', 'di'])
  })

  it('prints whole vertices', () => {
    const body = `SumAccum<DOUBLE> @x = 1.5; P = {Person.*}; R = SELECT p FROM P:p WHERE p.age == 30; PRINT R;`
    expect(runner.json(body)).toBe(
      '[{"R":[{"v_id":"bo","v_type":"Person","attributes":{"name":"BO","age":30,"score":0.25,"height":1.6,"since":"1970-01-02 00:00:00","tags":["t","x1"],"@x":1.5}}]}]',
    )
  })
})
