import { describe, expect, it } from 'vitest'
import { RunControl } from '#query/runtime/control.ts'
import { WorkBlock } from '#query/runtime/parallel/work-block.ts'
import { arrayCatalog, arrayView } from '../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { EarlyLoans } from './early-loans.ts'
import { packPlan } from './plan.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const view = arrayView({
  ...{ vertexCount: 4, sources: words, targets: words },
  ...{ weights: none, amounts: none, sinces: none },
})
const plan = packPlan(new QueryRunner(arrayCatalog, () => view).plan('PRINT 1;'))
const limits = { memoryLimitBytes: 0, responseLimitBytes: 0 }
const options = { arguments: [], ...limits, nowSeconds: 0, seed: 0 }
const parts = { plan, options, view, control: new RunControl(), countMax: 1, left: () => {} }

describe('helpers that are lent before they are asked for', () => {
  it('are for plans that have asked, as long as their runs divide a loop', () => {
    const early = new EarlyLoans()
    expect(early.of(parts)).toBeNull()
    early.noteAsked(plan.id)
    const used = early.of(parts)!
    new WorkBlock(used.team.block).open(2)
    early.noteEnd(plan.id, used.loans)
    const unused = early.of(parts)!
    early.noteEnd(plan.id, unused.loans)
    expect(early.of(parts)).toBeNull()
    for (const { loans, team } of [used, unused]) {
      loans.close()
      team.lending.close()
    }
  })

  it('are known to the run once what is idle was lent', () => {
    const early = new EarlyLoans()
    early.noteAsked(plan.id)
    const { loans, team } = early.of(parts)!
    const answered = new Int32Array(team.block).slice()
    early.answer()
    expect(new Int32Array(team.block)).not.toEqual(answered)
    loans.close()
    team.lending.close()
  })
})
