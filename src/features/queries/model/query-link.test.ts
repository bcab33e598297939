import { expect, it } from 'vitest'
import { packText } from '#lib/packed-text.ts'
import { packQuery, unpackQuery } from './query-link.ts'

const shared = {
  name: 'rank',
  text: 'CREATE QUERY rank() { PRINT "ä 🙂"; }',
  parameters: [['top', '708663653625634816']],
} as const

it('comes back as it was packed', async () => {
  const fragment = await packQuery(shared)
  expect(fragment).toMatch(/^query=[\w-]+$/)
  expect(await unpackQuery(`#${fragment}`)).toEqual(shared)
  expect(await unpackQuery(await packQuery({ ...shared, text: null }))).toEqual({
    ...shared,
    text: null,
  })
})

it('is nothing in an address that holds none, or a broken one', async () => {
  const fragment = await packQuery(shared)
  for (const odd of ['', '#', '#scene=abc', '#query=', fragment.slice(0, -9)]) {
    expect(await unpackQuery(odd), odd).toBeNull()
  }
  for (const value of [3, null, {}, { ...shared, text: 3 }, { ...shared, parameters: [[1]] }]) {
    expect(await unpackQuery(await packText('query', JSON.stringify(value)))).toBeNull()
  }
})
