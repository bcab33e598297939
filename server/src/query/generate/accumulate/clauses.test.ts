import { beforeAll, describe, expect, it } from 'vitest'
import type { DbError } from '#kernel/errors.ts'
import type { QueryRunner } from '../../../../test/fixtures/query-runner.ts'
import { smallGraph } from '../../../../test/fixtures/small-graph.ts'

let runner: QueryRunner

beforeAll(async () => {
  runner = (await smallGraph()).runner
})

const one = (body: string, settings = {}) =>
  (runner.run(body, settings) as Record<string, unknown>[])[0]!
const ids = (set: unknown) => (set as { v_id: string }[]).map(({ v_id }) => v_id)
const columns = (set: unknown) =>
  (set as { attributes: unknown }[]).map(({ attributes }) => attributes)

describe('ACCUM', () => {
  it('reads accumulators as they were when the clause began', () => {
    const row =
      one(`SumAccum<INT> @n = 1; SumAccum<INT> @@g; ListAccum<INT> @@seen; SetAccum<INT> @s;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t
        ACCUM t.@n += s.@n, @@g += 1, @@seen += @@g, t.@s += s.@s, t.@s += e.weight;
      PRINT @@g, @@seen, R[R.@n AS n, R.@s AS s];`)
    expect(row['@@g']).toBe(6)
    expect(row['@@seen']).toEqual([0, 0, 0, 0, 0, 0])
    expect(columns(row['R'])).toEqual([
      { n: 2, s: [4] },
      { n: 2, s: [1] },
      { n: 3, s: [2, 3] },
      { n: 3, s: [5, 6] },
    ])
  })

  it('does not change what WHERE sees', () => {
    const row = one(`OrAccum @seen; SumAccum<INT> @@n, @@m, @@limit; SetAccum<VERTEX> @@done;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t WHERE NOT t.@seen ACCUM t.@seen += true, @@n += 1;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t WHERE @@limit < 2 AND NOT t IN @@done
        ACCUM @@limit += 1, @@done += t;
      PRINT @@n, @@limit;`)
    expect(row).toEqual({ '@@n': 6, '@@limit': 6 })
  })

  it('knows or, and, bits, and the extremes of every scalar', () => {
    const row = one(`OrAccum @@or; AndAccum @@and; OrAccum<BOOL> @o; AndAccum @a; 
      MinAccum<STRING> @@least; MaxAccum<STRING> @@most; MinAccum<VERTEX> @@first; MaxAccum<FLOAT> @@high; MinAccum<DOUBLE> @@low;
      MaxAccum<UINT> @@u; MinAccum<DATETIME> @@date; AvgAccum @mean; OrAccum @@never; AndAccum @@always; MinAccum<STRING> @@none;
      R = SELECT s FROM Person:s -(Follows>:e)- Person:t
        ACCUM @@or += s.age > 30, @@and += s.age > 30, s.@o += e.weight > 3, s.@a += e.weight > 3, @@least += t.name, @@most += t.name, @@first += t, @@high += t.height, @@low += t.score,
          @@u += e.weight, @@date += e.at, s.@mean += e.weight;
      PRINT @@or, @@and, @@least, @@most, @@first, @@high, @@low, @@u, @@date, @@never, @@always, @@none,
        R[R.@o AS o, R.@a AS a, R.@mean AS m];`)
    expect(row).toMatchObject({
      '@@or': true,
      '@@and': false,

      '@@least': 'ADA',
      '@@most': 'DI',
      '@@first': 'ada',
      '@@high': 1.8,
      '@@low': 0,
      '@@u': 6,
      '@@date': '1970-01-01 00:00:01',
      '@@never': false,
      '@@always': true,
      '@@none': '',
    })
    expect(columns(row['R'])).toEqual([
      { o: false, a: false, m: 1.5 },
      { o: false, a: false, m: 3 },
      { o: true, a: true, m: 4.5 },
      { o: true, a: true, m: 6 },
    ])
  })

  it('applies assignments before additions', () => {
    const row = one(`SumAccum<INT> @n, @@g; ListAccum<INT> @l;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t
        ACCUM t.@n += e.weight, IF e.weight == 3 OR e.weight == 6 THEN t.@n = 100 END,
          t.@l += e.weight, CASE WHEN e.weight > 5 THEN t.@l = [0] END;
      PRINT R[R.@n AS n, R.@l AS l];`)
    expect(columns(row['R'])).toEqual([
      { n: 4, l: [4] },
      { n: 1, l: [1] },
      { n: 105, l: [2, 3] },
      { n: 111, l: [0, 5, 6] },
    ])
  })

  it('lets the first row win where several assign', () => {
    const row = one(`MinAccum<INT> @w; OrAccum @seen; MaxAccum<VERTEX> @parent;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM t.@w = e.weight, t.@seen += true, t.@parent = s;
      PRINT R[R.@w AS w, R.@seen AS seen, R.@parent AS p];`)
    expect(columns(row['R'])).toEqual([
      { w: 4, seen: true, p: 'cy' },
      { w: 1, seen: true, p: 'ada' },
      { w: 2, seen: true, p: 'ada' },
      { w: 5, seen: true, p: 'cy' },
    ])
  })

  it('buffers base variables until the clause ends', () => {
    const row = one(`INT x = 5; SumAccum<INT> @@sum;
      R = SELECT s FROM Person:s ACCUM @@sum += x, x = s.age; PRINT x, @@sum;`)
    expect(row).toEqual({ x: 60, '@@sum': 25 })
  })

  it('has locals, branches and loops of its own', () => {
    const row = one(`SumAccum<INT> @@a, @@b; ListAccum<STRING> @@c;
      R = SELECT s FROM Person:s ACCUM
        INT age = s.age, STRING kind = "",
        IF age < 30 THEN kind = "young" ELSE IF age < 50 THEN kind = "middle" ELSE kind = "old" END,
        CASE WHEN kind == "old" THEN @@a += 1 ELSE @@b += 1 END,
        FOREACH i IN RANGE[1, 2] DO age = age + i END,
        WHILE age % 7 != 0 LIMIT 3 DO age = age + 1 END,
        FOREACH x IN (1, 2, 3) DO IF x == 2 THEN CONTINUE END, @@b += x * 0 END,
        @@c += kind + to_string(age);
      PRINT @@a, @@b, @@c;`)
    expect(row).toEqual({
      '@@a': 2,
      '@@b': 3,
      '@@c': ['young26', 'middle35', 'middle46', 'old56', 'old63'],
    })
  })

  it('updates vertices that were found in accumulators', () => {
    const row = one(`SetAccum<VERTEX> @@set; SumAccum<INT> @n;
      P = {Person.*};
      R = SELECT s FROM P:s WHERE s.age > 45 ACCUM @@set += s;
      R = SELECT s FROM P:s ACCUM FOREACH v IN @@set DO v.@n += 1 END;
      PRINT P[P.@n AS n];`)
    expect(columns(row['P'])).toEqual([{ n: 0 }, { n: 0 }, { n: 0 }, { n: 5 }, { n: 5 }])
  })
})

