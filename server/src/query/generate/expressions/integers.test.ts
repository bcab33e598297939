import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryRunner } from '../../../../test/fixtures/query-runner.ts'
import { smallGraph } from '../../../../test/fixtures/small-graph.ts'

let runner: QueryRunner

beforeAll(async () => {
  runner = (await smallGraph()).runner
})

describe('integers are exact over 64 bits', () => {
  it.each([
    ['PRINT 9223372036854775807 AS x;', '9223372036854775807'],
    ['INT a = 1; PRINT a << 60 AS x;', '1152921504606846976'],
    ['INT a = 9007199254740991; PRINT a + 2 AS x;', '9007199254740993'],
    ['INT a = 3037000500; PRINT a * a AS x;', '-9223372036709301616'],
    ['INT a = 1; PRINT (a << 62) + (a << 62) AS x;', '-9223372036854775808'],
    ['INT a = -7; PRINT a / 2 AS x;', '-3'],
    ['INT a = -7; PRINT a % 3 AS x;', '-1'],
    ['INT a = 5; PRINT -a % 5 AS x;', '0'],
    ['UINT u = 0; u = u - 1; PRINT u AS x;', '18446744073709551615'],
    ['INT a = 6; PRINT a & 3 | 8 AS x;', '10'],
    ['INT a = 4294967296; PRINT a | 1 AS x;', '4294967297'],
    ['INT a = -16; PRINT a >> 2 AS x;', '-4'],
    ['MinAccum<INT> @@m; PRINT @@m AS x;', '9223372036854775807'],
    ['MaxAccum<INT> @@m; PRINT @@m AS x;', '-9223372036854775808'],
    ['MaxAccum<INT> @@m; @@m += 3; PRINT @@m - 1 AS x;', '2'],
    ['MinAccum<INT> @@m; PRINT @@m - 1 AS x;', '9223372036854775806'],
    [
      'SumAccum<INT> @@s; @@s += 9007199254740991; @@s += 9007199254740991; PRINT @@s AS x;',
      '18014398509481982',
    ],
    [
      'MapAccum<INT, INT> @@m; @@m += (1 -> 9007199254740991); @@m += (1 -> 4); PRINT @@m.get(1) AS x;',
      '9007199254740995',
    ],
    [
      'INT a = 4611686018427387905; SetAccum<INT> @@s; @@s += a; @@s += a; PRINT @@s.size() AS x;',
      '1',
    ],
    [
      'SumAccum<INT> @n = 9007199254740991; S = {City.*}; S = SELECT c FROM S:c LIMIT 1; S = SELECT c FROM S:c POST-ACCUM c.@n += 1; PRINT S[S.@n AS n] AS x;',
      '[{"v_id":"rome","v_type":"City","attributes":{"n":9007199254740992}}]',
    ],
    ['DOUBLE d = 3.99; INT i = 0; i = d; PRINT i AS x;', '3'],
    ['INT a = 9007199254740993; DOUBLE d = 0; d = a; PRINT d AS x;', '9007199254740992'],
  ])('%s', (body, expected) => {
    expect(runner.json(body)).toBe(`[{"x":${expected}}]`)
  })
})

describe('real numbers', () => {
  it.each([
    ['PRINT 1.5 + 1 AS x;', '2.5'],
    ['DOUBLE d = 15; PRINT d AS x;', '15'],
    ['DOUBLE d = 0.1; PRINT d + 0.2 AS x;', '0.3'],
    ['DOUBLE d = 1; PRINT d / 3 AS x;', '0.3333333333333333'],
    ['FLOAT f = 1; PRINT f / 3 AS x;', '0.3333333'],
    ['FLOAT f = 0.1; DOUBLE d = 0; d = f; PRINT d AS x;', '0.1000000014901161'],
    ['DOUBLE d = 1; PRINT d * 1000000 * 1000000 * 1000000 AS x;', '1e+18'],
    ['DOUBLE d = 0.00001; PRINT d AS x;', '1e-05'],
    ['SumAccum<FLOAT> @@f; @@f += 16777216; @@f += 1; PRINT @@f AS x;', '1.677722e+07'],
    ['AvgAccum @@a; @@a += 1; @@a += 2; PRINT @@a AS x;', '1.5'],
    ['PRINT 1 / log10(2) AS x;', '3.321928'],
    ['SumAccum<DOUBLE> @@d; @@d += 1 / log10(2); PRINT @@d AS x;', '3.321928024291992'],
    ['PRINT sqrt(2) AS x;', '1.414214'],
    ['PRINT round(2.5) AS x;', '3'],
    ['PRINT floor(-1.5) AS x;', '-2'],
    ['PRINT exp(1000) AS x;', '"inf"'],
  ])('%s', (body, expected) => {
    expect(runner.json(body)).toBe(`[{"x":${expected}}]`)
  })
})

describe('text and dates', () => {
  it.each([
    ['PRINT "a\\"b\\n" AS x;', '"a\\"b\\n"'],
    ['PRINT upper("äb") + "c" AS x;', '"ÄBc"'],
    ['PRINT substr("hello", 1, 3) AS x;', '"ell"'],
    ['PRINT instr("hello", "l") AS x;', '2'],
    ['PRINT to_string(1.5) + to_string(7) AS x;', '"1.57"'],
    ['PRINT to_string(9007199254740993) AS x;', '"9007199254740993"'],
    ['PRINT to_string(true) AS x;', '"true"'],
    ['PRINT year(to_datetime("2021-05-06")) AS x;', '2021'],
    [
      'PRINT datetime_add(to_datetime("2021-01-31 10:00:00"), INTERVAL 1 MONTH) AS x;',
      '"2021-02-28 10:00:00"',
    ],
    ['PRINT datetime_diff(to_datetime("2021-01-02"), to_datetime("2021-01-01")) AS x;', '86400'],
    ['PRINT datetime_format(to_datetime("2021-01-02"), "%d.%m.%Y") AS x;', '"02.01.2021"'],
    ['PRINT "abc" < "abd" AS x;', 'true'],
    ['PRINT "hello" LIKE "h%l_" AS x;', 'true'],
    ['PRINT "x" IN ("y", "x") AS x;', 'true'],
    ['PRINT 5 BETWEEN 1 AND 5 AS x;', 'true'],
    ['INT n = 7; PRINT CASE WHEN n > 5 THEN "big" ELSE "small" END AS x;', '"big"'],
    ['PRINT now() AS x;', '"2023-11-14 22:13:20"'],
  ])('%s', (body, expected) => {
    expect(runner.json(body)).toBe(`[{"x":${expected}}]`)
  })
})
