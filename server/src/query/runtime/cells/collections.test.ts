import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryRunner } from '../../../../test/fixtures/query-runner.ts'
import { smallGraph } from '../../../../test/fixtures/small-graph.ts'

let runner: QueryRunner

beforeAll(async () => {
  runner = (await smallGraph()).runner
})

const sorted = (values: unknown) => [...(values as string[])].sort()
const one = (body: string, settings = {}) =>
  (runner.run(body, settings) as Record<string, unknown>[])[0]!

describe('collection accumulators', () => {
  it('collect elements of every type', () => {
    const row = one(
      `ListAccum<INT> @@list; SetAccum<VERTEX> @@set; BagAccum<STRING> @@bag;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t
        ACCUM @@list += e.weight, @@set += t, @@bag += t.name;
      PRINT @@list, @@set, @@bag, @@bag.size() AS n;`,
    )
    expect(sorted(row['@@list'])).toEqual([1, 2, 3, 4, 5, 6])
    expect(sorted(row['@@set'])).toEqual(['ada', 'bo', 'cy', 'di'])
    expect(sorted(row['@@bag'])).toEqual(['ADA', 'BO', 'CY', 'CY', 'DI', 'DI'])
    expect(row['n']).toBe(6)
  })

  it('accumulate the values of a map', () => {
    const row = one(`MapAccum<STRING, INT> @@sums; MapAccum<VERTEX, SetAccum<VERTEX>> @@sets;
      MapAccum<INT, ListAccum<STRING>> @@lists; MapAccum<STRING, AvgAccum> @@means;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t
        ACCUM @@sums += (t.name -> e.weight), @@sets += (t -> s), @@lists += (t.age -> s.name),
          @@means += (t.name -> e.weight);
      PRINT @@sums, @@sets, @@lists, @@means, @@sums.get("CY") AS cy, @@sums.get("none") AS none,
        @@sets.size() AS n, @@lists.get(40).size() AS forty, @@sums.containsKey("BO") AS bo;`)
    expect(row['@@sums']).toEqual({ BO: 1, CY: 5, ADA: 4, DI: 11 })
    expect(row['@@sets']).toEqual({ bo: ['ada'], cy: ['ada', 'bo'], ada: ['cy'], di: ['cy', 'di'] })
    expect(row['@@lists']).toEqual({ 30: ['ADA'], 40: ['ADA', 'BO'], 20: ['CY'], 50: ['CY', 'DI'] })
    expect(row['@@means']).toEqual({ BO: 1, CY: 2.5, ADA: 4, DI: 5.5 })
    expect(row).toMatchObject({ cy: 5, none: 0, n: 4, forty: 2, bo: true })
  })

  it('keep the best tuples in a heap, by every sort key', () => {
    const body = `TYPEDEF TUPLE<INT weight, STRING name> Row;
      HeapAccum<Row>(n, weight DESC, name ASC) @@best; HeapAccum<Row>(2, name ASC) @first;
      R = SELECT s FROM Person:s -(Follows>:e)- Person:t
        ACCUM @@best += Row(e.weight / 2, t.name), s.@first += Row(e.weight, t.name);
      PRINT @@best, @@best.top().name AS top, @@best.size() AS n, R[R.@first AS f];`
    const row = one(body, { parameters: 'INT n', arguments: [3] })
    expect(row['@@best']).toEqual([
      { weight: 3, name: 'DI' },
      { weight: 2, name: 'ADA' },
      { weight: 2, name: 'DI' },
    ])
    expect(row).toMatchObject({ top: 'DI', n: 3 })
    expect((row['R'] as { attributes: unknown }[])[0]!.attributes).toEqual({
      f: [
        { weight: 1, name: 'BO' },
        { weight: 2, name: 'CY' },
      ],
    })
  })

  it('are kept per vertex', () => {
    const row = one(`SetAccum<VERTEX> @from; ListAccum<INT> @w; MapAccum<VERTEX, INT> @m;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t
        ACCUM t.@from += s, t.@w += e.weight, t.@m += (s -> e.weight)
        POST-ACCUM t.@w += t.@from.size();
      PRINT R[R.@from AS f, R.@w AS w, R.@m AS m];`)
    expect(
      (row['R'] as { v_id: string; attributes: unknown }[]).map((v) => [v.v_id, v.attributes]),
    ).toEqual([
      ['ada', { f: ['cy'], w: [4, 1], m: { cy: 4 } }],
      ['bo', { f: ['ada'], w: [1, 1], m: { ada: 1 } }],
      ['cy', { f: ['ada', 'bo'], w: [2, 3, 2], m: { ada: 2, bo: 3 } }],
      ['di', { f: ['cy', 'di'], w: [5, 6, 2], m: { cy: 5, di: 6 } }],
    ])
  })

  it('nest lists, compare and combine', () => {
    const row = one(`ListAccum<ListAccum<INT>> @@rows; ListAccum<INT> @@a, @@b; SetAccum<INT> @@s;
      @@a += 1; @@a += 2; @@b += [3, 4]; @@rows += @@a; @@rows += @@b; @@s += @@a; @@s += 2;
      @@a += @@b;
      PRINT @@rows, @@a, @@a + @@b AS both, @@s, 3 IN @@b AS yes, 9 IN @@b AS no, @@rows.get(1).get(0) AS three;`)
    expect(row).toEqual({
      '@@rows': [
        [1, 2],
        [3, 4],
      ],
      '@@a': [1, 2, 3, 4],
      both: [1, 2, 3, 4, 3, 4],
      '@@s': [1, 2],
      yes: true,
      no: false,
      three: 3,
    })
  })

  it('are changed by mutators', () => {
    const row =
      one(`ListAccum<INT> @@l; SetAccum<INT> @@s; MapAccum<INT, INT> @@m; BagAccum<INT> @@g;
      TYPEDEF TUPLE<INT a> T; HeapAccum<T>(3, a ASC) @@h;
      @@l += [1, 2, 3, 2]; @@l.update(0, 9); @@l.remove(1); @@l.removeAll(2);
      @@s += (1, 2, 3); @@s.remove(2);
      @@m += (1 -> 10); @@m += (2 -> 20); @@m += (1 -> 5); @@m.remove(2);
      @@g += 4; @@g += 4; @@g += 5; @@g.remove(4);
      @@h += T(3); @@h += T(1); @@h += T(2); @@h += T(7); @@h.pop(); @@h.resize(1);
      PRINT @@l, @@s, @@m, @@g, @@h; @@l.clear(); @@s.clear(); PRINT @@l, @@s.size() AS n;`)
    expect(row).toEqual({
      '@@l': [9, 3],
      '@@s': [1, 3],
      '@@m': { 1: 15 },
      '@@g': [4, 5],
      '@@h': [{ a: 2 }],
    })
  })

  it('count what two of them share as the set of it would be counted', () => {
    const row = one(`SetAccum<INT> @@few; SetAccum<INT> @@many; SetAccum<STRING> @@left;
      SetAccum<STRING> @@right; BagAccum<INT> @@ones; BagAccum<INT> @@repeats; SetAccum<INT> @@none;
      FOREACH i IN RANGE [1, 5] DO @@few += i * 7; END;
      FOREACH i IN RANGE [1, 100] DO @@many += i * 2; END;
      FOREACH i IN RANGE [1, 3] DO @@left += to_string(i); @@right += to_string(i + 1); END;
      @@ones += 14; @@repeats += 14; @@repeats += 14;
      PRINT COUNT(@@few INTERSECT @@many) AS small, COUNT(@@many INTERSECT @@few) AS turned,
        COUNT(@@many INTERSECT @@many) AS own, COUNT(@@few INTERSECT @@few) AS tiny,
        COUNT(@@left INTERSECT @@right) AS texts, COUNT(@@none INTERSECT @@many) AS none,
        COUNT(@@ones INTERSECT @@repeats) AS once, COUNT(@@repeats INTERSECT @@repeats) AS twice,
        COUNT(DISTINCT @@repeats INTERSECT @@repeats) AS distinctly,
        COUNT(DISTINCT @@few INTERSECT @@many) AS sets;`)
    expect(row).toEqual({
      small: 2,
      turned: 2,
      own: 100,
      tiny: 5,
      texts: 2,
      none: 0,
      once: 1,
      twice: 2,
      distinctly: 1,
      sets: 2,
    })
  })

  it('count what they share again and again while they change', () => {
    const { counts, odd } = one(`SetAccum<INT> @@a; SetAccum<INT> @@b; SetAccum<INT> @@large;
      ListAccum<INT> @@counts; ListAccum<INT> @@odd;
      FOREACH i IN RANGE [1, 60] DO
        @@a += i * 3; @@b += i * 2;
        @@counts += COUNT(@@a INTERSECT @@b); @@counts += COUNT(@@a INTERSECT @@b);
        @@counts += COUNT(@@a INTERSECT @@a);
        IF i % 7 == 0 THEN @@a.remove(i * 3); END;
      END;
      FOREACH i IN RANGE [1, 9] DO @@large += i - 5; @@large += 4294967290 + i; END;
      FOREACH i IN RANGE [1, 3] DO @@odd += COUNT(@@large INTERSECT @@large); END;
      FOREACH i IN RANGE [1, 3] DO @@odd += COUNT(@@b INTERSECT @@large); END;
      PRINT @@counts AS counts, @@odd AS odd;`)
    const [a, b] = [new Set<number>(), new Set<number>()]
    const expected: number[] = []
    for (let i = 1; i <= 60; i++) {
      a.add(i * 3)
      b.add(i * 2)
      const shared = [...a].filter((value) => b.has(value)).length
      expected.push(shared, shared, a.size)
      if (i % 7 === 0) a.delete(i * 3)
    }
    expect(counts).toEqual(expected)
    expect(odd).toEqual([18, 18, 18, 2, 2, 2])
  })

  it('hold thousands of entries', () => {
    const row = one(`SetAccum<INT> @@s; MapAccum<INT, INT> @@m; INT sum = 0;
      FOREACH i IN RANGE [1, 5000] DO @@s += i % 1000; @@m += (i % 77 -> 1); END;
      FOREACH (k, v) IN @@m DO sum = sum + v; END;
      FOREACH x IN @@s DO sum = sum + x; END;
      PRINT @@s.size() AS s, @@m.size() AS m, sum;`)
    expect(row).toEqual({ s: 1000, m: 77, sum: 5000 + 499_500 })
  })

  it('keep dates as numbers inside collections and as text elsewhere', () => {
    const row = one(`SetAccum<DATETIME> @@s; MaxAccum<DATETIME> @@m; DATETIME d;
      R = SELECT s FROM Person:s WHERE s.age < 35 ACCUM @@s += s.since, @@m += s.since;
      d = to_datetime("2020-01-02 03:04:05"); PRINT @@s, @@m, d;`)
    expect(row).toEqual({
      '@@s': [0, 86400],
      '@@m': '1970-01-02 00:00:00',
      d: '2020-01-02 03:04:05',
    })
  })

  it('hold edges, which print with their ends', () => {
    const row = one(`SetAccum<EDGE> @@e; ListAccum<EDGE> @@k;
      R = SELECT s FROM Person:s -(Follows>:e)- Person:t WHERE e.weight == 4 ACCUM @@e += e;
      R = SELECT s FROM Person:s -(Knows:e)- Person:t WHERE e.weight == 7 ACCUM @@k += e; PRINT @@e, @@k;`)
    expect(row['@@e']).toEqual([
      {
        e_type: 'Follows',
        directed: true,
        from_id: 'cy',
        from_type: 'Person',
        to_id: 'ada',
        to_type: 'Person',
        attributes: { weight: 4, at: '1970-01-01 00:00:04' },
      },
    ])
    expect((row['@@k'] as { from_id: string }[]).map(({ from_id }) => from_id)).toEqual([
      'ada',
      'bo',
    ])
  })

  it('give their memory back when they are no longer needed', () => {
    const body = `ListAccum<INT> @@big; SetAccum<INT> @@set; INT rounds = 0; ListAccum<INT> @l; SET<INT> kept;
      FOREACH i IN RANGE [1, 20000] DO @@big += i; END;
      FOREACH k IN RANGE [1, 60] DO
        FOREACH x IN @@big DO rounds = rounds + 1; IF x > 3 THEN BREAK; END; END;
        @@set = @@big; kept = @@set;
        S = SELECT s FROM Person:s ACCUM s.@l = @@big POST-ACCUM s.@l.clear();
        S = S MINUS S;
      END;
      PRINT rounds, kept.size() AS n;`
    const row = one(body, { memoryLimitBytes: 32 * 1024 * 1024 })
    expect(row).toEqual({ rounds: 240, n: 20000 })
  })
})