describe('POST-ACCUM', () => {
  it('runs once per vertex and sees its own writes', () => {
    const row = one(`SumAccum<INT> @n; SumAccum<INT> @@g; MaxAccum<INT> @@m;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM t.@n += e.weight
        POST-ACCUM t.@n += 100, @@m += t.@n, @@g += 1 + @@g * 1000;
      PRINT @@g, @@m, R[R.@n AS n];`)
    expect(row).toMatchObject({ '@@g': 4, '@@m': 111 })
    expect(columns(row['R'])).toEqual([{ n: 104 }, { n: 101 }, { n: 105 }, { n: 111 }])
  })

  it('knows the value from before the ACCUM clause', () => {
    const row = one(`SumAccum<DOUBLE> @score = 1; MaxAccum<DOUBLE> @@diff; ListAccum<INT> @l;
      S = SELECT s FROM Person:s ACCUM s.@l += s.age;
      S = SELECT s FROM Person:s -(Follows>:e)- Person:t ACCUM s.@score += 2, s.@l += 1
        POST-ACCUM @@diff += abs(s.@score - s.@score'), s.@l = s.@l'.size();
      PRINT @@diff, S[S.@l AS l];`)
    expect(row['@@diff']).toBe(4)
    expect(columns(row['S'])[0]).toEqual({ l: [1] })
  })

  it('is not run for vertices without rows', () => {
    const row = one(`SumAccum<INT> @@n; INT x = 3;
      R = SELECT s FROM Person:s -(Follows>:e)- Person:t WHERE e.weight > 99 ACCUM x = 1 POST-ACCUM @@n += 1;
      PRINT @@n, R, x;`)
    expect(row).toEqual({ '@@n': 0, R: [], x: 3 })
  })
})

