/** The helpers of a run: how they are asked for, told of a turn, and heard. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { ErrorCode } from '#kernel/errors.ts'
import { packViews } from '#kernel/shared-views.ts'
import type { PartialBlock } from './partial-blocks.ts'
import { type TurnWords, WorkBlock } from './work-block.ts'

/** One turn, as it is posted to a helper. */
export interface Turn {
  readonly words: TurnWords
  /** The segments before this one are done: the words know those behind. */
  readonly from: number
  /** Whose segments are taken first. */
  readonly lane: number
  /** Which text: that of 64-bit integers, or that of doubles. */
  readonly wide: boolean
  /** Index of the part in the text. */
  readonly part: number
  readonly inputs: readonly unknown[]
  readonly items: number
  readonly segmentItems: number
}

/** Why a segment was not finished, as a helper tells it. */
export interface Failure {
  readonly segment: number
  readonly widen: boolean
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details: Readonly<Record<string, unknown>>
  }
}

/** Asks for helpers: the words they will share with the run, and the way ports to them come in. */
export type AskForHelpers = (block: SharedArrayBuffer, lending: MessagePort) => void

/** Words that are shared with helpers, and where the ports to them come in. */
export interface Lending {
  readonly block: WorkBlock
  readonly lending: MessagePort
}

/** How long a run that could go two ways waits to hear whether it has helpers. */
const ANSWER_MS = 1

/** The helpers of a run. They are asked for when there is something for them to do. */
export class Team {
  /** By the number of the helper. */
  private readonly ports: MessagePort[] = []
  private readonly ask: AskForHelpers
  private asked: Lending | null

  /** @param asked the pool lends helpers already; null: not before it is asked */
  constructor(ask: AskForHelpers, asked: Lending | null = null) {
    this.ask = ask
    this.asked = asked
  }

  get block(): WorkBlock {
    return this.call().block
  }

  /** Numbers of those who are there, and were not called back. */
  present(): number[] {
    const { block, lending } = this.call()
    while (this.ports.length < block.lent) {
      const received = receiveMessageOnPort(lending)
      if (received === undefined) break
      this.ports.push(received.message as MessagePort)
    }
    return [...this.ports.keys()].filter((helper) => !block.leaves(helper))
  }

  awaitAnswer(ms = ANSWER_MS): void {
    this.call().block.awaitAnswer(ms)
  }

  /** Waits until one of so many helpers has begun the turn, or none is left to begin it. */
  awaitBegin(count: number, words: TurnWords): void {
    const { block } = this
    while (count > 0 && !block.hasBegun(words) && !block.isLost && this.present().length > 0);
  }

  post(helper: number, turn: Turn): void {
    this.ports[helper]!.postMessage(packViews(turn))
  }

  /** What a helper has said since it was last asked. */
  messages(helper: number): (Failure | PartialBlock)[] {
    const all: (Failure | PartialBlock)[] = []
    for (;;) {
      const received = receiveMessageOnPort(this.ports[helper]!)
      if (received === undefined) return all
      all.push(received.message as Failure | PartialBlock)
    }
  }

  close(): void {
    for (const port of this.ports) port.close()
    this.asked?.lending.close()
  }

  private call() {
    if (this.asked !== null) return this.asked
    const block = new WorkBlock()
    const { port1: lending, port2 } = new MessageChannel()
    this.asked = { block, lending }
    this.ask(block.buffer, port2)
    return this.asked
  }
}
