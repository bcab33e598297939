import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { RunControl } from '#query/runtime/control.ts'
import { Team, type Turn } from '#query/runtime/parallel/team.ts'
import { type HelperCounts, WorkBlock } from '#query/runtime/parallel/work-block.ts'
import { arrayCatalog, arrayView } from '../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { helpPlan } from './help.ts'
import { CodeCache, runPlan } from './run.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const edges = { vertexCount: 1000, sources: words, targets: words }
const view = arrayView({ ...edges, weights: none, amounts: none, sinces: none })
const plan = new QueryRunner(arrayCatalog, () => view).plan(
  'SumAccum<INT> @@n; All = {V.*}; R = SELECT s FROM All:s ACCUM @@n += s.age; PRINT @@n;',
)
const options = {
  arguments: [],
  memoryLimitBytes: 2 ** 26,
  responseLimitBytes: 2 ** 20,
  nowSeconds: 0,
  seed: 0,
  segmentItems: 100,
}
const place = { cache: new CodeCache(), view, control: new RunControl() }

/** What a run posts to a helper that it was lent. */
function turnOfRun(): Turn {
  let given: MessagePort | null = null
  const team = new Team((buffer, lending) => {
    const block = new WorkBlock(buffer)
    const { port1, port2 } = new MessageChannel()
    lending.postMessage(port1, [port1])
    block.noteLent()
    given = port2
  })
  runPlan(plan, options, { ...place, team })
  const turn = receiveMessageOnPort(given!)?.message as Turn
  team.close()
  return turn
}

/** Its helpers are wanted elsewhere after their first segment. */
class RecallingBlock extends WorkBlock {
  override addCounts(helper: number, counts: HelperCounts): void {
    super.addCounts(helper, counts)
    if (counts.segments > 0) this.recall(helper)
  }
}

describe('a helper', () => {
  it('that is called back leaves the rest of the loop to the run', () => {
    const turn = turnOfRun()
    const block = new RecallingBlock()
    const { port1, port2 } = new MessageChannel()
    const words = block.open(turn.words.segmentCount)
    port1.postMessage({ ...turn, words })
    helpPlan(plan, options, { ...place, block, helper: 0, port: port2 })
    expect(words.segmentCount).toBe(10)
    expect(block.take(words, 0)).toBe(1)
    port1.close()
  })
})
