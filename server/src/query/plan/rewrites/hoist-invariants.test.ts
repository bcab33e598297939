import { describe, expect, it } from 'vitest'
import { arrayCatalog, arrayView } from '../../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../../test/fixtures/query-runner.ts'

const numbers = new Float64Array(3)
const view = arrayView({
  vertexCount: 4,
  sources: Uint32Array.of(0, 0, 0),
  targets: Uint32Array.of(1, 2, 3),
  weights: numbers,
  amounts: numbers,
  sinces: numbers,
})
const runner = new QueryRunner(arrayCatalog, () => view)

describe('what is computed once for all edges of a source', () => {
  it.each(['gsql_uuid_v4()', 'to_string(rand())'])('is not %s', (value) => {
    const body = `SetAccum<STRING> @@a; SetAccum<STRING> @@b; All = {V.*};
      S = SELECT t FROM All:s -(E>)- V:t ACCUM STRING x = ${value}, @@a += x, @@b += ${value};
      PRINT @@a.size() AS a, @@b.size() AS b;`
    expect(runner.run(body)).toEqual([{ a: 3, b: 3 }])
  })
})
