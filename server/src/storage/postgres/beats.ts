/**
 * The beat of an instance: once a second it counts up its own row, reads those of the others and the
 * end of the log. Whoever asks for the latest state takes a beat now; those who ask together share one.
 */
import type { Clock } from '#kernel/clock.ts'
import type { StateDigest } from '../shared-store.ts'
import type { Instances } from './instances.ts'
import type { Link } from './link.ts'
import { ConnectionLostError, isPassing, type Session, StatementFailedError } from './session.ts'

export interface BeatsOptions {
  readonly control: Link
  readonly instances: Instances
  readonly clock: Clock
  readonly position: () => number
  readonly digest: () => StateDigest | null
  /** Called after each one. */
  readonly onBeat: () => void
  /** Another process runs under the name of this one. */
  readonly onReplaced: () => void
  /** The server refuses it. */
  readonly onFailure: (error: Error) => void
}

interface Sent {
  readonly sentMs: number
  readonly logEnd: number
}

const COPIES_EVERY = 10

export class Beats {
  readonly #options: BeatsOptions
  #waiting: Promise<number> | null = null
  #isUnderWay = false
  #count = 0
  /** Beats whose end of the log is not applied here yet. */
  #sent: Sent[] = []
  #currentMs: number
  durableCopies: number | null = null

  constructor(options: BeatsOptions) {
    this.#options = options
    this.#currentMs = options.clock.monotonicMs()
  }

  /** Since the sending of the newest beat whose end is applied. */
  stalenessMs(): number {
    this.reached(this.#options.position())
    return this.#options.clock.monotonicMs() - this.#currentMs
  }

  reached(position: number): void {
    while (this.#sent[0] !== undefined && this.#sent[0].logEnd <= position) {
      this.#currentMs = Math.max(this.#currentMs, this.#sent.shift()!.sentMs)
    }
  }

  /** By the timer: one at a time. What ends the connection ends nothing else. */
  tick(): void {
    if (this.#isUnderWay) return
    this.#isUnderWay = true
    this.now()
      .catch((error: unknown) => {
        if (!isPassing(error)) this.#options.onFailure(error as Error)
      })
      .finally(() => {
        this.#isUnderWay = false
      })
  }

  /** The end of the log as of now or later. @throws ConnectionLostError */
  now(): Promise<number> {
    this.#waiting ??= this.#options.control.use((session) => {
      // From here on it is too late to share it.
      this.#waiting = null
      return this.#beat(session)
    })
    return this.#waiting
  }

  async #beat(session: Session): Promise<number> {
    const { instances, clock, position, digest, onBeat, onReplaced } = this.#options
    const sentMs = clock.monotonicMs()
    const beat = await instances.beat(session, position(), digest())
    if (!beat.isOwn) {
      onReplaced()
      throw new ConnectionLostError('another process has taken the name of this instance')
    }
    if (!beat.isConfirmed) throw new ConnectionLostError('the standby has not confirmed a beat')
    this.#sent.push({ sentMs, logEnd: beat.logEnd })
    this.reached(position())
    if (this.#count++ % COPIES_EVERY === 0) this.durableCopies = await durableCopies(session)
    onBeat()
    return beat.logEnd
  }
}

/** Machines that hold what is acknowledged, as the server is set; null: it does not say. */
async function durableCopies(session: Session): Promise<number | null> {
  try {
    const { rows } = await session.query({ text: 'SHOW synchronous_standby_names' })
    return copiesOf(String(rows[0]?.['synchronous_standby_names'] ?? ''))
  } catch (error) {
    if (error instanceof StatementFailedError) return null
    throw error
  }
}

export function copiesOf(names: string): number {
  const text = names.trim()
  if (text === '') return 1
  const counted = /^(?:(?:ANY|FIRST)\s+)?(\d+)\s*\(/i.exec(text)
  return 1 + (counted === null ? 1 : Number(counted[1]))
}
