/**
 * Helpers of one run: idle workers that the pool lends it, and takes back when another run waits
 * for a worker, or when the run is over.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { GraphView } from '#graph/view.ts'
import type { RunControl } from '#query/runtime/control.ts'
import { HELPERS_MAX, WorkBlock } from '#query/runtime/parallel/work-block.ts'
import type { PackedPlan } from './plan.ts'
import type { LentTeam } from './protocol.ts'
import type { RunOptions } from './run.ts'
import type { SlotEnd, WorkerSlot } from './slot.ts'

export interface LoanParts {
  readonly plan: PackedPlan
  readonly options: RunOptions
  readonly view: GraphView
  readonly control: RunControl
  /** Helpers that the run may have at the same time. */
  readonly countMax: number
  /** A slot is free again, or its thread is gone. */
  readonly left: () => void
}

export class Loans {
  readonly #parts: LoanParts
  readonly #block: WorkBlock
  readonly #lending: MessagePort
  /** By the number of the helper; null: it has left. */
  readonly #slots: (WorkerSlot | null)[] = []
  #isClosed = false

  constructor(parts: LoanParts, { block, lending }: LentTeam) {
    this.#parts = parts
    this.#block = new WorkBlock(block)
    this.#lending = lending
  }

  /** Helpers that have not left. */
  get count(): number {
    return this.#slots.filter((slot) => slot !== null).length
  }

  /** Helpers that were called back and are still here. */
  get leavingCount(): number {
    return this.#slots.filter((slot, number) => slot !== null && this.#block.leaves(number)).length
  }

  /** Numbers of helpers are not given twice: a run that many were taken from goes on alone. */
  get takesMore(): boolean {
    const isRoom = this.count < this.#parts.countMax && this.#slots.length < HELPERS_MAX
    return isRoom && !this.#isClosed
  }

  lend(slot: WorkerSlot): void {
    const helper = this.#slots.length
    const { plan, options, view, control, left } = this.#parts
    const { port1: forRun, port2: port } = new MessageChannel()
    this.#slots.push(slot)
    const help = { block: this.#block.buffer, helper, port, control: control.buffer }
    const finish = (end: SlotEnd) => {
      this.#slots[helper] = null
      this.#block.recall(helper)
      if (end.kind !== 'left') {
        this.#block.noteLost()
        // The run ends and will not wait for the others.
        void this.stop()
      }
      left()
    }
    slot.run(plan, { view, options, mayAsk: false, team: null, help }, { finish })
    this.#lending.postMessage(forRun, [forRun])
    this.#block.noteLent()
  }

  /** The run goes on, with what it was lent so far. */
  answer(): void {
    this.#block.answer()
  }

  /** The run has divided a loop, or tried to. */
  get wereUsed(): boolean {
    return this.#block.hasTurned
  }

  /** Calls one helper back. @returns false when there is none that was not called yet */
  recall(): boolean {
    const helper = this.#slots.findLastIndex(
      (slot, number) => slot !== null && !this.#block.leaves(number),
    )
    if (helper < 0) return false
    this.#block.recall(helper)
    return true
  }

  /** The run is over: all come back by themselves. */
  close(): void {
    this.#isClosed = true
    this.#block.close()
    this.#lending.close()
  }

  /** The run's thread was lost or put down: nobody waits for what its helpers still do. */
  async stop(): Promise<void> {
    this.close()
    await Promise.all(this.#slots.map((slot) => slot?.stop()))
  }
}
