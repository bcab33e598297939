import { describe, expect, it } from 'vitest'
import type { MachineSample } from './machine.ts'
import { Monitor } from './monitor.ts'

/** A machine of which every second is busy for as many percent as `load` says. */
function fakeMachine() {
  const state = { nowMs: 1_000_000, load: 0, cpuTotalMs: 0, cpuIdleMs: 0 }
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
    lastMinute: () => [],
    dataDirectory: null,
  })
  return { state, pass, monitor }
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
})
