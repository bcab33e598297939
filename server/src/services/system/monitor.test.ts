import { describe, expect, it } from 'vitest'
import type { MachineSample } from './machine.ts'
import { Monitor } from './monitor.ts'
import { RATE_NAMES_MAX } from './packed-rates.ts'

/** A machine of which every second is busy for as many percent as `load` says. */
function fakeMachine() {
  const state = { nowMs: 1_000_000, load: 0, cpuTotalMs: 0, cpuIdleMs: 0 }
  const requests: { key: string; completed: number }[] = []
  const pass = (ms: number) => {
    state.nowMs += ms
    state.cpuTotalMs += ms
    state.cpuIdleMs += (ms * (100 - state.load)) / 100
  }
  const machine = (): MachineSample => ({
    cpuTotalMs: state.cpuTotalMs,
    cpuIdleMs: state.cpuIdleMs,
    coreCount: 1,
    processCpuMs: 0,
    memoryTotalBytes: 0,
    memoryAvailableBytes: 0,
    processMemoryBytes: 0,
    eventLoopBusyMs: 0,
    disk: null,
    network: null,
  })
  const monitor = new Monitor({
    clock: { nowMs: () => state.nowMs, monotonicMs: () => state.nowMs },
    machine,
    connectionCount: () => 0,
    lastMinute: () => requests,
    dataDirectory: null,
  })
  return { state, pass, monitor, requests }
}

const nothing = { fromNs: null, toNs: null, latest: null }

describe('Monitor', () => {
  it('measures anew for who asks each second, and tells of that second', () => {
    const { state, pass, monitor } = fakeMachine()
    pass(1_000)
    expect(monitor.latest().cpuUsage).toBe(0)
    state.load = 80
    pass(1_000)
    expect(monitor.latest().cpuUsage).toBeCloseTo(80)
    pass(100)
    expect(monitor.latest().atMs).toBe(state.nowMs - 100)
  })

  it('keeps only what the timer took', () => {
    const { state, pass, monitor } = fakeMachine()
    const kept = () => monitor.history('cpu-memory', nothing)['CPUMemoryMetrics']
    const before = kept()?.length
    for (let second = 0; second < 4; second++) {
      pass(1_000)
      monitor.latest()
    }
    expect(kept()).toHaveLength(before ?? 0)
    state.load = 50
    pass(5_000)
    expect(monitor.sample().cpuUsage).toBeGreaterThan(0)
    expect(kept()).toHaveLength((before ?? 0) + 1)
    expect(monitor.latest().atMs).toBe(state.nowMs)
  })
  it('gives the rates of each sample in its order, whatever names came before', () => {
    const { pass, monitor, requests } = fakeMachine()
    const wanted: unknown[] = []
    for (const [from, count] of [
      [0, 3],
      [1, RATE_NAMES_MAX],
      [2, 4],
    ] as const) {
      pass(5_000)
      requests.length = 0
      for (let i = from + count - 1; i >= from; i--)
        requests.push({ key: `GET /${i}`, completed: i })
      expect(monitor.sample().qps).toEqual(
        requests.map(({ key }, i) => ({ key, qps: requests[i]!.completed / 60 })),
      )
      wanted.unshift(
        ...requests.map(({ key, completed }) => ({ Endpoint: key, QPS: completed / 60 })),
      )
    }
    expect(monitor.latest().qps).toHaveLength(4)
    const rows = monitor.history('qps', nothing)['QPSMetrics'] as { QPS: unknown }[]
    expect(rows.map(({ QPS }) => QPS)).toEqual(wanted)
  })
})
