import { expect, it } from 'vitest'
import { emptyCatalog } from '#catalog/types.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { MaintenanceService } from './maintenance.ts'

const rebuilt = { isCheckpoint: true, segments: [], durationMs: 1, sequence: 0, startedMs: 0 }
const engine = {
  catalog: emptyCatalog,
  rebuildProgress: null,
  rebuild: () => Promise.resolve(rebuilt),
  deletedVertexCheck: () => ({ isPassed: true, segments: [] }),
}

it('keeps every run of several at once', async () => {
  const maintenance = new MaintenanceService({
    engine,
    vectors: { status: () => [] },
    documents: new LocalDocuments(new MemoryStore(createMemoryImage())),
    clock: testClock(),
    dataDirectory: null,
    reportDirectory: null,
    onRebuilt: () => undefined,
    onSummaryFailure: () => undefined,
  })
  const check = { vertexTypes: undefined, segmentIds: undefined, verbose: 0 }
  const rebuild = { vertexType: undefined, segmentIds: undefined, path: undefined, force: false }
  await Promise.all([
    maintenance.check(null, check),
    maintenance.rebuild('g', rebuild),
    maintenance.check(null, check),
  ])
  const kinds = (await maintenance.runs()).map(({ kind }) => kind)
  expect(kinds.sort()).toEqual(['deleted-vertex-check', 'deleted-vertex-check', 'rebuild'])
})
