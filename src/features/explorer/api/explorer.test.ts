import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { edgeKey, type SceneEdge } from '../model/scene.ts'
import { parallelEdgesQuery } from './explorer.ts'

it('keeps any key of a map and all of its digits when edges are read again', async () => {
  const ends = { type: 'Pays', from: 'A 1', to: 'A 2', directed: true, discriminator: '' }
  const edge = (attributes: string): SceneEdge => ({
    ...ends,
    key: edgeKey(ends),
    attributes: parseLossless(attributes) as Record<string, unknown>,
  })
  const client = new QueryClient()
  const query = parallelEdgesQuery('g', edge('{}'))
  const read = (attributes: string) =>
    client.fetchQuery({ ...query, staleTime: 0, queryFn: () => [edge(attributes)] })
  await read('{"m":{"a":1,"__proto__":9007199254740993}}')
  const [again] = await read('{"m":{"a":2,"__proto__":9007199254740993}}')
  expect(Object.entries(again?.attributes?.['m'] as object)).toEqual([
    ['a', 2],
    ['__proto__', 9007199254740993n],
  ])
})
