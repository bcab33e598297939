import { Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { later } from './later.tsx'

const Part = ({ name }: { readonly name: string }) => <p>{`${name} is here`}</p>

function shown(load: () => Promise<typeof Part>) {
  const Later = later(load)
  const draw = () =>
    renderToString(
      <Suspense fallback="loading">
        <Later name="it" />
      </Suspense>,
    )
  return { draw, fetch: Later.fetch }
}

describe('a part that comes by itself', () => {
  it('is waited for, and drawn at once where it was fetched before', async () => {
    const load = vi.fn(async () => Part)
    const { draw, fetch } = shown(load)
    expect(draw()).toContain('loading')
    await fetch()
    expect(draw()).toContain('it is here')
    await fetch()
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is asked for again where it could not be had', async () => {
    const load = vi.fn(async () => Part)
    load.mockRejectedValueOnce(new Error('no server'))
    const { draw, fetch } = shown(load)
    await expect(fetch()).rejects.toThrow('no server')
    expect(draw()).toContain('loading')
    await fetch()
    expect(draw()).toContain('it is here')
  })
})
