import { describe, expect, it } from 'vitest'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import type { AdjacencyView } from '../view.ts'
import { type MergeJob, mergeAdjacency } from './merge.ts'
import { workerMergeRunner } from './merge-runner.ts'

const catalog = catalogOf(
  [vertexType(1, 'V')],
  [edgeType(2, 'E', [1, 1], { attributes: attributes({ w: 'DOUBLE' }) })],
)

/** A base of three edges, a delta of two. */
async function job(): Promise<MergeJob> {
  const engine = await engineWith(catalog)
  const edges = (pairs: readonly (readonly [string, string])[]) => {
    const frame = new FrameBuilder(catalog)
    for (const [from, to] of pairs) frame.edge('E', [from, to], { w: Number(to) + 0.5 })
    return engine.commit(frame.finish())
  }
  await edges([
    ['1', '2'],
    ['1', '3'],
    ['3', '1'],
  ])
  await engine.rebuild()
  await edges([
    ['1', '4'],
    ['2', '3'],
  ])
  const view = engine.view()
  const { rowCount } = view.vertexTables[0]!
  const adjacency = view.edgeTables[0]!.adjacencies[0]!
  return { adjacency, fromCount: rowCount, toCount: rowCount, fromRows: null, toRows: null }
}

/** The same targets at a place of a buffer that 32 bits do not reach. */
function farAway({ outTargets }: AdjacencyView): Uint32Array<SharedArrayBuffer> {
  const start = 2 ** 32 + 64
  const far = new Uint32Array(
    new SharedArrayBuffer(start + outTargets.byteLength),
    start,
    outTargets.length,
  )
  far.set(outTargets)
  return far
}

const entry = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const port = "import { parentPort } from 'node:worker_threads'\n"

describe('a rebuild', () => {
  it('that runs when rebuilds are ended fails soon, and no other begins', async () => {
    const engine = await openEngine(undefined, { inlineMergeSizeMax: 0 })
    await engine.changeCatalog(() => catalog)
    const frame = new FrameBuilder(catalog)
    for (let i = 0; i < 5_000; i++) frame.edge('E', [`${i}`, `${i >> 3}`], { w: i })
    await engine.commit(frame.finish())
    const refused = {
      code: 'UNAVAILABLE',
      message: 'The rebuild was ended: the server is shutting down or reads the graph again.',
    }
    const running = expect(engine.rebuild()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect.poll(() => engine.rebuildProgress?.step, { interval: 1 }).toBe('merging')
    await engine.endRebuilds()
    await running
    await expect(engine.rebuild()).rejects.toMatchObject(refused)
    expect(engine.view().vertexTables[0]!.liveCount).toBe(5_000)
    await engine.close()
  })
})

describe('the thread of a rebuild', () => {
  it('merges arrays that lie beyond 4 GiB of their buffer', async () => {
    const near = await job()
    const adjacency = { ...near.adjacency, outTargets: farAway(near.adjacency) }
    const runner = workerMergeRunner()
    const merged = await runner.merge({ ...near, adjacency })
    await runner.close()
    expect(merged).toEqual(mergeAdjacency(near))
    expect(merged.base.count).toBe(5)
  })

  it('fails its job with an error of memory when there is none', async () => {
    const runner = workerMergeRunner()
    const merging = runner.merge({ ...(await job()), toCount: 2 ** 50 })
    await expect(merging).rejects.toMatchObject({ code: 'MEMORY_LIMIT' })
    await runner.close()
  })

  it.each([
    ['ends', `${port}parentPort.on('message', () => process.exit(0))`, 'has ended'],
    ['throws', `${port}parentPort.on('message', () => { throw new Error('broken') })`, 'failed'],
    ['cannot be started', 'import "./nothing-here.js"', 'failed'],
  ])('fails its job when it %s', async (_what, code, message) => {
    const runner = workerMergeRunner(entry(code))
    await expect(runner.merge(await job())).rejects.toThrow(`The rebuild thread ${message}.`)
    await expect(runner.merge(await job())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await runner.close()
  })

  it('that never answers is stopped, and its job fails', async () => {
    const runner = workerMergeRunner(entry(`${port}parentPort.on('message', () => { for (;;); })`))
    const merging = runner.merge(await job())
    const failed = expect(merging).rejects.toThrow('The rebuild thread was stopped.')
    await runner.close()
    await failed
  })
})
