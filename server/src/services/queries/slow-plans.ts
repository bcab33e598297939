/**
 * Plans of slow runs, made after them and one at a time. On a machine under load many runs are slow
 * at once: a plan for each of them would keep the compiler from its other texts.
 */
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { SLOW_PLAN_REUSE_MS, SLOW_PLANS_WAITING_MAX } from '#kernel/limits.ts'
import type { PlanStep } from '#query/explain/explain.ts'

type Steps = readonly PlanStep[]

interface PlanRequest {
  readonly catalog: Catalog
  readonly make: () => Promise<Steps>
  readonly plan: PromiseWithResolvers<Steps>
}

interface Made {
  readonly catalog: Catalog
  readonly steps: Steps
  /** Of the monotonic clock. */
  readonly madeMs: number
}

export class SlowPlans {
  readonly #clock: Clock
  /** By key, in the order in which they are made. */
  readonly #waiting = new Map<string, PlanRequest>()
  /** By key, oldest first; none is older than `SLOW_PLAN_REUSE_MS` when one is added. */
  readonly #made = new Map<string, Made>()
  #isMaking = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * @param key of the text and what it is compiled with, but for the catalogue
   * @param make is called when no other plan is being made, and not for a text whose plan is new
   * @returns the steps of its plan; none when too many others wait
   */
  async get(key: string, catalog: Catalog, make: () => Promise<Steps>): Promise<Steps> {
    const made = this.#made.get(key)
    if (made?.catalog === catalog && !this.#isOld(made)) return made.steps
    const waiting = this.#waiting.get(key)
    if (waiting?.catalog === catalog) return await waiting.plan.promise
    if (waiting !== undefined || this.#waiting.size >= SLOW_PLANS_WAITING_MAX) return []
    const request = { catalog, make, plan: Promise.withResolvers<Steps>() }
    this.#waiting.set(key, request)
    if (!this.#isMaking) void this.#makeAll()
    return await request.plan.promise
  }

  async #makeAll(): Promise<void> {
    this.#isMaking = true
    for (const [key, { catalog, make, plan }] of this.#waiting) {
      try {
        const steps = await make()
        this.#note(key, { catalog, steps, madeMs: this.#clock.monotonicMs() })
        plan.resolve(steps)
      } catch (error) {
        plan.reject(error)
      }
      this.#waiting.delete(key)
    }
    this.#isMaking = false
  }

  #note(key: string, made: Made): void {
    for (const [other, found] of this.#made) {
      if (!this.#isOld(found)) break
      this.#made.delete(other)
    }
    this.#made.delete(key)
    this.#made.set(key, made)
  }

  #isOld({ madeMs }: Made): boolean {
    return this.#clock.monotonicMs() - madeMs > SLOW_PLAN_REUSE_MS
  }
}
