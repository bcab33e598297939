/**
 * Compiles and runs golden queries changed at random, one after the other, and tells of each before
 * it begins: whoever listens knows the text that hangs. Ends with the first fault. Every text has a
 * seed of its own, which makes it again as the first one of another run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import { createRandom } from '#kernel/prng.ts'
import { compileFrontEnd, type FrontEndResult } from '#query/bind/compile.ts'
import { generateQuery } from '#query/generate/statements/query.ts'
import { NeedsWideIntegers } from '#query/generate/text/unit.ts'
import { RunControl, stopReason } from '#query/runtime/control.ts'
import { lex } from '#query/syntax/lexer.ts'
import { compileQuery, type InstalledPlan } from '#query/workers/plan.ts'
import { CodeCache, runPlan } from '#query/workers/run.ts'
import { socialEngine } from '../fixtures/social-data.ts'
import { tinySocial } from '../fixtures/tiny-social.ts'
import { parseGolden, queryText } from './golden.ts'

export interface FuzzTask {
  readonly seed: number
  readonly count: number
}

export type FuzzNote =
  | { readonly kind: 'text'; readonly seed: number; readonly text: string }
  | { readonly kind: 'done'; readonly compiled: number; readonly finished: number }
  | { readonly kind: 'fault'; readonly message: string }

/** Looks at a run before it is stopped; at each, some thousand rows have gone by. */
const LOOKS_MAX = 50

class ShortRun extends RunControl {
  #looks = 0

  override stopped(): number {
    return ++this.#looks > LOOKS_MAX ? stopReason.timedOut : super.stopped()
  }
}

const { seed, count } = workerData as FuzzTask
/** That of the text at hand. */
let random = createRandom(seed)
const below = (limit: number) => random.below(limit)
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!

const goldens = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.golden'))
  .flatMap((name) => parseGolden(readFileSync(join(import.meta.dirname, name), 'utf8')))
  .map(({ query }) => query)
  .filter((query) => query !== '' && !/^CREATE |^DROP /.test(query))
  .map((query) => queryText(query).text)

const oddities = [
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551616',
    '0',
    '-1',
    '1e999',
    '.',
  ],
  ...['""', '"\\', "'", '’', '@', '@@', '$', '#', '/*', '//', '\u0000', '😀', '\ud800', '_', '*'],
  ...['__proto__', 'constructor', 'this', 'process', 'ANY', 'NULL', 'TRUE', 'END', '(', ')', '<'],
]

type Change = (text: string) => string

/** Drops, doubles or replaces a token. */
function changeToken(text: string): string {
  const { tokens } = lex(text)
  const { start, end } = pick(tokens)
  const donor = pick(goldens)
  const other = pick(lex(donor).tokens)
  const insert = pick(['', `${text.slice(start, end)} `, donor.slice(other.start, other.end)])
  return `${text.slice(0, start)}${insert} ${text.slice(below(2) === 0 ? start : end)}`
}

function insertOddity(text: string): string {
  const { tokens } = lex(text)
  const { start, end } = pick(tokens)
  return `${text.slice(0, start)}${pick(oddities)}${text.slice(below(2) === 0 ? start : end)}`
}

/** A piece of another query, from one token to another. */
function insertPiece(text: string): string {
  const donor = pick(goldens)
  const given = lex(donor).tokens
  const from = below(given.length)
  const to = Math.min(given.length - 1, from + below(12))
  const at = pick(lex(text).tokens).start
  return `${text.slice(0, at)} ${donor.slice(given[from]!.start, given[to]!.end)} ${text.slice(at)}`
}

function cutPiece(text: string): string {
  const from = below(text.length)
  return text.slice(0, from) + text.slice(from + below(below(10) === 0 ? text.length : 8))
}

/** A name becomes another one of the same text: types and kinds get mixed up. */
function exchangeNames(text: string): string {
  const names = lex(text).tokens.filter(({ kind }) => kind === 'name')
  if (names.length < 2) return text
  const { start, end } = pick(names)
  const other = pick(names)
  return text.slice(0, start) + text.slice(other.start, other.end) + text.slice(end)
}

const changes: readonly Change[] = [
  changeToken,
  changeToken,
  exchangeNames,
  exchangeNames,
  insertOddity,
  insertPiece,
  cutPiece,
]

function changed(text: string): string {
  let made = text
  for (let left = 1 + below(3); left > 0 && made.length > 0; left--) made = pick(changes)(made)
  return made
}

function tell(note: FuzzNote): void {
  parentPort!.postMessage(note)
}

function checkDiagnostics(text: string, { diagnostics }: FrontEndResult): void {
  for (const { range, place, message } of diagnostics) {
    const valid = 0 <= range.start && range.start <= range.end && range.end <= text.length
    if (!valid) throw new Error(`"${message}" stands at ${range.start} to ${range.end}`)
    if (place.line < 1 || place.column < 1) throw new Error(`"${message}" has no place`)
  }
}

/** Both ways to keep integers, and one text as profiles have it, so that the check of generated text sees all. */
function generateBoth(plan: InstalledPlan, engine: GraphEngine): void {
  for (const wide of [false, true]) {
    try {
      generateQuery(plan.query, engine.view(), wide, !wide)
    } catch (error) {
      const refused = isDbError(error) || (error instanceof NeedsWideIntegers && !wide)
      if (!refused) throw error
    }
  }
}

function run(plan: InstalledPlan, engine: GraphEngine): boolean {
  const options = {
    arguments: [],
    memoryLimitBytes: 2 ** 24,
    responseLimitBytes: 2 ** 20,
    nowSeconds: 1_700_000_000,
    seed: 1,
    // Loops are cut wherever they can be.
    segmentItems: 1,
  }
  try {
    runPlan(plan, options, {
      cache: new CodeCache(),
      view: engine.view(),
      control: new ShortRun(),
    })
    return true
  } catch (error) {
    if (isDbError(error)) return false
    throw error
  }
}

async function fuzz(): Promise<FuzzNote> {
  const engine = await socialEngine()
  const seeds = createRandom(seed)
  let compiled = 0
  let finished = 0
  for (let round = 0; round < count; round++) {
    const own = round === 0 ? seed : seeds.below(2 ** 32)
    random = createRandom(own)
    const text = changed(pick(goldens))
    tell({ kind: 'text', seed: own, text })
    const front = compileFrontEnd(text, tinySocial, 'social')
    checkDiagnostics(text, front)
    const [query] = front.queries
    if (query === undefined || front.diagnostics.some((at) => at.severity === 'error')) continue
    compiled++
    const plan = compileQuery(query, tinySocial)
    generateBoth(plan, engine)
    if (query.parameters.length === 0 && run(plan, engine)) finished++
  }
  await engine.close()
  return { kind: 'done', compiled, finished }
}

try {
  tell(await fuzz())
} catch (error) {
  tell({ kind: 'fault', message: error instanceof Error ? String(error.stack) : String(error) })
}
