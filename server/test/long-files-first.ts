/**
 * The order of test files: those that take long first, so that no worker is left alone with one at the end. A fresh
 * checkout knows no durations, and by size, as vitest orders files otherwise, some of the longest come last.
 */
import { statSync } from 'node:fs'
import type { TestSequencer, TestSpecification } from 'vitest/node'

/** From 13 s on, in a whole run on two cores. */
const longFiles = [
  'shared-store/rounds',
  'queries/queries',
  'crash/transfer-crash',
  'conformance/sqlite-store',
  'api/readme',
  'api/package',
  'api/program-places',
  'crash/loading-crash',
  'crash/postgres-statements',
  'crash/soak',
  'api/held-stop',
  'api/start',
  'model/model',
  'crash/server-crash',
  'api/interrupted-imports',
  'crash/schema-crash',
  'crash/store-crash',
  'api/query-attacks',
  'api/documentation',
  'crash/large-upserts',
  'api/large-scripts',
  'api/real-errors',
  'api/content-coding',
  'api/program',
  'conformance/postgres-store',
  'api/loading-runs',
]

export class LongFilesFirst implements TestSequencer {
  sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = files.map((file) => ({ file, place: placeOf(file), size: sizeOf(file) }))
    ordered.sort((a, b) => a.place - b.place || b.size - a.size)
    return Promise.resolve(ordered.map(({ file }) => file))
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files)
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((name) => moduleId.endsWith(`/server/test/${name}.test.ts`))
  return place < 0 ? longFiles.length : place
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size
}
