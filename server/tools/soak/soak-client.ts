/** One client: its credentials, what it knows of its own data, and how it takes answers. */
import type { Random } from '#kernel/prng.ts'
import { type Answer, type Call, Caller, NoAnswer } from './caller.ts'
import type { Ledger } from './ledger.ts'
import { differences, OwnerState, unsettledDifferences } from './owner-state.ts'
import type { WriterPlace } from './random-entries.ts'
import { readState, valueAt } from './read-state.ts'
import type { Write } from './writes.ts'

const REFUSALS_MAX = 20
const REFUSED_PAUSE_MS = 250

export interface Identity {
  readonly user: string
  readonly password: string
}

/** A query of the client's own, whose text contains a number. */
export interface OwnQuery {
  value: number | null
  pending: number | null
}

export class SoakClient {
  readonly place: WriterPlace
  readonly identity: Identity
  readonly caller: Caller
  readonly random: Random
  readonly #ledger: Ledger
  state = new OwnerState()
  /** Sent and not answered. */
  pending: Write | null = null
  readonly ownQuery: OwnQuery = { value: null, pending: null }
  /** Secrets that were made and not yet dropped, by their value. */
  readonly secrets: string[] = []
  readonly largeIds: readonly string[]
  tokenUntilMs = 0

  constructor(
    identity: Identity & { readonly authorization: string },
    place: WriterPlace,
    { random, ledger }: { readonly random: Random; readonly ledger: Ledger },
  ) {
    this.identity = identity
    this.place = place
    this.caller = new Caller(identity.authorization)
    this.random = random
    this.#ledger = ledger
    this.largeIds = [0, 1].map((index) => `large-${place.client}-${index}`)
  }

  /** @returns null when the answer is an error, which is recorded */
  async send(kind: string, call: Call, accepted: readonly string[] = []): Promise<Answer | null> {
    const answer = await this.#sendUntilTaken(kind, call)
    if (answer === null) return null
    if (isRight(answer, accepted)) return answer
    this.#ledger.failed(kind, answer.status, messageOf(answer))
    return null
  }

  /** A refusal under load says that nothing was done; the request is sent again after a pause. */
  async #sendUntilTaken(kind: string, call: Call): Promise<Answer | null> {
    for (let refusals = 0; refusals < REFUSALS_MAX; refusals++) {
      const answer = await this.caller.send(call)
      if (answer.status !== 429 && answer.status !== 503) {
        this.#ledger.answered(kind, answer.durationMs)
        return answer
      }
      this.#ledger.refused(kind, answer.status, messageOf(answer))
      await pause(Math.min(answer.retryAfterMs ?? REFUSED_PAUSE_MS, 5_000))
    }
    this.#ledger.failed(kind, 503, `refused ${REFUSALS_MAX} times`)
    return null
  }

  async write(kind: string, write: Write): Promise<void> {
    const before = this.state
    this.pending = write
    const answer = await this.send(kind, write.call, ['601'])
    if (answer === null) {
      await this.settle(kind)
      return
    }
    for (const [path, expected] of Object.entries(write.expected(before))) {
      this.#ledger.expectEqual(kind, path, [valueAt(answer.body, path), expected])
    }
    write.apply(this.state)
    this.pending = null
    this.#ledger.acknowledgedWrites++
  }

  /**
   * Reads everything back. What a request without an answer did is not known: the state before it
   * and the state after it are both right.
   */
  async settle(kind: string): Promise<void> {
    const found = await readState((call) => this.send(`${kind} (read back)`, call, ['601']), {
      client: this.place.client,
      largeIds: this.#writtenLargeIds(),
    })
    if (found === null) return
    this.#ledger.expectNone(kind, this.#unsettled(found))
    this.#ledger.checkedElements += found.elements().size
    this.state = found
    this.pending = null
  }

  #unsettled(found: OwnerState): string[] {
    const { pending } = this
    const who = (line: string) => `client ${this.place.client}: ${line}`
    if (pending === null) return differences(found, this.state).map(who)
    const after = new OwnerState(this.state)
    pending.apply(after)
    const lines = unsettledDifferences(found, [this.state, after], pending.isAtomic)
    return lines.map((line) => who(`${line} (without answer: ${pending.call.path})`))
  }

  #writtenLargeIds(): readonly string[] {
    const mayHave = this.state.large.size > 0 || this.pending !== null
    return mayHave ? this.largeIds : []
  }
}

function isRight({ status, body }: Answer, accepted: readonly string[]): boolean {
  if (accepted.includes(String(valueAt(body, 'code')))) return true
  return status === 200 && valueAt(body, 'error') !== true
}

function messageOf({ body, text }: Answer): string {
  const message = valueAt(body, 'message')
  const code = valueAt(body, 'code')
  return typeof message === 'string' ? `${code ?? ''} ${message}` : text
}

export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}

export function isNoAnswer(error: unknown): error is NoAnswer {
  return error instanceof NoAnswer
}
