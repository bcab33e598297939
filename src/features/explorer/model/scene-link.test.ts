import { expect, it } from 'vitest'
import { packScene, unpackScene } from './scene-link.ts'

it('a scene survives the way through an address', async () => {
  const text = JSON.stringify({
    version: 1,
    vertices: ['Person é😀', 'A b/c%20&#?'],
    n: 'x'.repeat(9e4),
  })
  const packed = await packScene(text)
  expect(packed).toMatch(/^scene=[\w-]+$/)
  expect(packed.length).toBeLessThan(1_000)
  expect(await unpackScene(`#${packed}`)).toBe(text)
})

it('another or a broken fragment is no scene', async () => {
  const packed = await packScene('{"version":1}')
  expect(await unpackScene('')).toBeNull()
  expect(await unpackScene('#top')).toBeNull()
  expect(await unpackScene('#scene=!!!')).toBeNull()
  expect(await unpackScene(packed.slice(0, -8))).toBeNull()
})
