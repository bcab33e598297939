/** Loops divided between threads: the bits of one thread, and a pool that takes its workers back. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { arrayCatalog, arrayView } from '../../../test/fixtures/array-view.ts'
import { realClock } from '../../../test/fixtures/engine.ts'
import { QueryRunner, type RunSettings } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool } from './pool.ts'
import type { RunRequest, RunResult } from './runs.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const VERTICES = 3_000
const SEGMENT_ITEMS = 64

function randomView() {
  const random = createRandom(11)
  const pairs: [number, number][] = []
  for (let source = 0; source < VERTICES; source++) {
    const targets = new Set<number>()
    for (let i = 0; i < source % 17; i++) targets.add(random.below(VERTICES))
    for (const target of [...targets].sort((a, b) => a - b)) pairs.push([source, target])
  }
  const numbers = (scale: number) => Float64Array.from(pairs, () => random.next() * scale)
  return arrayView({
    vertexCount: VERTICES,
    sources: Uint32Array.from(pairs, ([source]) => source),
    targets: Uint32Array.from(pairs, ([, target]) => target),
    weights: numbers(256).map(Math.trunc),
    amounts: numbers(1000),
    sinces: numbers(10_000).map(Math.trunc),
  })
}

const view = randomView()
const runner = new QueryRunner(arrayCatalog, () => view)

function startPool(workerCount: number, helpersFirst = false): Promise<QueryPool> {
  return QueryPool.start({
    workerCount,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => ({ view, release: () => undefined }),
    parallelFrom: 0,
    segmentItems: SEGMENT_ITEMS,
    helpersFirst,
  })
}

let one: QueryPool
let two: QueryPool
/** Two threads as well; a helper begins every loop, so both have a part in each run. */
let both: QueryPool

beforeAll(async () => {
  one = await startPool(1)
  two = await startPool(2)
  both = await startPool(2, true)
})

afterAll(async () => {
  await Promise.all([one, two, both].map((pool) => pool.close()))
})

function request(body: string, settings: RunSettings = {}): RunRequest {
  return {
    plan: packPlan(runner.plan(body, settings)),
    graph: 'g',
    url: '/query/g/q',
    timeoutMs: 60_000,
    timeoutCode: 'REST-3000',
    options: {
      arguments: settings.arguments ?? [],
      memoryLimitBytes: settings.memoryLimitBytes ?? 2 ** 28,
      responseLimitBytes: 2 ** 24,
      profile: true,
    },
  }
}

const threadsOf = ({ profile }: RunResult) => Math.max(...profile!.map(({ threads }) => threads))
const keptOf = ({ profile }: RunResult) => profile!.map(({ kept }) => kept)
const textOf = ({ bytes }: RunResult) => new TextDecoder().decode(bytes)

/** Rows enough for a helper to join while the loop runs. */
const ROUNDS = process.env['QUIVER_SLOW'] === '1' ? 20 : 10
const repeated = (body: string) => `INT round = 0;
  WHILE round < ${ROUNDS} DO round = round + 1; ${body} END;`

