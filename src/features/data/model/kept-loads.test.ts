import { describe, expect, it, vi } from 'vitest'
import { elapsedOf, KeptLoads } from './kept-loads.ts'
import type { LoadProgress } from './loader.ts'

const progress = (state: LoadProgress['state']): LoadProgress => ({
  state,
  bytesRead: 0,
  rowsRead: 0,
  rowsSent: 0,
  acceptedVertices: 0,
  acceptedEdges: 0,
  skipped: 0,
  createdEndpoints: 0,
  defaulted: new Map(),
  rejectedCount: 0,
  rejected: [],
  failure: null,
})

const loaderOf = () => ({ pause: vi.fn(), resume: vi.fn(), stop: vi.fn() })

function started(loads: KeptLoads, graph: string, now: number) {
  const loader = loaderOf()
  loads.put(graph, {
    file: new File(['a'], 'a.csv'),
    source: { kind: 'payloads' },
    loader,
    progress: progress('running'),
    written: [],
    beforeMs: 0,
    since: now,
    heldAt: null,
  })
  return loader
}

describe('loads that are kept beside the page', () => {
  it('are one per graph, and tell who listens', () => {
    const loads = new KeptLoads()
    const listener = vi.fn()
    const stop = loads.subscribe(listener)
    const loader = started(loads, 'g', 0)
    expect(loads.isRunning).toBe(true)
    expect(loads.of('h')).toBeUndefined()
    loads.note('g', loader, progress('done'), 10)
    expect(listener).toHaveBeenCalledTimes(2)
    expect(loads.isRunning).toBe(false)
    stop()
    loads.drop('g')
    expect(listener).toHaveBeenCalledTimes(2)
    expect(loader.stop).toHaveBeenCalledOnce()
  })

  it('count the time on the way, and no pauses', () => {
    const loads = new KeptLoads()
    const loader = started(loads, 'g', 1_000)
    expect(elapsedOf(loads.of('g')!, 1_400)).toBe(400)
    loads.note('g', loader, progress('paused'), 1_500)
    expect(elapsedOf(loads.of('g')!, 9_000)).toBe(500)
    expect(loads.isRunning).toBe(true)
    loads.note('g', loader, progress('running'), 9_000)
    loads.note('g', loader, progress('running'), 9_100)
    expect(elapsedOf(loads.of('g')!, 9_200)).toBe(700)
    loads.note('g', loader, progress('done'), 9_300)
    expect(elapsedOf(loads.of('g')!, 99_000)).toBe(800)
  })

  it('count the time of what arrives after a pause began', () => {
    const loads = new KeptLoads()
    const loader = started(loads, 'g', 0)
    const paused = (rowsSent: number) => ({ ...progress('paused'), rowsSent })
    loads.note('g', loader, paused(0), 1_000)
    loads.note('g', loader, paused(0), 1_500)
    loads.note('g', loader, paused(2_000), 2_000)
    expect(elapsedOf(loads.of('g')!, 9_000)).toBe(2_000)
    loads.note('g', loader, { ...progress('running'), rowsSent: 2_000 }, 9_000)
    loads.note('g', loader, { ...progress('done'), rowsSent: 4_000 }, 9_500)
    expect(elapsedOf(loads.of('g')!, 99_000)).toBe(2_500)
  })

  it('do not hear a loader whose place another has taken', () => {
    const loads = new KeptLoads()
    const first = started(loads, 'g', 0)
    started(loads, 'g', 5)
    loads.note('g', first, progress('stopped'), 10)
    expect(loads.of('g')?.progress.state).toBe('running')
  })
})
