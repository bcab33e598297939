/** Runs an installed plan on this thread: finds or makes its function, and calls it. */
import { compileFunction } from 'node:vm'
import type { GraphView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { type GeneratedQuery, generateQuery } from '#query/generate/statements/query.ts'
import { NeedsWideIntegers } from '#query/generate/text/unit.ts'
import type { IndexRows } from '#query/plan/select/index-conditions.ts'
import type { Argument } from '#query/runtime/arguments.ts'
import type { CommonUse } from '#query/runtime/cells/memory.ts'
import type { HeapLook, RunControl } from '#query/runtime/control.ts'
import { QueryEnv } from '#query/runtime/env.ts'
import { signatureOf } from '#query/runtime/graph/physical.ts'
import type { AskIndex } from '#query/runtime/graph/vector-search.ts'
import { withVirtualEdges } from '#query/runtime/graph/virtual-edges.ts'
import { WidenSignal } from '#query/runtime/integer-functions.ts'
import { type FileAccess, type FileRights, noFiles } from '#query/runtime/output/files.ts'
import type { KeptPackings } from '#query/runtime/parallel/packed-sources.ts'
import type { Team } from '#query/runtime/parallel/team.ts'
import { Profiler, type StatementProfile } from '#query/runtime/profile.ts'
import type { InstalledPlan } from './plan.ts'

export interface RunOptions {
  /** By parameter slot; undefined: none was given. */
  readonly arguments: readonly (Argument | undefined)[]
  readonly memoryLimitBytes: number
  readonly responseLimitBytes: number
  readonly nowSeconds: number
  readonly seed: number
  /** Names of the caller's roles; absent: it has none. */
  readonly roles?: readonly string[]
  /** What the caller may do with files; absent: nothing. */
  readonly fileRights?: FileRights
  /** Measure each statement. */
  readonly profile?: boolean
  /** Items of a segment of a divided loop: part of what a DOUBLE sum over many is. */
  readonly segmentItems?: number
  /** Conditions that indexes answer, in the version of the graph that the run sees. */
  readonly indexRows?: readonly IndexRows[]
  /** For tests: every divided loop is begun by a helper, when there is one. */
  readonly helpersFirst?: boolean
  /** Numbers in the vectors of a search from which on an index is asked; absent: none is. */
  readonly vectorIndexFrom?: number
}

export interface RunOutput {
  /** The `results` array as JSON. */
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** What the query changes, a mutation frame to be committed; null: nothing. */
  readonly changes: Uint8Array<ArrayBuffer> | null
  readonly warnings: readonly string[]
  /** Lines of LOG. */
  readonly logged: readonly string[]
  readonly peakMemoryBytes: number
  /** What each statement has cost; null: it was not asked for. */
  readonly profile: readonly StatementProfile[] | null
}

interface CompiledQuery extends GeneratedQuery {
  readonly run: (bindings: readonly unknown[], runtime: unknown) => void
  /** See `rehearse`. */
  readonly functions: unknown
}

/** Forms of the memory for which the code of one plan is stored: with deltas and without, say. */
const SIGNATURES_PER_PLAN_MAX = 3
const PLANS_MAX = 500
/** Plans that ran once, as texts do that are interpreted, or installed again with another constant. */
const PLANS_RUN_ONCE_MAX = 50
/** Plans that ran again and have not run for so long give way down to this number, in milliseconds. */
const IDLE_MS_MAX = 300_000
const IDLE_PLANS_MAX = 50
const WIDE_PLANS_MAX = 5_000

interface PlanCode {
  readonly bySignature: Map<string, CompiledQuery>
  /** When it ran last, in milliseconds. */
  usedMs: number
}

/**
 * Compiled functions of a thread, by plan, width of integers and signature of the memory. What was
 * not used for longest gives way: a signature that a schema change has made obsolete never returns.
 * A plan that runs for the first time gives way to 50 others that do, and does not replace one that
 * runs again and again. A query that was installed anew is another plan: of those that ran often and
 * do not any more 50 stay. A function takes some 40 to 100 kB.
 */
export class CodeCache {
  /** Of plans that ran more than once, in the order of use. */
  private readonly codes = new Map<string, PlanCode>()
  private readonly codesRunOnce = new Map<string, PlanCode>()
  /** Plans that needed 64 bits once are not tried with doubles again. */
  private readonly wide = new Map<string, true>()
  private readonly planCountMax: number
  private readonly nowMs: () => number

  constructor(planCountMax = PLANS_MAX, nowMs = () => performance.now()) {
    this.planCountMax = planCountMax
    this.nowMs = nowMs
  }

  needsWide(plan: InstalledPlan): boolean {
    return this.wide.has(plan.id)
  }

  markWide(plan: InstalledPlan): void {
    moveToEnd(this.wide, plan.id, true, WIDE_PLANS_MAX)
  }

  clear(): void {
    this.codes.clear()
    this.codesRunOnce.clear()
  }

  /** Of all plans together. */
  get codeCount(): number {
    const all = [...this.codes.values(), ...this.codesRunOnce.values()]
    return all.reduce((sum, { bySignature }) => sum + bySignature.size, 0)
  }

  get(plan: InstalledPlan, view: GraphView, wide: boolean, counted = false): CompiledQuery {
    const key = `${plan.id} ${wide} ${counted}`
    const signature = signatureOf(view)
    const known = this.codes.get(key) ?? this.codesRunOnce.get(key)
    const own: PlanCode = known ?? { bySignature: new Map(), usedMs: 0 }
    const code = own.bySignature.get(signature) ?? compile(plan, view, wide, counted)
    moveToEnd(own.bySignature, signature, code, SIGNATURES_PER_PLAN_MAX)
    own.usedMs = this.nowMs()
    if (known === undefined) {
      moveToEnd(this.codesRunOnce, key, own, Math.min(PLANS_RUN_ONCE_MAX, this.planCountMax))
    } else {
      this.codesRunOnce.delete(key)
      moveToEnd(this.codes, key, own, this.planCountMax)
      this.forgetIdle(own.usedMs)
    }
    return code
  }

  private forgetIdle(nowMs: number): void {
    for (const [key, { usedMs }] of this.codes) {
      if (this.codes.size <= IDLE_PLANS_MAX || nowMs - usedMs < IDLE_MS_MAX) return
      this.codes.delete(key)
    }
  }
}

/** Makes an entry the last one of a map in the order of use; the first gives way to a new one. */
function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value, countMax: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size > countMax) map.delete(map.keys().next().value!)
}

