/** Scripts that nobody waits for (`async=true`): each user sees his own, the last hundred stay. */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'

export interface DetachedScript {
  readonly id: string
  readonly user: string
  readonly startMs: number
  endMs: number | null
  text: string
  failed: boolean
  readonly abort: AbortController
}

const KEPT_MAX = 100

export class DetachedScripts {
  readonly #clock: Clock
  readonly #scripts = new Map<string, DetachedScript>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  start(
    { id, user }: { readonly id: string; readonly user: string },
    run: (signal: AbortSignal) => Promise<string>,
  ): DetachedScript {
    const abort = new AbortController()
    const startMs = this.#clock.nowMs()
    const script: DetachedScript = {
      ...{ id, user, startMs, abort },
      endMs: null,
      text: '',
      failed: false,
    }
    this.#scripts.set(id, script)
    this.#forgetOldest()
    run(abort.signal).then(
      (text) => this.#settle(script, text, abort.signal.aborted),
      (error: unknown) => this.#settle(script, String(error), true),
    )
    return script
  }

  #settle(script: DetachedScript, text: string, failed: boolean): void {
    Object.assign(script, { text, failed, endMs: this.#clock.nowMs() })
  }

  #forgetOldest(): void {
    for (const { id, endMs } of this.#scripts.values()) {
      if (this.#scripts.size <= KEPT_MAX) return
      if (endMs !== null) this.#scripts.delete(id)
    }
  }

  /** Ends one before its next command. @throws DbError REQUEST_NOT_FOUND, of one that has ended too */
  cancel(id: string, user: string): void {
    const { abort, endMs } = this.require(id, user)
    if (endMs !== null) {
      const text = `The script with the request id '${id}' has finished: there is nothing to cancel.`
      throw new DbError('REQUEST_NOT_FOUND', text)
    }
    abort.abort()
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(id: string, user: string): DetachedScript {
    const script = this.#scripts.get(id)
    if (script?.user === user) return script
    throw new DbError('REQUEST_NOT_FOUND', `No script has the request id '${id}'.`)
  }
}
