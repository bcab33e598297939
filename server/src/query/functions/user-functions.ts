/**
 * The user functions that come with the product: over plain values, without access to anything
 * but a random number and the names of the caller's roles. Signatures: `query/ir/user-function-table.ts`.
 */
import { createHash } from 'node:crypto'
import { DbError } from '#kernel/errors.ts'
import { listSimilarity } from './list-similarity.ts'
import { patternHashes } from './pattern-hashes.ts'
import { wideBitFunctions } from './wide-bits.ts'

/** INT and UINT as numbers or bigints, STRING as text, lists as arrays, maps as arrays of pairs. */
export type PlainValue = number | bigint | string | boolean | readonly PlainValue[]

export interface UserFunctionContext {
  /** In [0, 1). */
  random(): number
  /** Names of the roles that the caller has on the graph, ascending. */
  readonly roles: readonly string[]
}

export type UserFunction = (args: readonly PlainValue[], context: UserFunctionContext) => PlainValue

const EARTH_RADIUS_KM = 6378.137

export const userFunctionImplementations: ReadonlyMap<string, UserFunction> = new Map<
  string,
  UserFunction
>([
  ...patternHashes,
  ...wideBitFunctions,
  ['tg_log_2', ([x]) => Math.log2(Number(x))],
  ['tg_rand_int', randomBetween],
  ['rand_int', randomBetween],
  ['tg_random_range', randomBetween],
  ['tg_random', (_args, { random }) => random()],
  ['tg_str_to_float', ([text]) => leadingNumber(String(text))],
  ['str_to_float', ([text]) => leadingNumber(String(text))],
  [
    'tg_getdistance',
    ([lat1, lng1, lat2, lng2]) => distance([lat1!, lng1!, lat2!, lng2!].map(Number)),
  ],
  ['tg_hash_label', ([labels]) => fingerprint((labels as readonly string[]).map(String))],
  ['tg_cosine_similarity', ([one, others, size]) => cosines(one!, others!, Number(size))],
  ['tg_pairwise_cosine_similarity', ([left, right, size]) => cosine(left!, right!, Number(size))],
  [
    'tg_similarity_accum',
    ([left, right, measure]) => listSimilarity(numbers(left!), numbers(right!), String(measure)),
  ],
  ['tg_extract_list', ([text]) => String(text).split(',').map(leadingNumber)],
  ['tg_concat', ([list, element]) => [...(list as readonly PlainValue[]), element!]],
  ['tg_is_subset', ([part, end, whole]) => followsIn(part!, end!, whole!)],
  ['split', ([text, separator]) => String(text).split(String(separator))],
  ['current_roles', (_args, { roles }) => roles],
  ['is_granted_to_current_roles', ([role], { roles }) => roles.includes(String(role))],
  // Of openCypher, under names that no query can write.
  ['list tail', ([list]) => (list as readonly PlainValue[]).slice(1)],
  ['list range', rangeBetween],
  ['percent of fraction', ([fraction]) => percentOf(Number(fraction))],
  ['ms_to_string', ([ms]) => timeText(Number(ms))],
  ['randn', (_args, { random }) => normal(random)],
  ['bigint_to_string', ([value]) => String(value)],
  ['unit_list', ([count]) => new Array<number>(Math.min(Math.max(0, Number(count)), 1e6)).fill(1)],
  ['dotproduct_list_list', ([left, right]) => dot(numbers(left!), numbers(right!))],
  ['product_list_const', ([list, factor]) => numbers(list!).map((x) => x * Number(factor))],
])

/** No list of a query is longer than this at once. */
const RANGE_LENGTH_MAX = 1e6

function rangeBetween([low, high, by]: readonly PlainValue[]): PlainValue {
  const [from, to, step] = [Number(low), Number(high), Number(by)]
  const length = step === 0 ? 0 : Math.floor((to - from) / step) + 1
  if (step === 0 || length > RANGE_LENGTH_MAX) {
    const problem = step === 0 ? 'the step of a range is zero' : 'the range is too long'
    throw new DbError('QUERY_RUNTIME', `Runtime Error: ${problem}.`, {
      details: { code: 'GSQL-8001' },
    })
  }
  return Array.from({ length: Math.max(0, length) }, (_, i) => from + i * step)
}

/** openCypher gives percentiles from 0 to 1, the accumulator takes them from 0 to 100. */
function percentOf(fraction: number): number {
  if (fraction >= 0 && fraction <= 1) return fraction * 100
  const message = `Runtime Error: a percentile is between 0 and 1, not ${fraction}.`
  throw new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-8001' } })
}

/** `2010-01-03T15:10:31.499+00:00`; what no calendar holds is empty. */
function timeText(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('Z', '+00:00')
}

/** Box and Muller's transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function randomBetween(
  [low, high]: readonly PlainValue[],
  { random }: UserFunctionContext,
): PlainValue {
  const [from, to] = [Number(low), Number(high)]
  return to < from ? from : from + Math.floor(random() * (to - from + 1))
}

/** As C reads a number: what follows it is ignored, and no number is 0. */
function leadingNumber(text: string): number {
  const value = Number.parseFloat(text)
  return Number.isNaN(value) ? 0 : value
}

/** Haversine, in thousands of kilometres. */
function distance([lat1, lng1, lat2, lng2]: readonly number[]): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [a, b] = [radians(lat1!), radians(lat2!)]
  const between = radians(lng1!) - radians(lng2!)
  const part = Math.sin((a - b) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(between / 2) ** 2
  return (2 * Math.asin(Math.sqrt(part)) * EARTH_RADIUS_KM) / 1000
}

function fingerprint(labels: readonly string[]): string {
  const joined = labels.toSorted((left, right) => (left < right ? -1 : 1)).join('')
  return BigInt(`0x${createHash('sha256').update(joined).digest('hex').slice(0, 16)}`).toString()
}

function numbers(list: PlainValue): number[] {
  return (list as readonly PlainValue[]).map(Number)
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0)
}

function cosine(left: PlainValue, right: PlainValue, size: number): number {
  const [a, b] = [numbers(left).slice(0, size), numbers(right).slice(0, size)]
  return dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)))
}

function cosines(one: PlainValue, others: PlainValue, size: number): PlainValue {
  const pairs = others as readonly (readonly [PlainValue, PlainValue])[]
  return pairs.map(([key, vector]) => [key, cosine(one, vector, size)])
}

/** Whether the elements of `part` stand in `whole` in their order, and `end` behind them. */
function followsIn(part: PlainValue, end: PlainValue, whole: PlainValue): boolean {
  const [wanted, list] = [numbers(part), numbers(whole)]
  let at = 0
  const behind = list.findIndex((value) => {
    if (value === wanted[at]) at += 1
    return at === wanted.length
  })
  return behind >= 0 && list.indexOf(Number(end), behind + 1) >= 0
}