function compile(
  plan: InstalledPlan,
  view: GraphView,
  wide: boolean,
  counted: boolean,
): CompiledQuery {
  const generated = generateQuery(plan.query, view, wide, counted)
  const run = compileFunction(generated.text, ['B', 'R']) as CompiledQuery['run']
  return { ...generated, run, functions: rehearse(run) }
}

/**
 * Makes the functions of a text once, around nothing, to be held as long as the text is. Each run
 * makes its own; V8 keeps what it has optimised only as long as one of them is there, and a
 * collection between two runs would find none.
 */
function rehearse(run: CompiledQuery['run']): unknown {
  let functions: unknown = null
  const isRehearsal = (main: unknown): boolean => {
    functions = main
    return true
  }
  run([], { isRehearsal })
  return functions
}

export interface RunPlace {
  readonly cache: CodeCache
  readonly view: GraphView
  readonly control: RunControl
  /** Absent: the run can open no file. */
  readonly files?: FileAccess
  /** A clock, for profiles. */
  readonly nowMs?: () => number
  /** Absent: the run has no helpers. */
  readonly team?: Team
  /** Asks indexes of vectors, and waits; absent: there are none. */
  readonly askIndex?: AskIndex
  /** What the thread keeps from run to run. */
  readonly packings?: KeptPackings
  /** Absent: nobody counts what the thread holds. */
  readonly memory?: ThreadMemory
}