const bodies: Readonly<Record<string, string>> = {
  'sums of reals in global accumulators': `SumAccum<DOUBLE> @@d; AvgAccum @@a; SumAccum<FLOAT> @@f; All = {V.*};
    ${repeated('R = SELECT s FROM All:s -(E:e)- V:t WHERE t.age > 20 ACCUM @@d += e.amount / 3, @@a += e.amount, @@f += e.amount;')}
    PRINT @@d, @@a, @@f;`,
  'a sweep over the edges': `SumAccum<DOUBLE> @@d; SumAccum<INT> @@n; All = {V.*};
    ${repeated('R = SELECT s FROM All:s -(E:e)- V:t WHERE e.weight > 100 AND e.amount < 500 ACCUM @@d += e.amount, @@n += 1;')}
    PRINT @@d, @@n;`,
  'sums of reals at the targets': `SumAccum<DOUBLE> @in; SumAccum<DOUBLE> @rank = 1; SumAccum<DOUBLE> @@sum; All = {V.*};
    ${repeated(`X = SELECT s FROM All:s -(E:e)- V:t ACCUM t.@in += s.@rank / s.outdegree("E");
      All = SELECT s FROM All:s POST-ACCUM s.@rank = 0.15 + 0.85 * s.@in, s.@in = 0, @@sum += s.@rank;`)}
    PRINT @@sum; PRINT All[All.@rank AS rank];`,
  'averages, floats and conditions at the targets': `AvgAccum @a; SumAccum<FLOAT> @f; MinAccum<DOUBLE> @least; All = {V.*};
    Some = SELECT s FROM All:s WHERE s.age > 10;
    ${repeated('T = SELECT t FROM Some:s -(E:e)- V:t WHERE t.age < 90 AND s.age > t.age - 30 ACCUM t.@a += s.score / 3, t.@f += s.score / 7, t.@least += s.score - s.age;')}
    PRINT T.size(); PRINT T[T.@a AS a, T.@f AS f, T.@least AS l];`,
  'shortest paths along weights': `MinAccum<INT> @far = 1000000; SumAccum<INT> @@sum; All = {V.*};
    F = SELECT s FROM All:s WHERE s.age < 50 POST-ACCUM s.@far = s.age;
    WHILE F.size() > 0 DO
      F = SELECT t FROM F:s -(E>:e)- V:t WHERE s.@far + e.weight < t.@far ACCUM t.@far += s.@far + e.weight;
    END;
    PRINT All[All.@far AS far];`,
  'values sent both ways along edges': `SumAccum<DOUBLE> @d; SumAccum<FLOAT> @f; MaxAccum<DOUBLE> @most; OrAccum @or; AndAccum @and; SumAccum<INT> @own; SumAccum<INT> @@n; All = {V.*};
    ${repeated(`T = SELECT t FROM All:s -((E>|<E):e)- V:t WHERE e.weight > 20
      ACCUM DOUBLE x = e.amount / 3, t.@d += x * s.score, t.@f += e.amount / 7, s.@own += 1, @@n += 1,
        IF e.weight > 100 THEN t.@most += x - t.@d, t.@or += s.age == 7 ELSE t.@and += s.age > 3 END;`)}
    PRINT @@n, T.size(); PRINT All[All.@d AS d, All.@f AS f, All.@most AS most, All.@or AS o, All.@and AS a, All.@own AS own];`,
  'values sent one way, and against it': `SumAccum<DOUBLE> @d, @back; SumAccum<FLOAT> @f; MinAccum<INT> @least = 1000; SumAccum<INT> @n; All = {V.*};
    Most = SELECT s FROM All:s WHERE s.age > 10;
    ${repeated(`T = SELECT t FROM Most:s -(E>:e)- V:t WHERE e.weight > 20
        ACCUM t.@d += e.amount / 3 * s.score, t.@f += e.amount / 7, t.@least += e.weight, IF e.weight % 2 == 0 THEN t.@n += 1 END;
      U = SELECT t FROM All:s -(<E:e)- V:t WHERE s.@d < 1000000 ACCUM t.@back += e.amount / (3 + s.age);`)}
    PRINT T.size(), U.size(); PRINT All[All.@d AS d, All.@back AS back, All.@f AS f, All.@least AS least, All.@n AS n];`,
  'values into ranges of targets, along edges and against them': `SumAccum<DOUBLE> @d, @back; SumAccum<FLOAT> @f; MinAccum<INT> @least = 1000; MaxAccum<DOUBLE> @most; OrAccum @or; All = {V.*};
    Most = SELECT s FROM All:s WHERE s.age > 3;
    ${repeated(`S = SELECT s FROM Most:s -(E>:e)- V:t WHERE e.weight > 20 AND t.@least > e.weight - round
        ACCUM DOUBLE x = e.amount * s.score, t.@d += x, t.@f += e.amount, IF e.weight % 2 == 0 OR s.@d < 10 THEN t.@least += e.weight ELSE t.@or += s.age == 7 END;
      T = SELECT t FROM All:s -(<E:e)- V:t WHERE s.@d < 1000000 ACCUM t.@back += e.amount * s.age, t.@most += s.@back;`)}
    PRINT S.size(), T.size(); PRINT All[All.@d AS d, All.@back AS back, All.@f AS f, All.@least AS least, All.@most AS most, All.@or AS o];`,
  'extremes and flags into copies of the targets': `MinAccum<INT> @least = 1000; MaxAccum<INT> @most = -1000; OrAccum @or; AndAccum @and; MinAccum<DATETIME> @first; All = {V.*};
    Some = SELECT s FROM All:s WHERE s.age > 60;
    ${repeated(`T = SELECT t FROM All:s -((E>|<E):e)- V:t WHERE e.weight > 20 AND t.@least > e.weight - round
        ACCUM t.@least += e.weight - round, t.@first += e.since, IF s.age == 7 THEN t.@or += true ELSE t.@and += e.weight > 21 END;
      U = SELECT t FROM Some:s -((E>|<E):e)- V:t WHERE s.@least <= t.@least + 9 ACCUM t.@most += s.@least + s.age * round;
      S = SELECT s FROM Some:s -((E>|<E):e)- V:t ACCUM t.@most += s.@least - round;`)}
    PRINT T.size(), U.size(), S.size(); PRINT All[All.@least AS l, All.@most AS m, All.@or AS o, All.@and AS a, All.@first AS f];`,
  'integers of 64 bits into ranges of targets': `SumAccum<INT> @own; MinAccum<UINT> @least; All = {V.*};
    ${repeated('R = SELECT t FROM All:s -(E>:e)- V:t WHERE e.weight > 3 ACCUM t.@own += 9007199254740991 * e.weight, t.@least += 1152921504606846975;')}
    PRINT R.size(); PRINT All[All.@own AS own, All.@least AS least];`,
  'smallest labels both ways': `MinAccum<INT> @label; SumAccum<INT> @@parts; All = {V.*};
    F = SELECT s FROM All:s POST-ACCUM s.@label = getvid(s);
    WHILE F.size() > 0 DO
      F = SELECT t FROM F:s -((E>|<E):e)- V:t WHERE s.@label < t.@label ACCUM t.@label += s.@label;
    END;
    All = SELECT s FROM All:s WHERE s.@label == getvid(s) POST-ACCUM @@parts += 1;
    PRINT @@parts;`,
  'a search': `OrAccum @seen; SumAccum<INT> @@reached; F = {V.*};
    ${repeated(`A = SELECT s FROM F:s WHERE s.age == 7;
      B = SELECT t FROM A:s -(E>)- V:t; C = SELECT t FROM B:s -(E>)- V:t WHERE NOT t.@seen POST-ACCUM t.@seen = true, @@reached += 1;`)}
    PRINT @@reached, A.size(), B.size(), C.size();`,
  'several hops, and extremes': `MaxAccum<INT> @@max; MinAccum<DOUBLE> @@min; OrAccum @@or; AndAccum @@and; BitwiseOrAccum @@bits; SumAccum<INT> @n; All = {V.*};
    ${repeated(`R = SELECT u FROM All:s -(E>:e)- V:t -(E>:f)- V:u WHERE s.age < 30
      ACCUM INT w = e.weight * f.weight, @@max += w, @@min += e.amount - f.amount, @@or += w == 7, @@and += w > 0, @@bits += e.weight, s.@n += 1;`)}
    PRINT @@max, @@min, @@or, @@and, @@bits, R.size(); PRINT All[All.@n AS n];`,
  'repetitions from each source': `SumAccum<DOUBLE> @@d, @far; SumAccum<INT> @@walks, @n; MaxAccum<INT> @@oldest; All = {V.*};
    Some = SELECT s FROM All:s WHERE s.age < 20;
    ${repeated(`T = SELECT t FROM Some:s -(E>*0..2)- V:t WHERE t.age > s.age
        ACCUM @@d += t.score / 3, s.@far += t.score / 7, @@walks += 1, s.@n += 1, @@oldest += t.age;
      U = SELECT u FROM Some:s -((E>|<E)*1)- V:t -(E>*1..2)- V:u WHERE s.age == 3 AND u.age < 9 ACCUM @@d += u.score / 9;
      W = SELECT t FROM Some:s -(E>*2)- V:t PER (s, t) ACCUM s.@n += t.age;`)}
    PRINT @@d, @@walks, @@oldest, T.size(), U.size(), W.size(); PRINT All[All.@far AS far, All.@n AS n];`,
  'more walks than a double counts': `SumAccum<INT> @@walks, @own; All = {V.*}; Some = SELECT s FROM All:s WHERE getvid(s) < 8;
    R = SELECT s FROM Some:s -((E>|<E)*14)- V:t ACCUM @@walks += 1, s.@own += 1;
    PRINT @@walks; PRINT All[All.@own AS own];`,
  'maps and groups': `MapAccum<INT, SumAccum<INT>> @@ages; MapAccum<VERTEX, INT> @@met; MapAccum<INT, MaxAccum<INT>> @@most;
    MapAccum<DATETIME, OrAccum> @@days; GroupByAccum<INT age, BOOL old, SumAccum<INT> n, MinAccum<INT> least> @@groups; SumAccum<DOUBLE> @@d;
    SumAccum<INT> @n; All = {V.*}; @@ages += (-1 -> 5);
    ${repeated(`T = SELECT t FROM All:s -(E:e)- V:t WHERE s.age < 50
        ACCUM @@ages += (t.age -> 1), @@most += (s.age -> t.age), @@groups += (t.age % 7, s.age > 20 -> 1, t.age), @@d += t.score / 3, s.@n += 1,
          IF e.weight > 3 THEN @@met += (t -> e.weight), @@days += (e.since -> t.age > 10) END
        POST-ACCUM @@ages += (t.age + 1000 -> 1), @@d += t.score / 7
        POST-ACCUM s.@n += 1, @@groups += (s.age + 100, TRUE -> s.@n, s.@n + 2);`)}
    PRINT @@ages, @@most, @@groups, @@days, @@d, T.size(), @@met.size(), @@met; PRINT All[All.@n AS n];`,
  'sums of reals beside values that are sent': `SumAccum<DOUBLE> @@d, @d; MapAccum<INT, AvgAccum> @@means; All = {V.*};
    ${repeated(`T = SELECT t FROM All:s -(E>:e)- V:t WHERE e.weight > 20
      ACCUM t.@d += e.amount / (3 + s.age), @@d += e.amount / 7, @@means += (t.age -> e.amount);`)}
    PRINT @@d, @@means; PRINT All[All.@d AS d];`,
  'maps and groups of reals': `MapAccum<INT, SumAccum<DOUBLE>> @@sums; MapAccum<INT, FLOAT> @@floats; MapAccum<INT, AvgAccum> @@means;
    GroupByAccum<BOOL old, INT age, SumAccum<DOUBLE> sum, AvgAccum mean, MinAccum<DOUBLE> least> @@groups; MapAccum<DOUBLE, MaxAccum<DOUBLE>> @@most;
    MapAccum<VERTEX, SumAccum<DOUBLE>> @@each; All = {V.*};
    ${repeated(`T = SELECT t FROM All:s -(E:e)- V:t WHERE s.age < 90
        ACCUM @@sums += (t.age % 5 -> e.amount / 3), @@means += (s.age % 3 -> e.amount), IF t.age < 30 THEN @@floats += (t.age % 4 -> e.amount / 7) END
        POST-ACCUM @@most += (t.age % 2 / 3.0 -> t.score);
      T = SELECT t FROM All:s -(E:e)- V:t ACCUM @@groups += (s.age > 20, t.age % 7 -> e.amount / 3, t.score, e.amount);
      U = SELECT t FROM All:s -(E:e)- V:t ACCUM @@each += (t -> e.amount / 3);`)}
    PRINT @@sums, @@means, @@groups, @@floats, @@most, @@each;`,
  'keys, elements and values of text': `MapAccum<STRING, INT> @@counts; MapAccum<STRING, STRING> @@joined; MapAccum<INT, MinAccum<STRING>> @@first; SetAccum<STRING> @@set;
    ListAccum<STRING> @@list; BagAccum<STRING> @@bag; GroupByAccum<STRING name, INT age, MaxAccum<STRING> last, ListAccum<STRING> all> @@groups;
    MapAccum<STRING, MapAccum<STRING, SumAccum<INT>>> @@pairs; All = {V.*};
    T = SELECT t FROM All:s -(E:e)- V:t WHERE s.age < 70
      ACCUM STRING a = "a" + to_string(s.age % 9), STRING b = "b" + to_string(t.age),
        @@counts += (b -> 1), @@first += (s.age -> b), @@set += a + b, @@bag += a, @@groups += (a, t.age % 3 -> b, a + b), @@pairs += (a -> (b -> e.weight)),
        IF e.weight == 5 THEN @@list += a + b, @@joined += (a -> b) END;
    PRINT @@counts, @@joined, @@first, @@set, @@list, @@bag, @@groups, @@pairs;`,
  'collections of all threads': `TYPEDEF TUPLE<VERTEX v, DOUBLE d, STRING s, INT n> Found; SetAccum<VERTEX> @@set; SetAccum<INT> @@ages; ListAccum<VERTEX> @@list; ListAccum<DOUBLE> @@reals;
    BagAccum<INT> @@bag; SetAccum<EDGE> @@edges; HeapAccum<Found>(7, d DESC, n ASC) @@best; HeapAccum<Found>(50, n ASC) @@ties; MaxAccum<Found> @@last; MinAccum<Found> @@first;
    SetAccum<Found> @@tuples; MapAccum<INT, SetAccum<VERTEX>> @@byAge; MapAccum<INT, HeapAccum<Found>(3, n DESC)> @@heaps; MapAccum<BOOL, ListAccum<Found>> @@lists;
    MapAccum<INT, BagAccum<STRING>> @@bags; BitwiseOrAccum<100> @@bits; GroupByAccum<INT age, SetAccum<VERTEX> who, BagAccum<INT> ages, HeapAccum<Found>(2, d ASC) heap> @@groups; All = {V.*};
    @@best.resize(9);
    ${repeated(`T = SELECT t FROM All:s -(E:e)- V:t WHERE s.age < 50 AND e.weight < 60
        ACCUM STRING name = "n" + to_string(t.age), @@set += t, @@ages += t.age, @@bag += s.age, @@best += Found(t, e.amount, name, s.age), @@ties += Found(s, e.amount, name, e.weight % 3),
          @@last += Found(t, e.amount, name, 1), @@first += Found(t, e.amount, name, 1), @@byAge += (s.age -> t), @@heaps += (t.age -> Found(s, t.score, name, e.weight)),
          @@bags += (t.age -> name), @@bits += e.weight, @@groups += (t.age % 5 -> s, t.age, Found(t, e.amount, name, 3)),
          IF e.weight == 3 THEN @@list += t, @@reals += e.amount, @@edges += e, @@tuples += Found(t, t.score, name, 2), @@lists += (s.age > 10 -> Found(s, e.amount, name, 4)) END
        POST-ACCUM @@list += t, @@bag += t.age;`)}
    PRINT @@set, @@ages, @@list, @@reals, @@bag, @@edges, @@best, @@ties, @@last, @@first, @@tuples, @@byAge, @@heaps, @@lists, @@bags, @@bits, @@groups;`,
  'collections of 64 bits': `TYPEDEF TUPLE<INT n, VERTEX v> Big; ListAccum<INT> @@list; HeapAccum<Big>(9, n ASC) @@heap; MapAccum<INT, SumAccum<INT>> @@sums; SetAccum<INT> @@set; MaxAccum<Big> @@most; All = {V.*};
    ${repeated(`R = SELECT s FROM All:s -(E:e)- V:t WHERE e.weight < 9
      ACCUM INT big = 9007199254740993 * (e.weight - 4), @@heap += Big(big, t), @@sums += (big -> big), @@set += big, @@most += Big(big, s), IF e.weight == 3 THEN @@list += big END;`)}
    PRINT @@list, @@heap, @@sums, @@set, @@most;`,
  'maps of more than a double counts': `MapAccum<INT, SumAccum<INT>> @@big; All = {V.*};
    ${repeated('R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@big += (t.age -> 9007199254740991);')} PRINT @@big;`,
  'integers beyond the doubles': `SumAccum<INT> @@big; SumAccum<INT> @own; All = {V.*};
    ${repeated('R = SELECT s FROM All:s -(E:e)- V:t ACCUM t.@own += 9007199254740991;')}
    R = SELECT s FROM All:s ACCUM @@big += s.@own;
    PRINT @@big; PRINT All[All.@own AS own];`,
  'reals beside integers of 64 bits': `SumAccum<DOUBLE> @@d; AvgAccum @@a; SumAccum<INT> @@n = -5; SumAccum<UINT> @@u; MinAccum<INT> @@least; MaxAccum<INT> @@most; All = {V.*};
    ${repeated(`R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@d += e.amount / 3, @@a += e.amount, @@n += 9007199254740991 * e.weight, @@u += 1152921504606846975, @@least += -9007199254740993 * e.weight, @@most += e.weight;
      R = SELECT s FROM All:s POST-ACCUM @@d += s.score / 7, @@n += -1;`)}
    PRINT @@d, @@a, @@n, @@u, @@least, @@most;`,
  'a branch, a vertex, a date': `MaxAccum<VERTEX> @@last; MinAccum<DATETIME> @@first; SumAccum<INT> @@odd; All = {V.*};
    ${repeated(`R = SELECT s FROM All:s -(E:e)- V:t
      ACCUM IF e.weight % 2 == 1 THEN @@odd += 1, @@last += t ELSE @@first += e.since END;`)}
    PRINT @@odd, @@last, @@first;`,
  'sets of the sources over edges of a type that is given': `SetAccum<VERTEX> @near; SumAccum<INT> @@n; SetAccum<STRING> @@types; All = {V.*}; @@types += "E";
    X = SELECT s FROM All:s -(@@types:e)- V:t WHERE getvid(s) < getvid(t) ACCUM s.@near += t;
    ${repeated('X = SELECT s FROM All:s -(@@types:e)- V:t ACCUM @@n += COUNT(t.@near INTERSECT s.@near);')}
    PRINT @@n; PRINT All[All.@near AS near];`,
  'what neighbours share, once per pair': `SetAccum<VERTEX> @above; SetAccum<VERTEX> @@some; SumAccum<INT> @@triangles, @@alike; SumAccum<INT> @own; All = {V.*};
    X = SELECT s FROM All:s -((E>|<E):e)- V:t WHERE getvid(s) < getvid(t) ACCUM s.@above += t;
    X = SELECT s FROM All:s WHERE s.age < 30 ACCUM @@some += s;
    ${repeated(`X = SELECT s FROM All:s -((E>|<E):e)- V:t
        WHERE getvid(s) < getvid(t) AND COUNT(t.@above INTERSECT @@some) > 0 PER (s, t)
        ACCUM INT n = COUNT(s.@above INTERSECT t.@above), @@triangles += n, s.@own += n;
      X = SELECT s FROM All:s POST-ACCUM @@alike += COUNT(s.@above INTERSECT @@some);`)}
    PRINT @@triangles, @@alike; PRINT All[All.@own AS own];`,
  'sets of the sources': `SetAccum<VERTEX> @near, @old, @far; SumAccum<INT> @n; All = {V.*};
    X = SELECT s FROM All:s -(E>:e)- V:t WHERE t.age == 9 ACCUM s.@old += t;
    ${repeated(`X = SELECT s FROM All:s -((E>|<E):e)- V:t WHERE s.age + t.age < round * 10
        ACCUM s.@near += t, s.@old += t, s.@n += 1, IF t.age < 50 THEN s.@far += t END;
      X = SELECT s FROM All:s WHERE s.age == round POST-ACCUM s.@near.clear();`)}
    PRINT X.size(); PRINT All[All.@near AS near, All.@old AS old, All.@far AS far, All.@n AS n];`,
}

