import { expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { missedAttributes, unusedMs } from './index-marks.ts'
import { indexRows } from './indexes.ts'

const HOUR = 3_600_000

it('an index without a hit is unused once it was watched for an hour', () => {
  expect(unusedMs({ since: 0, createdAt: null, now: HOUR - 1 })).toBeNull()
  expect(unusedMs({ since: 0, createdAt: null, now: HOUR })).toBe(HOUR)
})

it('an index that is younger than the count is watched since it was made', () => {
  expect(unusedMs({ since: 0, createdAt: 3 * HOUR, now: 3.5 * HOUR })).toBeNull()
  expect(unusedMs({ since: 0, createdAt: 3 * HOUR, now: 5 * HOUR })).toBe(2 * HOUR)
  expect(unusedMs({ since: 4 * HOUR, createdAt: HOUR, now: 5 * HOUR })).toBe(HOUR)
})

const scan = (vertex: string, attribute: string, scans: number) => ({
  vertex,
  attribute,
  scans,
  lastScannedAt: 7,
})
const rows = indexRows([{ Person: [{ index: 'by_name', attribute: 'name' }] }], sampleSchema)
const counts = new Map([
  ['Person', 5_000],
  ['Company', 10],
])

it('what spares the most vertices comes first, with the name of its index and the cost', () => {
  const missed = [scan('Company', 'sector', 40), scan('Person', 'age', 3)]
  expect(missedAttributes(missed, { schema: sampleSchema, rows, counts })).toEqual([
    {
      ...scan('Person', 'age', 3),
      attributeType: 'UINT',
      indexName: 'Person_age_index',
      vertexCount: 5_000,
      isSmall: false,
    },
    {
      ...scan('Company', 'sector', 40),
      attributeType: 'STRING',
      indexName: 'Company_sector_index',
      vertexCount: 10,
      isSmall: true,
    },
  ])
})

it('attributes with an index by now, or that the schema lost, are left out', () => {
  const missed = [scan('Person', 'name', 9), scan('Person', 'gone', 9), scan('Gone', 'age', 9)]
  expect(missedAttributes(missed, { schema: sampleSchema, rows, counts })).toEqual([])
})

it('nothing is called small while the counts are not read', () => {
  const context = { schema: sampleSchema, rows, counts: undefined }
  expect(missedAttributes([scan('Company', 'sector', 1)], context)).toMatchObject([
    { vertexCount: undefined, isSmall: false },
  ])
})