describe('the result of a SELECT', () => {
  it('is filtered, sorted and cut', () => {
    const row = one(`SumAccum<INT> @n;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM t.@n += 1
        HAVING t.age > 20 ORDER BY t.@n DESC, t.name DESC LIMIT 2;
      Q = SELECT s FROM Person:s ORDER BY s.score DESC LIMIT 1, 2;
      L = SELECT s FROM Person:s LIMIT 2;
      PRINT R, Q, L;`)
    expect(ids(row['R'])).toEqual(['di', 'cy'])
    expect(ids(row['Q'])).toEqual(['di', 'cy'])
    expect(ids(row['L'])).toEqual(['ada', 'bo'])
  })

  it('may be assigned to the set it was made from', () => {
    const row = one(`S = {Person.*}; INT n = 0;
      S = SELECT s FROM S:s WHERE s.age == 20;
      WHILE S.size() > 0 AND n < 2 DO S = SELECT t FROM S:s -(Follows>)- Person:t; n = n + 1; END;
      PRINT S, n;`)
    expect(ids(row['S'])).toEqual(['ada', 'cy', 'di'])
    expect(row['n']).toBe(2)
  })

  it('is combined with other sets', () => {
    const row =
      one(`A = SELECT s FROM Person:s WHERE s.age < 45; B = SELECT s FROM Person:s WHERE s.age > 25;
      U = A UNION B; I = A INTERSECT B; M = A MINUS B; E = {}; C = {City.*, Person.*};
      PRINT U.size() AS u, I, M, E, C.size() AS c;`)
    expect(row).toMatchObject({ u: 5, E: [], c: 7 })
    expect(ids(row['I'])).toEqual(['bo', 'cy'])
    expect(ids(row['M'])).toEqual(['ada'])
  })

  it('starts from vertices given as arguments', () => {
    const settings = {
      parameters: 'VERTEX<Person> p, SET<VERTEX<Person>> ps, INT lowest = 3',
      arguments: [
        { typeId: 2, id: 'cy' },
        [
          { typeId: 2, id: 'ada' },
          { typeId: 2, id: 'bo' },
        ],
      ],
    }
    const row = one(
      `S = {p}; T = {ps}; R = SELECT t FROM S:s -(Follows>:e)- Person:t WHERE e.weight > lowest;
      PRINT R, T, p, lowest, p.age AS age, p.outdegree("Follows") AS d;`,
      settings,
    )
    expect(ids(row['R'])).toEqual(['ada', 'di'])
    expect(ids(row['T'])).toEqual(['ada', 'bo'])
    expect(row).toMatchObject({ p: 'cy', lowest: 3, age: 40, d: 2 })
  })

  it('takes several types behind one alias', () => {
    const row = one(`SumAccum<INT> @@follows, @@all; SumAccum<INT> @age;
      R = SELECT t FROM Person:s -((Follows>|Lives>):e)- (Person|City):t
        ACCUM @@all += 1, @@follows += e.weight, t.@age += t.age;
      PRINT @@follows, @@all, R[R.@age AS a];`)
    expect(row).toMatchObject({ '@@follows': 21, '@@all': 9 })
    expect(columns(row['R']).length).toBe(6)
  })

  it('follows edges backwards and through their reverse name', () => {
    const row = one(`SumAccum<INT> @@a, @@b; ListAccum<STRING> @@names;
      R = SELECT t FROM Person:s -(<Follows:e)- Person:t WHERE s.name == "CY" ACCUM @@a += e.weight;
      R = SELECT t FROM Person:s -(Followed>:e)- Person:t WHERE s.name == "CY" ACCUM @@b += e.weight, @@names += e.type;
      PRINT @@a, @@b, @@names, R;`)
    expect(row).toMatchObject({ '@@a': 5, '@@b': 5, '@@names': ['Followed', 'Followed'] })
    expect(ids(row['R'])).toEqual(['ada', 'bo'])
  })
})

describe('errors', () => {
  it.each([
    ['INT x = 0; PRINT 5 / x;', 'GSQL-2500'],
    ['DOUBLE x = 0; PRINT 5 / x;', 'GSQL-2500'],
    ['INT x = 0; PRINT 5 % x;', 'GSQL-2500'],
    ['PRINT to_datetime("x");', 'GSQL-2501'],
  ])('%s ends the query with its code', (body, code) => {
    expect(() => runner.run(body)).toThrow(
      expect.objectContaining({ details: { code } }) as DbError,
    )
  })

  it('names the argument that is missing', () => {
    expect(() => runner.run('PRINT p;', { parameters: 'VERTEX<Person> p' })).toThrow(
      'Runtime Error: Parameter p is NULL.',
    )
  })

  it('lets a query ask whether an argument was given', () => {
    const body = 'IF p IS NULL THEN PRINT "none" AS x; ELSE S = {p}; PRINT S.size() AS x; END;'
    const settings = { parameters: 'VERTEX<Person> p' }
    expect(one(body, settings)).toEqual({ x: 'none' })
    expect(one(body, { ...settings, arguments: [{ typeId: 2, id: 'ada' }] })).toEqual({ x: 1 })
  })

  it('refuses an answer over its limit', () => {
    const limit = { responseLimitBytes: 100 }
    expect(() => runner.run('P = {Person.*}; PRINT P;', limit)).toThrow(
      /^The query response size is .*MB, which exceeds limit .*MB\.$/,
    )
  })
})