/** Memory of a query worker. */
export interface ThreadMemory {
  /** What values and texts of a run may take on the heap. */
  readonly heapLimitBytes: number
  readonly common: CommonUse
  readonly heap: HeapLook
}

/** @throws DbError as the contract has it; everything else is a fault of this program */
export function runPlan(plan: InstalledPlan, options: RunOptions, place: RunPlace): RunOutput {
  const { cache } = place
  if (!cache.needsWide(plan)) {
    try {
      return runOnce(plan, options, { ...place, wide: false })
    } catch (error) {
      if (!(error instanceof WidenSignal || error instanceof NeedsWideIntegers)) throw error
      cache.markWide(plan)
      place.control.restart()
    }
  }
  return runOnce(plan, options, { ...place, wide: true })
}

function runOnce(
  plan: InstalledPlan,
  options: RunOptions,
  place: RunPlace & { readonly wide: boolean },
): RunOutput {
  const { control, nowMs } = place
  const profiler =
    options.profile === true && nowMs !== undefined ? new Profiler(control, nowMs) : null
  let env: QueryEnv | null = null
  try {
    const made = makeEnv(plan, options, { ...place, profiler })
    env = made.env
    control.watch(env.memory)
    control.watchHeap(place.memory?.heap ?? null)
    return finished(made, profiler)
  } catch (error) {
    throw runErrorOf(error)
  } finally {
    env?.files.discard()
    env?.memory.release()
  }
}

/** Runs the function to its end. What others see of the run, its files, comes last. */
function finished(
  { code, env, bindings }: ReturnType<typeof makeEnv>,
  profiler: Profiler | null,
): RunOutput {
  env.writer.open('[')
  code.run(bindings, env.runtime)
  env.writer.close(']')
  const bytes = env.writer.finish()
  const changes = env.changes.finish()
  const profile = profiler === null ? null : profiler.finish()
  const warnings = env.warnings.list()
  const { peakBytes: peakMemoryBytes } = env.memory
  const logged = env.log.finish()
  env.files.finish()
  return { bytes, changes, warnings, logged, peakMemoryBytes, profile }
}

/** The function of a plan and what it works on, of the run itself or of one that helps it. */
export function makeEnv(
  plan: InstalledPlan,
  options: RunOptions,
  place: RunPlace & { readonly wide: boolean; readonly profiler?: Profiler | null },
) {
  const { cache, wide, control, files = noFiles, profiler = null, team = null } = place
  const { askIndex = null, packings = null, nowMs, memory } = place
  const view = withVirtualEdges(place.view, plan.query)
  const code = cache.get(plan, view, wide, options.profile === true)
  const types = {
    vertexTypeIds: new Map(plan.vertexTypes),
    idAttributes: new Map(plan.idAttributes),
    discriminators: new Map(plan.discriminators),
    reads: {
      attributes: new Map(plan.reads.attributes),
      typeIds: new Set(plan.reads.typeIds),
    },
  }
  const input = {
    ...options,
    query: plan.query,
    view,
    wide,
    types,
    control,
    files,
    profiler,
    team,
    askIndex,
    packings,
    nowMs,
    heapLimitBytes: memory?.heapLimitBytes,
    common: memory?.common ?? null,
  }
  const env = new QueryEnv(input)
  const bindings = code.resolvers.map((resolve) => resolve(env))
  return { code, env, bindings }
}

/** An array the machine refuses is the query's memory limit reached early. */
export function runErrorOf(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error
  return new DbError('QUERY_MEMORY_LIMIT', 'The query needs more memory than there is.', {
    details: { code: 'SYS-0002' },
    cause: error,
  })
}

/** Arrays, strings and the stack fail with a RangeError, native code of Node with codes of its own. */
function isOutOfMemory(error: unknown): boolean {
  if (error instanceof RangeError) return true
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'ERR_MEMORY_ALLOCATION_FAILED' || code === 'ERR_STRING_TOO_LONG'
}
