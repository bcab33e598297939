/**
 * Who changed what, and who was refused. Entries name users, roles and aliases; a password, a
 * secret, a token or the text of a script never comes here.
 *
 * The newest entries are kept in memory to be read; each goes to a sink at once (a file beside the
 * data, audit-file.ts), which outlives the server.
 */
import type { Clock } from '#kernel/clock.ts'

export interface AuditEntry {
  readonly number: number
  readonly timeMs: number
  readonly user: string | null
  readonly action: string
  readonly graph: string | null
  readonly target?: string
  readonly outcome: 'done' | 'denied' | 'failed'
  readonly requestId: string
  /** Of the client; absent: unknown. */
  readonly address?: string
}

export type AuditEvent = Omit<AuditEntry, 'number' | 'timeMs'>

export interface AuditSink {
  /** Entries of earlier runs, oldest first. */
  readonly earlier: readonly AuditEntry[]
  append(entry: AuditEntry): void
}

/** All of its fields, in one order: such an object is half as large as one made of parts. */
interface HeldEntry {
  readonly number: number
  readonly timeMs: number
  readonly user: string | null
  readonly action: string
  readonly graph: string | null
  readonly target: string | undefined
  readonly outcome: AuditEntry['outcome']
  readonly requestId: string
  readonly address: string | undefined
}

const ENTRIES_KEPT_MAX = 10_000
/** Texts of users, actions, graphs and addresses that entries share. */
const SHARED_TEXTS_MAX = 1_000
/** Names come from requests. */
const TARGET_SIZE_CHARS_MAX = 400
/**
 * Refusals of one caller, or of all that nobody knows, in a minute of the clock. Anyone can cause
 * them without end, and files of limited size would soon hold nothing else.
 */
export const REFUSALS_PER_MINUTE_MAX = 100

export class AuditLog {
  readonly #clock: Clock
  readonly #sink: AuditSink | null
  #entries: HeldEntry[]
  readonly #texts = new Map<string, string>()
  /** By user, in the minute that runs. */
  readonly #refusals = new Map<string | null, number>()
  #minute = 0

  constructor(clock: Clock, sink: AuditSink | null) {
    this.#clock = clock
    this.#sink = sink
    this.#entries = (sink?.earlier ?? []).slice(-ENTRIES_KEPT_MAX).map((entry) => this.#held(entry))
  }

  record(event: AuditEvent): void {
    const refusals = event.outcome === 'denied' ? this.#countRefusal(event.user) : 0
    if (refusals > REFUSALS_PER_MINUTE_MAX) return
    const isLast = refusals === REFUSALS_PER_MINUTE_MAX
    this.#add(isLast ? { ...event, target: 'further refusals of this minute are left out' } : event)
  }

  /** @returns how many this is */
  #countRefusal(user: string | null): number {
    const minute = Math.floor(this.#clock.nowMs() / 60_000)
    if (minute !== this.#minute) this.#refusals.clear()
    this.#minute = minute
    const count = (this.#refusals.get(user) ?? 0) + 1
    this.#refusals.set(user, count)
    return count
  }

  #add({ target, ...event }: AuditEvent): void {
    const number = (this.#entries.at(-1)?.number ?? 0) + 1
    const timeMs = this.#clock.nowMs()
    const named = target === undefined ? {} : { target: target.slice(0, TARGET_SIZE_CHARS_MAX) }
    const entry = { number, timeMs, ...event, ...named }
    this.#entries.push(this.#held(entry))
    // Half at a time: taking the first of a long array away costs as much as it is long.
    if (this.#entries.length >= 2 * ENTRIES_KEPT_MAX) {
      this.#entries = this.#entries.slice(-ENTRIES_KEPT_MAX)
    }
    this.#sink?.append(entry)
  }

  #held(entry: AuditEntry): HeldEntry {
    return {
      number: entry.number,
      timeMs: entry.timeMs,
      user: this.#shared(entry.user),
      action: this.#shared(entry.action),
      graph: this.#shared(entry.graph),
      target: entry.target,
      outcome: entry.outcome,
      requestId: entry.requestId,
      address: this.#shared(entry.address),
    }
  }

  /** Each request makes its texts anew; those that are alike are one in memory. */
  #shared<Text extends string | null | undefined>(text: Text): Text {
    if (typeof text !== 'string') return text
    const known = this.#texts.get(text)
    if (known !== undefined) return known as Text
    if (this.#texts.size >= SHARED_TEXTS_MAX) this.#texts.clear()
    this.#texts.set(text, text)
    return text
  }

  /** Newest first. */
  read(wanted: {
    readonly limit: number
    readonly before: number | null
    readonly user: string | null
  }): AuditEntry[] {
    const found: AuditEntry[] = []
    for (let index = this.#entries.length - 1; index >= 0 && found.length < wanted.limit; index--) {
      const entry = this.#entries[index]
      if (entry === undefined || (wanted.before !== null && entry.number >= wanted.before)) continue
      if (wanted.user === null || entry.user === wanted.user) found.push(entryOf(entry))
    }
    return found
  }
}

/** What is unknown is absent. */
function entryOf({ target, address, ...entry }: HeldEntry): AuditEntry {
  return {
    ...entry,
    ...(target === undefined ? {} : { target }),
    ...(address === undefined ? {} : { address }),
  }
}
