/**
 * Scripts that nobody waits for (`async=true`). Each user sees his own. They are stored when they
 * begin and when they end, so that a restart, and the next writer, know them: one that had not ended
 * was interrupted.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  DETACHED_SCRIPT_KEPT_MS_MAX,
  DETACHED_SCRIPT_TEXT_CHARS_MAX,
  DETACHED_SCRIPTS_KEPT_MAX,
  DETACHED_SCRIPTS_KEPT_PER_USER_MAX,
  DETACHED_SCRIPTS_RUNNING_MAX,
  DETACHED_SCRIPTS_RUNNING_PER_USER_MAX,
  RETRY_AFTER_SECONDS,
} from '#kernel/limits.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import type { Principal } from '../auth/access.ts'

export interface DetachedScript {
  readonly id: string
  readonly user: string
  /** The graph that the token was limited to which started it; absent or null: none. */
  readonly limit?: string | null
  readonly startMs: number
  endMs: number | null
  /** What it printed; cut where it is long. */
  text: string
  failed: boolean
  readonly abort: AbortController
}

type Caller = Pick<Principal, 'name' | 'graph'>
type StoredScript = Omit<DetachedScript, 'abort'>

const COLLECTION = 'detached-scripts'

export class DetachedScripts {
  readonly #clock: Clock
  readonly #documents: Collection
  /** Oldest first. */
  readonly #scripts = new Map<string, DetachedScript>()
  /** Those that this process has begun. */
  readonly #own = new WeakSet<DetachedScript>()

  private constructor(documents: Documents, clock: Clock) {
    this.#documents = documents.open(COLLECTION, (id, bytes) => this.#take(id, bytes))
    this.#clock = clock
  }

  static async open(documents: Documents, clock: Clock): Promise<DetachedScripts> {
    const scripts = new DetachedScripts(documents, clock)
    const found = await scripts.#documents.list()
    const stored = found.map(
      ({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as StoredScript,
    )
    for (const script of stored.toSorted((one, other) => one.startMs - other.startMs)) {
      scripts.#restore(script)
    }
    await documents.asWriter(async () => scripts.#interrupt())
    return scripts
  }

  /** What this process has begun it knows best. */
  #take(id: string, bytes: Uint8Array | null): void {
    const known = this.#scripts.get(id)
    if (bytes === null) this.#scripts.delete(id)
    else if (known === undefined || !this.#own.has(known)) {
      this.#restore(JSON.parse(Buffer.from(bytes).toString()) as StoredScript)
    }
  }

  #restore(stored: StoredScript): void {
    this.#scripts.set(stored.id, { ...stored, abort: new AbortController() })
  }

  /** Only the writer runs scripts: those of an earlier one that had not ended have. */
  #interrupt(): void {
    for (const script of this.#scripts.values()) {
      if (script.endMs !== null || this.#own.has(script)) continue
      script.endMs = script.startMs
      script.failed = true
      script.text = 'The server ended while the script ran. Commands that were done by then stay.\n'
    }
  }

  /** @throws DbError TOO_MANY_REQUESTS, UNAVAILABLE, NOT_WRITER, STORE_READ_ONLY and its like: nothing has run then */
  async start(
    { id, caller }: { readonly id: string; readonly caller: Caller },
    run: (signal: AbortSignal) => Promise<string>,
  ): Promise<DetachedScript> {
    const user = caller.name
    this.#checkRoom(user)
    const abort = new AbortController()
    const startMs = this.#clock.nowMs()
    const script: DetachedScript = {
      ...{ id, user, limit: caller.graph, startMs, abort },
      endMs: null,
      text: '',
      failed: false,
    }
    this.#scripts.set(id, script)
    this.#own.add(script)
    this.#forgetOldest()
    this.#forgetOldestOf(user)
    await this.#save(script).catch((error: unknown) => {
      this.#scripts.delete(id)
      throw error
    })
    run(abort.signal).then(
      (text) => this.#settle(script, text, abort.signal.aborted),
      (error: unknown) => this.#settle(script, String(error), true),
    )
    return script
  }

  #checkRoom(user: string): void {
    const running = [...this.#scripts.values()].filter(({ endMs }) => endMs === null)
    const own = running.filter((script) => script.user === user)
    const details = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (own.length >= DETACHED_SCRIPTS_RUNNING_PER_USER_MAX) {
      const text = `The user ${user} has ${own.length} scripts under way, and may have no more.`
      throw new DbError('TOO_MANY_REQUESTS', text, { details })
    }
    if (running.length < DETACHED_SCRIPTS_RUNNING_MAX) return
    throw new DbError('UNAVAILABLE', 'No script can be started now: too many run.', { details })
  }

  #settle(script: DetachedScript, text: string, failed: boolean): void {
    const isLong = text.length > DETACHED_SCRIPT_TEXT_CHARS_MAX
    const shown = isLong ? `${text.slice(0, DETACHED_SCRIPT_TEXT_CHARS_MAX)}\n…\n` : text
    Object.assign(script, { text: shown, failed, endMs: this.#clock.nowMs() })
    // The script is done, whether or not that can be written down.
    this.#save(script).catch(() => undefined)
  }

  async #save({ abort: _, ...stored }: DetachedScript): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(stored satisfies StoredScript))
    await this.#documents.put(stored.id, bytes)
  }

  /** By number and by age. */
  #forgetOldest(): void {
    const oldestMs = this.#clock.nowMs() - DETACHED_SCRIPT_KEPT_MS_MAX
    for (const { id, startMs, endMs } of this.#scripts.values()) {
      if (this.#scripts.size <= DETACHED_SCRIPTS_KEPT_MAX && startMs >= oldestMs) return
      if (endMs !== null) this.#forget(id)
    }
  }

  /** So that the scripts of one user do not take the place of those of others. */
  #forgetOldestOf(user: string): void {
    const own = [...this.#scripts.values()].filter((script) => script.user === user)
    const ended = own.filter(({ endMs }) => endMs !== null)
    const excess = Math.max(0, own.length - DETACHED_SCRIPTS_KEPT_PER_USER_MAX)
    for (const { id } of ended.slice(0, excess)) this.#forget(id)
  }

  #forget(id: string): void {
    this.#scripts.delete(id)
    this.#documents.delete(id).catch(() => undefined)
  }

  /** Ends one before its next command. @throws DbError REQUEST_NOT_FOUND, of one that has ended too */
  cancel(id: string, caller: Caller): void {
    const { abort, endMs } = this.require(id, caller)
    if (endMs !== null) {
      const text = `The script with the request id '${id}' has finished: there is nothing to cancel.`
      throw new DbError('REQUEST_NOT_FOUND', text)
    }
    abort.abort()
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(id: string, { name, graph }: Caller): DetachedScript {
    const script = this.#scripts.get(id)
    // A token that is limited to a graph learns nothing of scripts that were not.
    const isReached = graph === null || script?.limit === graph
    if (script?.user === name && isReached) return script
    throw new DbError('REQUEST_NOT_FOUND', `No script has the request id '${id}'.`)
  }
}
