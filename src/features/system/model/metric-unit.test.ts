import { describe, expect, it } from 'vitest'
import { formatterOf, seriesLabel, unitOf } from './metric-unit.ts'

const metric = (name: string, help = '', unit = '') => ({ name, help, unit })

describe('unitOf', () => {
  it.each([
    [metric('anything', '', 'seconds'), 'seconds'],
    [metric('quiver_engine_memory_used_bytes'), 'bytes'],
    [metric('process_cpu_seconds_total'), 'seconds'],
    [metric('tigergraph_cpu_available', 'Free CPU of the node in percent'), 'percent'],
    [
      metric('tigergraph_memory_usage', 'Memory usage in megabytes, an empty service …'),
      'megabytes',
    ],
    [metric('tigergraph_network_traffic', 'Bytes over all interfaces but loopback'), 'bytes'],
    [metric('quiver_queries_running', 'Queries running now'), 'none'],
  ])('of %o is %s', (family, unit) => expect(unitOf(family)).toBe(unit))
})

describe('formatterOf', () => {
  it('writes values in their unit, and counters per second', () => {
    expect(formatterOf('megabytes', false)(2048)).toBe('2 GiB')
    expect(formatterOf('percent', false)(45)).toBe('45 %')
    expect(formatterOf('bytes', true)(1024)).toBe('1 KiB/s')
    expect(formatterOf('seconds', true)(0.5)).toBe('50 %')
    expect(formatterOf('none', false)(12_300)).toBe('12.3k')
  })
})

it('a series is named by the labels that tell it apart', () => {
  expect(
    seriesLabel(
      new Map([
        ['host_id', 'm1'],
        ['service_name', 'GPE'],
      ]),
    ),
  ).toBe('service_name=GPE')
  expect(
    seriesLabel(
      new Map([
        ['host_id', 'm1'],
        ['service_name', ''],
      ]),
    ),
  ).toBe('whole node')
  expect(seriesLabel(new Map())).toBe('all')
})
