import { expect, it } from 'vitest'
import type { SlowRunDetails } from '../api/slow-runs.ts'
import { planLines } from './plan-words.ts'

const start = {
  alias: 's',
  types: ['Account'],
  source: 'all',
  conditions: 0,
  indexes: [],
  estimatedScan: 10,
  estimatedRows: 10,
}

const hop = {
  from: 's',
  to: 't',
  toTypes: ['Account'],
  edges: [{ type: 'Transfer', direction: 'out' }],
  method: 'push',
  estimatedEdges: 70,
}

const step = (select: object | null, result: string | null = null) =>
  ({
    id: 1,
    line: 4,
    depth: 1,
    statement: 'SELECT',
    result,
    select,
  }) as unknown as SlowRunDetails['steps'][number]

it('says where a statement begins and how it goes on', () => {
  const ways = planLines([
    step({ start, hops: [hop, { ...hop, toTypes: [], edges: [] }] }, 'Start'),
    step({ start: { ...start, indexes: ['by_name'] }, hops: [] }),
    step({ start: { ...start, types: [], source: 'Start' }, hops: [] }),
    step(null),
  ])
  expect(ways.map(({ statement, way, edges }) => [statement, way, edges])).toEqual([
    [
      'Start = SELECT',
      'all of Account → Transfer to Account (push) → any edge to any type (push)',
      140,
    ],
    ['SELECT', 'Account by index by_name', null],
    ['SELECT', 'any type in Start', null],
    ['SELECT', '', null],
  ])
})