describe('divided loops', () => {
  it.each(Object.entries(bodies))('%s: the bits of one thread', async (_name, body) => {
    const single = await one.run(request(body)).result
    const alone = textOf(single)
    expect(runner.json(body, { segmentItems: SEGMENT_ITEMS, responseLimitBytes: 2 ** 24 })).toBe(
      alone,
    )
    const divided = await both.run(request(body)).result
    expect(textOf(divided)).toBe(alone)
    expect(threadsOf(divided)).toBe(2)
    expect(keptOf(divided)).toEqual(keptOf(single))
    expect(textOf(await two.run(request(body)).result)).toBe(alone)
  })

  it('sum reals to the same bits where integers beside them need 64 bits', () => {
    const sum = (step: string) =>
      runner.json(
        `SumAccum<DOUBLE> @@d; SumAccum<INT> @@n; All = {V.*};
        R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@d += e.amount / 3, @@n += ${step};
        R = SELECT s FROM All:s POST-ACCUM @@d += s.score / 7, @@n += ${step};
        PRINT @@d - 1234.5 AS d, @@n > 9007199254740991 AS wide;`,
        { segmentItems: SEGMENT_ITEMS },
      )
    const narrow = sum('1')
    expect(narrow).toContain('"wide":false')
    expect(sum('9007199254740991').replace('true', 'false')).toBe(narrow)
  })

  it.each([
    'sums of reals in global accumulators',
    'values into ranges of targets, along edges and against them',
  ])('count the edges and rows of every thread: %s', async (name) => {
    const body = bodies[name]!
    const alone = await one.run(request(body)).result
    const divided = await both.run(request(body)).result
    expect(divided.counters.edges).toBe(alone.counters.edges)
    expect(divided.counters.rows).toBe(alone.counters.rows)
    expect(threadsOf(alone)).toBe(1)
  })

  it('keep to the threads that a run may have', async () => {
    const body = bodies['sums of reals in global accumulators']!
    const result = await both.run({ ...request(body), threadsMax: 1 }).result
    expect(threadsOf(result)).toBe(1)
  })

  it('fail as one thread fails, with what comes first', async () => {
    const body = `SumAccum<INT> @@n; All = {V.*};
      ${repeated('R = SELECT s FROM All:s -(E:e)- V:t ACCUM @@n += 1;')}
      R = SELECT s FROM All:s ACCUM @@n += 5 / (getvid(s) - 2900);`
    const ends = [one, both].map((pool) => pool.run(request(body)).result.catch((error) => error))
    for (const error of await Promise.all(ends)) {
      expect(error).toMatchObject({
        code: 'QUERY_RUNTIME',
        message: 'Runtime Error: divider is zero.',
      })
    }
  })

  const endless = `SumAccum<INT> @@n; All = {V.*};
    WHILE true DO R = SELECT s FROM All:s -(E>)- V:t -(E>:e)- V:u ACCUM @@n += e.weight % 3; @@n = 0; END;`

  it('give a helper back to a run that waits, and are aborted on all threads', async () => {
    const looping = two.run(request(endless))
    const ended = looping.result.catch((error) => error)
    for (let round = 0; round < 5; round++) {
      expect(textOf(await two.run(request('PRINT 1;')).result)).toBe('[{"1":1}]')
    }
    two.abort(looping.requestId)
    expect(await ended).toMatchObject({ code: 'QUERY_ABORTED' })
    // Both workers are free again.
    const free = [two.run(request('PRINT 2;')), two.run(request('PRINT 3;'))]
    expect((await Promise.all(free.map(({ result }) => result))).map(textOf)).toEqual([
      '[{"2":2}]',
      '[{"3":3}]',
    ])
  })

  it('are within the limit of memory of the run', async () => {
    const body = bodies['sums of reals at the targets']!
    for (const pool of [one, both]) {
      const error = await pool
        .run(request(body, { memoryLimitBytes: 20_000 }))
        .result.catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'QUERY_MEMORY_LIMIT' })
    }
  })
})
