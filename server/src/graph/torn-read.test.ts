import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { attributes, catalogOf, engineWith, vertexType } from '../../test/fixtures/engine.ts'
import { FrameWriter } from './mutate/frame-writer.ts'

const ROWS = 20_000
const catalog = catalogOf([vertexType(1, 'P', { attributes: attributes({ value: 'INT' }) })])

/** Sets every row to one value: a reader that sees two values has a torn view. */
function setAll(value: number): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertices(1, [{ attributeId: 1, op: 0 }])
  for (let row = 0; row < ROWS; row++) {
    writer.textKey(`row ${row}`)
    writer.int64(value, 0)
    writer.endEntry()
  }
  return writer.finish()
}

describe('a pinned view on another thread', () => {
  it('never shows a half-applied commit', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(setAll(0))
    const worker = new Worker(new URL('../../test/fixtures/scan-worker.ts', import.meta.url))
    let scans = 0
    let torn = 0
    for (let round = 1; round <= 8; round++) {
      const pinned = engine.pin()
      worker.postMessage({ table: pinned.view.vertexTables[0]!, scans: 40 })
      const answer = once(worker, 'message')
      for (let i = 0; i < 3; i++) await engine.commit(setAll(round * 10 + i))
      torn += (await answer)[0] as number
      scans += 40
      pinned.release()
    }
    await worker.terminate()
    expect(scans).toBe(320)
    expect(torn).toBe(0)
    expect(engine.memory().copiedPagesBytes).toBe(0)
  })
})
