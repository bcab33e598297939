/** Every allocation of memory outside the heap fails once: the query ends, and the next one runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { RefusedMemory } from '../../../test/fixtures/refused-memory.ts'
import { RunControl } from './control.ts'

const catalog = catalogOf(
  [vertexType(1, 'Person', { attributes: attributes({ age: 'INT', name: 'STRING' }) })],
  [edgeType(2, 'Follows', [1, 1], { attributes: attributes({ weight: 'INT' }) })],
)
const names = [
  'SharedArrayBuffer',
  'ArrayBuffer',
  'Float64Array',
  'BigInt64Array',
  'Int32Array',
  'Uint32Array',
  'Uint8Array',
] as const
let memory: RefusedMemory
let engine: GraphEngine

beforeAll(async () => {
  engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  for (let i = 0; i < 60; i++) frame.vertex('Person', `p${i}`, { age: i, name: `name ${i}` })
  for (let i = 0; i < 60; i++) {
    frame.edge('Follows', [`p${i}`, `p${(i * 7 + 1) % 60}`], { weight: i })
  }
  await engine.commit(frame.finish())
  memory = new RefusedMemory(names)
})

afterAll(() => {
  memory.restore()
})

const bodies: Readonly<Record<string, string>> = {
  'a hop': `SumAccum<INT> @@n; SumAccum<INT> @m; S = {Person.*};
    R = SELECT t FROM S:s -(Follows>:e)- Person:t WHERE t.age > 5 ACCUM @@n += e.weight, t.@m += 1
      POST-ACCUM (t) @@n += t.@m ORDER BY t.name DESC LIMIT 7; PRINT @@n, R;`,
  collections: `ListAccum<STRING> @@l; SetAccum<INT> @@s; MapAccum<STRING, SumAccum<INT>> @@m;
    SetAccum<VERTEX> @near; S = {Person.*};
    R = SELECT s FROM S:s -(Follows>)- Person:t
      ACCUM @@l += t.name, @@s += t.age, @@m += (t.name -> 1), t.@near += s;
    PRINT @@l, @@s, @@m, R[R.@near];`,
  texts: `STRING x; SumAccum<STRING> @@t; FOREACH i IN RANGE[0, 200] DO
      x = x + to_string(i); @@t += upper(x); END; PRINT length(x), length(@@t), replace(x, "1", "ab");`,
  heaps: `TYPEDEF TUPLE<n INT, s STRING> T; HeapAccum<T>(9, n DESC) @@h; ArrayAccum<SumAccum<INT>> @@a[20];
    GroupByAccum<INT a, SumAccum<INT> b> @@g; S = {Person.*};
    R = SELECT s FROM S:s ACCUM @@h += T(s.age, s.name), @@a[s.age % 20] += 1, @@g += (s.age % 7 -> 1);
    PRINT @@h, @@a, @@g;`,
  tables: `SELECT s.name AS a, t.age AS b INTO T FROM Person:s -(Follows>)- Person:t ORDER BY s.name;
    SELECT s.age % 5 AS k, count(*) AS n INTO U FROM Person:s GROUP BY s.age % 5; PRINT T, U;`,
  walks: `SumAccum<INT> @n = 1; S = {Person.*};
    R = SELECT t FROM S:s -(Follows>*1..4)- Person:t ACCUM t.@n += s.@n; PRINT R[R.@n];`,
  changes: `S = {Person.*}; R = SELECT s FROM S:s POST-ACCUM s.age = s.age + 1;
    INSERT INTO Person VALUES ("new", 1, "new"); PRINT R.size();`,
  'exact integers': `SumAccum<INT> @@n; S = {Person.*};
    R = SELECT s FROM S:s ACCUM @@n += 9007199254740993 + s.age; PRINT @@n;`,
  JSON: `JSONOBJECT o; o = parse_json_object("{\\"a\\":[1,2,{\\"b\\":\\"x\\"}]}"); PRINT o, o.getJsonArray("a");`,
}

describe('a query that is refused memory', () => {
  it.each(Object.keys(bodies))('of %s ends at each allocation, and hurts no other', (name) => {
    const body = bodies[name]!
    const expected = new QueryRunner(catalog, engine).json(body)
    for (let at = 1; ; at++) {
      // A thread that has run nothing yet.
      const runner = new QueryRunner(catalog, engine)
      const plan = runner.plan(body)
      const control = new RunControl()
      memory.left = at
      let answer: unknown
      try {
        answer = runner.execute(plan, { control })
      } catch (error) {
        answer = error
      }
      const wasReached = memory.left <= 0
      memory.left = Number.POSITIVE_INFINITY
      if (!wasReached) {
        expect(answer).toBe(expected)
        expect(at).toBeGreaterThan(10)
        return
      }
      expect(isDbError(answer, 'QUERY_MEMORY_LIMIT'), `allocation ${at}: ${answer}`).toBe(true)
      // What the thread keeps for later runs is as good as before.
      expect(runner.execute(plan, { control })).toBe(expected)
    }
  })
})
