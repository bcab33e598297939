/**
 * Clients of one round, each with one request at a time, at a server that it picks anew for each:
 *
 * - writers with keys repeat a request until they know its outcome, and now and then one that was
 *   answered long ago
 * - writers without keys send once, and note what they were told
 * - readers who hand on the highest position they saw, who name none, who ask for the latest state
 * - one who writes documents
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom, type Random } from '#kernel/prng.ts'
import { Client } from './client.ts'
import { operation, readPath, seenIn, upsertPath } from './graph.ts'
import type { History, Outcome } from './history.ts'

const KEYED_COUNT = 8
const PLAIN_COUNT = 2
const POSITION_READER_COUNT = 2
const ANY_READER_COUNT = 2
/** Of one attempt: a server that is paused answers nobody. */
const ATTEMPT_MS_MAX = 4_000
/** After the faults are over; a request without an outcome by then never gets one. */
const RESOLVE_MS_MAX = 150_000
/** Between requests of one client, at most. */
const PAUSE_MS_MAX = 30

export interface Target {
  readonly name: string
  /** Null: it does not run. */
  readonly url: string | null
}

export interface LoadOptions {
  readonly targets: readonly Target[]
  readonly round: number
  readonly seed: number
  readonly history: History
  /** How long requests under way may take after the end. */
  readonly resolveMsMax?: number
}

export class Load {
  readonly #targets: readonly Target[]
  readonly #round: number
  readonly #history: History
  readonly #random: Random
  /** Highest positions seen, by reader or writer. */
  readonly #positions = new Map<string, number>()
  readonly #resolveMsMax: number
  #acknowledgedCount = 0
  #documentVersion = 0
  #isOver = false
  #endsAt = Number.POSITIVE_INFINITY
  #clients: Promise<unknown> = Promise.resolve()

  constructor({ targets, round, seed, history, resolveMsMax = RESOLVE_MS_MAX }: LoadOptions) {
    this.#resolveMsMax = resolveMsMax
    this.#targets = targets
    this.#round = round
    this.#history = history
    this.#random = createRandom(seed)
  }

  get acknowledgedCount(): number {
    return this.#acknowledgedCount
  }

