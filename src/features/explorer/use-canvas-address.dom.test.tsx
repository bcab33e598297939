// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { addElements, emptyScene, vertexKey } from './model/scene.ts'
import { useCanvasAddress } from './use-canvas-address.ts'
import type { Explorer } from './use-explorer.ts'

/** Scenes that wait to be packed: a test ends each of them. */
const packing: ((packed: string) => void)[] = []
vi.mock('./model/scene-link.ts', async (actual) => ({
  ...(await actual<typeof import('./model/scene-link.ts')>()),
  packScene: () => new Promise<string>((resolve) => packing.push(resolve)),
}))

const vertices = ['a', 'b', 'c'].map((id) => {
  return { key: vertexKey('T', id), type: 'T', id, attributes: null }
})
const scene = addElements(emptyScene, { vertices, edges: [] })
const canvas = { current: null }
const client = new QueryClient()

function Canvas({ selected }: { readonly selected: number }) {
  const selection = [vertices[selected]?.key ?? '']
  const explorer = { scene, selection, grouped: { groups: new Map() } } as unknown as Explorer
  useCanvasAddress('g', explorer, canvas)
  return null
}

const shown = (selected: number) => (
  <QueryClientProvider client={client}>
    <MemoryRouter>
      <Canvas selected={selected} />
    </MemoryRouter>
  </QueryClientProvider>
)
const passDelay = () => act(() => vi.advanceTimersByTimeAsync(400))
const endPacking = (index: number) => act(async () => packing[index]?.('scene=x'))

beforeEach(() => {
  vi.useFakeTimers()
  packing.length = 0
  window.history.replaceState(null, '', '/ui/explorer')
})

afterEach(() => {
  unmountAll()
  vi.useRealTimers()
})

it.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
])('the address has the last selection when the older scene is packed %s', async (_, order) => {
  const { rerender } = mount(shown(0))
  await passDelay()
  rerender(shown(1))
  await passDelay()
  expect(packing).toHaveLength(2)
  for (const index of order) await endPacking(index)
  expect(window.location.hash).toBe('#scene=x&selected=1')
})

it('the address follows each change', async () => {
  const { rerender } = mount(shown(0))
  await passDelay()
  await endPacking(0)
  expect(window.location.hash).toBe('#scene=x&selected=0')
  rerender(shown(2))
  await passDelay()
  await endPacking(1)
  expect(window.location.hash).toBe('#scene=x&selected=2')
})
