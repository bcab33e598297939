import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { RunControl } from '#query/runtime/control.ts'
import { HELPERS_MAX, WorkBlock } from '#query/runtime/parallel/work-block.ts'
import { arrayCatalog, arrayView } from '../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { Loans } from './loans.ts'
import { packPlan } from './plan.ts'
import type { SlotCalls, SlotEnd, WorkerSlot } from './slot.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const edges = { vertexCount: 4, sources: words, targets: words }
const view = arrayView({ ...edges, weights: none, amounts: none, sinces: none })
const plan = packPlan(new QueryRunner(arrayCatalog, () => view).plan('PRINT 1;'))

/** A slot whose thread does what the test says. */
class Slot {
  end: (end: SlotEnd) => void = () => undefined

  run(_plan: unknown, _message: unknown, { finish }: SlotCalls): void {
    this.end = finish
  }

  async stop(): Promise<void> {
    this.end({ kind: 'lost', cause: null })
  }
}

function lend(count: number) {
  let left = 0
  const { port1, port2 } = new MessageChannel()
  const block = new WorkBlock()
  const options = {
    arguments: [],
    memoryLimitBytes: 0,
    responseLimitBytes: 0,
    nowSeconds: 0,
    seed: 0,
  }
  const parts = { plan, options, view, control: new RunControl(), countMax: 3, left: () => left++ }
  const loans = new Loans(parts, { block: block.buffer, lending: port1 })
  const slots = Array.from({ length: count }, () => new Slot())
  for (const slot of slots) loans.lend(slot as unknown as WorkerSlot)
  return { loans, block, slots, close: () => port2.close(), left: () => left }
}

describe('helpers lent to a run', () => {
  it('come back one by one when others wait, the last lent first', () => {
    const { loans, block, slots, close, left } = lend(2)
    expect(block.lent).toBe(2)
    expect(loans.recall()).toBe(true)
    expect([0, 1].map((helper) => block.leaves(helper))).toEqual([false, true])
    expect(loans.leavingCount).toBe(1)
    slots[1]!.end({ kind: 'left' })
    expect([loans.count, loans.leavingCount, left()]).toEqual([1, 0, 1])
    expect(loans.recall()).toBe(true)
    expect(loans.recall()).toBe(false)
    close()
  })

  it('are as many as the run may have, and no more in all than there are numbers for', () => {
    const { loans, slots, close } = lend(3)
    expect(loans.takesMore).toBe(false)
    slots[0]!.end({ kind: 'left' })
    expect(loans.takesMore).toBe(true)
    for (let lent = 3; lent < HELPERS_MAX; lent++) {
      const slot = new Slot()
      loans.lend(slot as unknown as WorkerSlot)
      slot.end({ kind: 'left' })
    }
    expect(loans.count).toBe(2)
    expect(loans.takesMore).toBe(false)
    close()
  })

  it('are all stopped when one is lost, and the run hears of it', () => {
    const { loans, block, slots, close, left } = lend(3)
    slots[1]!.end({ kind: 'lost', cause: null })
    expect(block.isLost).toBe(true)
    expect(block.leaves(0)).toBe(true)
    expect([loans.count, left()]).toEqual([0, 3])
    expect(loans.takesMore).toBe(false)
    close()
  })
})
