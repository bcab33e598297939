import { expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { guessMapping } from './mapping.ts'
import {
  editableParts,
  type RejectedSource,
  recordsOf,
  rejectedRows,
  sourceWith,
} from './rejected-rows.ts'

const columns = ['note', 'pid', 'age']
const csv: RejectedSource = {
  kind: 'csv',
  reading: {
    delimiter: ',',
    encoding: 'utf-8',
    hasHeader: true,
    columns,
    nullText: '',
    mapping: guessMapping(sampleSchema, findVertex(sampleSchema, 'Person')!, columns),
  },
}
const rejected = [{ row: 7, reason: 'age: “-1” is not a valid UINT', source: ['n', '1', '-1'] }]

it('tells while a row is edited whether it would be taken', () => {
  const rowsWith = (age: string) =>
    rejectedRows(rejected, new Map([[7, sourceWith(['n', '1', '-1'], 2, age)]]), csv)
  expect(rowsWith('12')).toMatchObject([{ isEdited: true, problem: null }])
  expect(rowsWith('x')).toMatchObject([{ isEdited: true, problem: 'age: “x” is not a valid UINT' }])
  expect(rowsWith('-1')).toMatchObject([{ isEdited: false, problem: rejected[0]?.reason }])
})

it('offers the columns that are loaded', () => {
  expect(editableParts(csv, rejected)).toEqual([
    { label: 'pid', place: 1 },
    { label: 'age', place: 2 },
  ])
  expect(editableParts({ kind: 'payloads' }, rejected)).toEqual([{ label: 'Line', place: 0 }])
  const wide = [{ row: 1, reason: 'has 4 cells instead of 3', source: ['n', '1', '2', 'z'] }]
  expect(editableParts(csv, wide).at(-1)).toEqual({ label: 'surplus cell 4', place: 3 })
  const mended = rejectedRows(wide, new Map([[1, sourceWith(['n', '1', '2', 'z'], 3, '')]]), csv)
  expect(mended).toMatchObject([{ isEdited: true, problem: null }])
})

it('mends lines of JSON as a whole', () => {
  const line = [{ row: 1, reason: 'not JSON', source: '{' }]
  const rows = rejectedRows(line, new Map([[1, '{}']]), { kind: 'payloads' })
  expect(rows).toMatchObject([{ source: '{}', isEdited: true, problem: null }])
})

it('fills a short record up to the cell that is written', () => {
  expect(sourceWith(['a'], 2, 'c')).toEqual(['a', '', 'c'])
})

it('does not load a guess of a damaged row that nobody has mended', () => {
  const damaged = [
    { row: 3, reason: 'has text behind a closing quote', source: ['n', '1', '2'], isGuess: true },
  ]
  const problems = (edits: ReadonlyMap<number, readonly string[]>) =>
    recordsOf(rejectedRows(damaged, edits, csv)).map(({ problem }) => problem)
  expect(problems(new Map())).toEqual(['has text behind a closing quote'])
  expect(problems(new Map([[3, ['n', '1', '3']]]))).toEqual([null])
  expect(recordsOf(rejected)).toMatchObject([{ row: 7, problem: null }])
})