  begin(): void {
    const names = (kind: string, count: number) =>
      Array.from({ length: count }, (_, index) => `r${this.#round}-${kind}${index + 1}`)
    this.#clients = Promise.all([
      ...names('keyed', KEYED_COUNT).map((name) => this.#writeByKey(name)),
      ...names('plain', PLAIN_COUNT).map((name) => this.#writeOnce(name)),
      ...names('reader', POSITION_READER_COUNT).map((name) => this.#readAll(name, 'position')),
      ...names('any', ANY_READER_COUNT).map((name) => this.#readAll(name, 'any')),
      this.#readAll(`r${this.#round}-latest`, 'latest'),
      this.#writeDocuments(`r${this.#round}`),
    ])
    // Awaited by `end`: until then a failure is nobody's.
    this.#clients.catch(() => undefined)
  }

  /** Resolves once so many more writes are acknowledged than now. */
  async progress(count: number, msMax = RESOLVE_MS_MAX): Promise<void> {
    const goal = this.#acknowledgedCount + count
    const end = performance.now() + msMax
    while (this.#acknowledgedCount < goal) {
      if (performance.now() > end) throw new Error(`no ${count} more writes within ${msMax} ms`)
      await pause(20)
    }
  }

  /** No new requests; resolves when those under way have their outcomes. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#endsAt = performance.now() + this.#resolveMsMax
    await this.#clients
  }

  async #writeByKey(writer: string): Promise<void> {
    for (let number = 1; !this.#isOver; number++) {
      const sentAt = performance.now()
      const position = await this.#untilKnown(writer, number)
      this.#note(writer, number, sentAt, position === null ? 'unknown' : 'acknowledged', position)
      if (position === null) return
      if (this.#random.below(10) === 0) await this.#readOwn(writer)
      if (this.#random.below(15) === 0) await this.#repeat(writer, 1 + this.#random.below(number))
      await this.#rest()
    }
  }

  /** @returns the position of the answer; null: time is over */
  async #untilKnown(writer: string, number: number): Promise<number | null> {
    for (;;) {
      const target = this.#pick()
      const answer = await this.#client(target)?.request('POST', upsertPath, {
        body: operation(this.#round, writer, number),
        idempotencyKey: `${writer}/${number}`,
        msMax: ATTEMPT_MS_MAX,
      })
      if (answer?.status === 200 && answer.position !== null) return answer.position
      if (answer !== null && answer !== undefined && !mayRepeat(answer.status)) {
        const text = JSON.stringify(answer).slice(0, 300)
        this.#history.oddities.push(`answer: ${writer} ${number} on ${target.name}: ${text}`)
        return null
      }
      if (performance.now() > this.#endsAt) {
        const text = JSON.stringify(answer ?? 'no answer').slice(0, 300)
        this.#history.oddities.push(`open: ${writer} ${number} has no outcome: ${text}`)
        return null
      }
      await pause(20 + this.#random.below(80))
    }
  }

  /** A request that was answered before: once more it changes nothing. */
  async #repeat(writer: string, number: number): Promise<void> {
    await this.#client(this.#pick())?.request('POST', upsertPath, {
      body: operation(this.#round, writer, number),
      idempotencyKey: `${writer}/${number}`,
      msMax: ATTEMPT_MS_MAX,
    })
  }

  async #writeOnce(writer: string): Promise<void> {
    for (let number = 1; !this.#isOver; number++) {
      const sentAt = performance.now()
      const answer = await this.#client(this.#pick())?.request('POST', upsertPath, {
        body: operation(this.#round, writer, number),
      })
      const outcome = outcomeOf(answer?.status ?? null)
      this.#note(writer, number, sentAt, outcome, answer?.position ?? null)
      await this.#rest()
    }
  }

  #note(
    writer: string,
    number: number,
    sentAt: number,
    outcome: Outcome,
    position: number | null,
  ): void {
    const endedAt = performance.now()
    this.#history.writes.push({ writer, number, sentAt, endedAt, outcome, position })
    if (outcome !== 'acknowledged') return
    this.#acknowledgedCount++
    this.#saw(writer, position)
  }

  /** Whoever names the position of his write reads it anywhere. */
  async #readOwn(writer: string): Promise<void> {
    await this.#read(writer, this.#positions.get(writer) ?? 0)
  }

  async #readAll(reader: string, kind: 'position' | 'any' | 'latest'): Promise<void> {
    while (!this.#isOver) {
      const position = this.#positions.get(reader) ?? 0
      await this.#read(reader, kind === 'any' ? null : kind === 'latest' ? 'latest' : position)
      await this.#rest()
    }
  }

  async #read(reader: string, after: number | 'latest' | null): Promise<void> {
    const target = this.#pick()
    const sentAt = performance.now()
    const answer = await this.#client(target)?.get(readPath(this.#round), {
      after,
      msMax: ATTEMPT_MS_MAX,
    })
    if (answer === null || answer === undefined) return
    const { position, stalenessMs, status } = answer
    const seen = seenIn(answer)
    if (seen === null || position === null || stalenessMs === null) {
      if (mayRepeat(status)) return
      const text = JSON.stringify(answer).slice(0, 300)
      this.#history.oddities.push(`read: ${reader} on ${target.name}: ${text}`)
      return
    }
    this.#saw(reader, position)
    const server = target.name
    this.#history.reads.push({ reader, server, sentAt, after, position, stalenessMs, seen })
  }

  /** Each write of the document names a higher number; its version tells how often it was written. */
  async #writeDocuments(key: string): Promise<void> {
    while (!this.#isOver) {
      const answer = await this.#client(this.#pick())?.request(
        'PUT',
        `/quiver/v1/documents/saved-query/${key}`,
        { body: { round: this.#round }, msMax: ATTEMPT_MS_MAX },
      )
      if (answer?.status === 200) this.#sawDocument(key, answer.body.results.version)
      await pause(100)
    }
  }

  #sawDocument(key: string, version: number): void {
    if (version <= this.#documentVersion) {
      const text = `version ${version} after ${this.#documentVersion}`
      this.#history.oddities.push(`document: ${key} was written as ${text}`)
    }
    this.#documentVersion = Math.max(version, this.#documentVersion)
  }

  /** Of the document of this round, as acknowledged last. */
  get documentVersion(): number {
    return this.#documentVersion
  }

  #saw(who: string, position: number | null): void {
    this.#positions.set(who, Math.max(this.#positions.get(who) ?? 0, position ?? 0))
  }

  #pick(): Target {
    return this.#targets[this.#random.below(this.#targets.length)]!
  }

  #client({ url }: Target): Client | null {
    return url === null ? null : new Client(url)
  }

  #rest(): Promise<void> {
    return pause(this.#random.below(PAUSE_MS_MAX))
  }
}

/** 503 says that nothing was done, and other answers of a server in trouble that nobody knows. */
function outcomeOf(status: number | null): Outcome {
  if (status === 200) return 'acknowledged'
  return status === 503 ? 'refused' : 'unknown'
}

/** Of a server that ends, starts or has no writer. */
function mayRepeat(status: number): boolean {
  return status === 500 || (status >= 502 && status <= 504)
}
