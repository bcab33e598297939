// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  sessionStorage.clear()
  vi.restoreAllMocks()
  vi.resetModules()
})

const load = () => import('./own-addresses.ts')

it('an address of this tab is superseded by a later one of it, and by no other', async () => {
  const { noteAddress, isSuperseded } = await load()
  noteAddress('g', '#scene=1')
  noteAddress('g', '#scene=2')
  expect(isSuperseded('g', '#scene=1', '#scene=2')).toBe(true)
  // Another tab has written since, the address was never written here, or belongs to another graph.
  expect(isSuperseded('g', '#scene=1', '#scene=3')).toBe(false)
  expect(isSuperseded('g', '#scene=0', '#scene=2')).toBe(false)
  expect(isSuperseded('h', '#scene=1', '#scene=2')).toBe(false)
  noteAddress('g', '#scene=1')
  expect(isSuperseded('g', '#scene=2', '#scene=1')).toBe(true)
  for (let n = 3; n < 8; n++) noteAddress('g', `#scene=${n}`)
  expect(isSuperseded('g', '#scene=1', '#scene=7')).toBe(false)
  expect(isSuperseded('g', '#scene=3', '#scene=7')).toBe(true)
})

it('what the storage holds otherwise is no address', async () => {
  const { isSuperseded } = await load()
  for (const text of ['{', '{"a":1}', 'null']) {
    sessionStorage.setItem('quiver.explorer.g.addresses', text)
    expect(isSuperseded('g', '#scene=1', '#scene=1')).toBe(false)
  }
})

it.each([
  ['reload', true],
  ['navigate', false],
])('a page that came by %s says so once', async (type, expected) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as never])
  const { takeReload } = await load()
  expect([takeReload(), takeReload()]).toEqual([expected, false])
})
