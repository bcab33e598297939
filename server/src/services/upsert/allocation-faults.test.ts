/** Each array that the reading of a payload asks for is refused once: nothing else comes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { RefusedMemory } from '../../../test/fixtures/refused-memory.ts'
import { readFailureOf, readPayload } from './made-payload.ts'

let memory: RefusedMemory

beforeAll(() => {
  memory = new RefusedMemory(['ArrayBuffer', 'Float64Array', 'Uint32Array', 'Uint8Array'])
})
afterAll(() => memory.restore())

it('is no memory for the request, and the same request is read afterwards', () => {
  const long = '"\\u00e4 and '.padEnd(200_000, 'long ')
  const entries = [`"${'k'.repeat(2_000)}":{}`, `"x":{"sector":{"value":${long}"}}`]
  const body = Buffer.from(`{"vertices":{"Company":{${entries.join(',')}}}}`)
  const options = {
    ...{ catalog: payloadCatalog, graph: 'acme', flags: 0, chunkSizeBytes: 20_000 },
    ...{ isExport: false, wantsNames: true },
  }
  const read = () => Buffer.concat(readPayload(body, options).payload.frames)
  const expected = read()
  let refusedCount = 0
  for (let number = 1; ; number++) {
    memory.left = number
    let failure: unknown = null
    try {
      read()
    } catch (error) {
      failure = error
    }
    const isHit = memory.left <= 0
    memory.left = Number.POSITIVE_INFINITY
    if (!isHit) break
    expect(failure, `allocation ${number}`).toMatchObject({ code: 'MEMORY_LIMIT' })
    expect(read().equals(expected)).toBe(true)
    refusedCount++
  }
  expect(refusedCount).toBeGreaterThan(3)
})

it('a fault of the program is not reported as a lack of memory', () => {
  for (const message of ['Maximum call stack size exceeded', 'Offset is outside the bounds']) {
    const fault = new RangeError(message)
    expect(readFailureOf(fault)).toBe(fault)
  }
  let refused: unknown
  try {
    new ArrayBuffer(Number.MAX_SAFE_INTEGER)
  } catch (error) {
    refused = error
  }
  expect(readFailureOf(refused)).toMatchObject({ code: 'MEMORY_LIMIT' })
})
