import { describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  realClock,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { VertexService } from '../vertices/vertex-service.ts'
import { readTurns } from './read-turns.ts'

const catalog = catalogOf([vertexType(1, 'A', { attributes: attributes({ n: 'INT' }) })])
const place = { graph: 'g', url: '/graph/g' }

async function engineOf(count: number): Promise<GraphEngine> {
  const engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  for (let n = 0; n < count; n++) frame.vertex('A', `v${n}`, { n })
  await engine.commit(frame.finish())
  return engine
}

/** Every look at the clock takes this long. */
function slowClock(stepMs: number) {
  let nowMs = 0
  return {
    ...realClock,
    monotonicMs: () => {
      nowMs += stepMs
      return nowMs
    },
  }
}

describe('a long read', () => {
  it('sees one state from beginning to end, whatever is written between its slices', async () => {
    const engine = await engineOf(5_000)
    const before = await new VertexService(engine, realClock).list(place, 'A', { sort: '-n' })
    // On a slow machine that read has used up its turn of the loop: another would wait for the next.
    while (!readTurns.mayBegin('')) await new Promise((resolve) => setImmediate(resolve))
    const reading = new VertexService(engine, slowClock(6)).list(place, 'A', { sort: '-n' })
    for (let round = 0; round < 5; round++) {
      const frame = new FrameBuilder(catalog)
      for (let n = 0; n < 200; n++) frame.vertex('A', `v${n * 7}`, { n: -round })
      frame.vertex('A', `new${round}`, { n: 9_000 }).deleteVertex('A', `v${round}`)
      await engine.commit(frame.finish())
    }
    expect(Buffer.from(await reading).equals(Buffer.from(before))).toBe(true)
    expect(engine.versions.pinCount).toBe(0)
  })

  it('says when it takes its view, which may be some turns later', async () => {
    const engine = await engineOf(10)
    const { sequence } = engine
    let begunAt = -1
    const onBegin = () => {
      begunAt = engine.sequence
    }
    // Others have used up this turn.
    readTurns.spend(1_000)
    const reading = new VertexService(engine, realClock).list(place, 'A', { onBegin })
    await engine.commit(new FrameBuilder(catalog).vertex('A', 'late', { n: 1 }).finish())
    const isSeen = Buffer.from(await reading)
      .toString()
      .includes('"late"')
    expect(begunAt).toBe(isSeen ? engine.sequence : sequence)
  })

  it('ends when its time is up, naming whose limit it was', async () => {
    const engine = await engineOf(5_000)
    const service = new VertexService(engine, slowClock(400))
    for (const [limits, code] of [
      [{ timeoutMs: 900 }, 'REST-3000'],
      [{ timeoutSeconds: 1 }, 'REST-3001'],
      [{}, 'REST-3002'],
    ] as const) {
      const answer = service.list(place, 'A', { sort: 'n', ...limits })
      await expect(answer).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
        details: { contractCode: code },
      })
    }
  })

  it('waits for writes that were answered before they were applied', async () => {
    const engine = await engineWith(catalog, new SlowStore())
    const frame = new FrameBuilder(catalog).vertex('A', 'late', { n: 1 }).finish()
    await engine.commit(frame, { ack: 'none' })
    expect(engine.earlyAnswered).not.toBeNull()
    const bytes = await new VertexService(engine, realClock).readOne(place, 'A', 'late')
    expect(Buffer.from(bytes).toString()).toContain('"late"')
    expect(engine.earlyAnswered).toBeNull()
  })
})

/** Answers late, as a disk does. */
class SlowStore extends MemoryStore {
  override async append(payload: Uint8Array): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 10))
    return super.append(payload)
  }
}
