import { expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { orderNames } from './neighbour-orders.ts'

it('offers what has an order, of the edge first, each name once', () => {
  expect(orderNames(sampleSchema, { edgeType: 'Works_At', targetType: 'Person' })).toEqual([
    ...['pay', 'pid', 'name', 'age'],
  ])
  expect(orderNames(sampleSchema, { edgeType: 'Gone', targetType: 'Gone' })).toEqual([])
  expect(orderNames(undefined, { edgeType: 'Knows', targetType: 'Person' })).toEqual([])
})
