/** Each array that the reading of a payload asks for is refused once: nothing else comes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { readPayload } from './made-payload.ts'

const names = ['ArrayBuffer', 'Float64Array', 'Uint32Array', 'Uint8Array'] as const
const originals = new Map(names.map((name) => [name, globalThis[name]]))
/** Allocations that are left until one is refused. */
let left = Number.POSITIVE_INFINITY

/** A constructor that refuses one allocation of new memory. */
function refusing(original: object): object {
  return new Proxy(original, {
    construct: (target, args) => {
      const isNew = typeof args[0] === 'number' && args[0] > 0
      if (isNew && --left === 0) throw new RangeError('Array buffer allocation failed')
      return Reflect.construct(target as new (...args: unknown[]) => object, args)
    },
  })
}

beforeAll(() => {
  for (const [name, original] of originals)
    Object.assign(globalThis, { [name]: refusing(original) })
})
afterAll(() => {
  for (const [name, original] of originals) Object.assign(globalThis, { [name]: original })
})

it('is no memory for the request, and the same request is read afterwards', () => {
  const long = '"\\u00e4 and '.padEnd(200_000, 'long ')
  const entries = [`"${'k'.repeat(2_000)}":{}`, `"x":{"sector":{"value":${long}"}}`]
  const body = Buffer.from(`{"vertices":{"Company":{${entries.join(',')}}}}`)
  const wish = {
    ...{ catalog: payloadCatalog, graph: 'acme', flags: 0, chunkSizeBytes: 20_000 },
    ...{ isExport: false, wantsNames: true },
  }
  const read = () => Buffer.concat(readPayload(body, wish).payload.frames)
  const expected = read()
  let refusedCount = 0
  for (let number = 1; ; number++) {
    left = number
    let failure: unknown = null
    try {
      read()
    } catch (error) {
      failure = error
    }
    const isHit = left <= 0
    left = Number.POSITIVE_INFINITY
    if (!isHit) break
    expect(failure, `allocation ${number}`).toMatchObject({ code: 'MEMORY_LIMIT' })
    expect(read().equals(expected)).toBe(true)
    refusedCount++
  }
  expect(refusedCount).toBeGreaterThan(3)
})
