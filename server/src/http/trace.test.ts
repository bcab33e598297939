import { describe, expect, it } from 'vitest'
import { traceIdOf } from './trace.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

describe('traceparent', () => {
  it.each([
    `00-${trace}-${parent}-01`,
    ` 00-${trace}-${parent}-00`,
    `cc-${trace}-${parent}-01-more`,
  ])('names the trace: %s', (traceparent) => {
    expect(traceIdOf({ traceparent })).toBe(trace)
  })

  it.each([
    '',
    trace,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    `cc-${trace}-${parent}-01-${'x'.repeat(1_000)}`,
  ])('is ignored when it is none: %s', (traceparent) => {
    expect(traceIdOf({ traceparent })).toBeNull()
  })
})
