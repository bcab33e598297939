import { describe, expect, it } from 'vitest'
import { arrayCatalog, arrayView } from '../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { explainQuery } from './explain.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const edges = { vertexCount: 4, sources: words, targets: words }
const view = arrayView({ ...edges, weights: none, amounts: none, sinces: none })
const runner = new QueryRunner(arrayCatalog, () => view)

const head = `SumAccum<DOUBLE> @@d; SumAccum<DOUBLE> @d; MinAccum<INT> @m; SumAccum<STRING> @@s;
  ArrayAccum<SumAccum<INT>> @@a[2]; MapAccum<STRING, AvgAccum> @@k; ListAccum<INT> @l; ListAccum<INT> @@l; SumAccum<INT> @@n; INT x = 1; All = {V.*};`

const unindexed = {
  indexOn: () => null,
  vectors: { fromNumbers: 0, of: () => ({ name: '', isReady: null }) },
}

/** What the last SELECT of a text may do on several threads. */
function parallelOf(select: string): readonly string[] {
  const { query } = runner.plan(`${head} ${select}`)
  return explainQuery(query, view, unindexed).findLast((step) => step.select !== null)!.select!
    .parallel
}

describe('what several threads may do at the same time', () => {
  it.each([
    ['R = SELECT s FROM All:s WHERE s.age > 3; PRINT R;', ['sources']],
    ['R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@d += e.amount, s.@d += t.score;', ['sources']],
    ['R = SELECT t FROM All:s -(E>)- V:t -(E>)- V:u ACCUM @@n += 1; PRINT R;', ['sources']],
    ['R = SELECT t FROM All:s -(E)- V:t ACCUM t.@d += s.score;', ['targets']],
    ['R = SELECT t FROM All:s -((E>|<E))- V:t ACCUM t.@m += s.@m; PRINT R;', ['targets']],
    ['R = SELECT s FROM All:s -((E>|<E):e)- V:t ACCUM t.@d += s.score;', ['sources']],
    ['R = SELECT s FROM All:s -(E:e)- V:t ACCUM t.@m += e.weight, s.@d += 1;', ['sources']],
    [
      'R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@l += t.age, @@k += ("a" -> e.amount);',
      ['sources'],
    ],
    ['R = SELECT s FROM All:s POST-ACCUM s.@d = s.@d + 1, @@n += 1;', ['sources', 'vertices']],
  ] as const)('%s', (select, shapes) => {
    expect(parallelOf(select)).toEqual(shapes)
  })

  it.each([
    ['one accumulator of both ends', 'ACCUM t.@m += s.age, s.@m += t.age', '(E:e)'],
    ['two folds that take turns', 'ACCUM t.@m += s.age, t.@m += e.weight', '(E:e)'],
    ['texts', 'ACCUM @@s += "a"', '(E:e)'],
    ['elements of another list', 'ACCUM @@l += [t.age, 1]', '(E:e)'],
    ['elements of an array', 'ACCUM @@a[0] += t.age', '(E:e)'],
    ['lists of vertices', 'ACCUM t.@l += s.age', '(E:e)'],
    ['mutators', 'ACCUM @@l.clear()', '(E:e)'],
    ['the first row that assigns', 'ACCUM s.@m = t.age', '(E:e)'],
    ['the last row that assigns', 'ACCUM x = t.age', '(E:e)'],
    ['chance', 'ACCUM @@d += rand(5)', '(E:e)'],
    ['chance in a text', 'ACCUM @@n += length(gsql_uuid_v4())', '(E:e)'],
    ['changes of the graph', 'ACCUM INSERT INTO V VALUES ("9", 1, 2)', '(E:e)'],
    ['combinations', 'PER (s) ACCUM @@n += 1', '(E:e)'],
  ])('not %s', (_name, clause, hop) => {
    expect(parallelOf(`R = SELECT s FROM All:s -${hop}- V:t ${clause};`)).toEqual([])
  })

  it('not a vertex of POST-ACCUM that reads what another writes', () => {
    const parent = 'MaxAccum<VERTEX<V>> @parent;'
    const select = 'R = SELECT s FROM All:s POST-ACCUM s.@m = s.@parent.@m; PRINT R;'
    expect(parallelOf(`${parent} ${select}`)).toEqual(['sources'])
  })
})
