/**
 * Damaged payloads against `JSON.parse`: what the reader takes is JSON, what it calls malformed is
 * not, and nothing else than an error of ours ever comes out of it. A failure prints its seed.
 */
import { isUtf8 } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { type DbError, isDbError } from '#kernel/errors.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { PayloadParser } from './payload-parser.ts'
import { payloadPlan } from './payload-plan.ts'
import { checkUtf8 } from './utf8.ts'

const seed = Buffer.from(`{ "vertices": { "Person": { "7": {
  "name": {"value": "A\\u00e9\\n😀"}, "age": {"value": 18446744073709551615, "op": "+"},
  "score": {"value": -1.25e-3}, "active": {"value": true}, "joined": {"value": "2024-03-01 09:30:00"},
  "langs": {"value": ["en", "fr"]}, "tags": {"value": ["b", "a"]},
  "phones": {"value": {"keylist": ["h"], "valuelist": ["1"]}},
  "home": {"value": {"keylist": ["street", "no"], "valuelist": ["Elm", 5]}} }, "8": {} } },
 "edges": { "Company": { "c": { "Pays": { "Person": { "7": [
  { "month": {"value": "1"}, "amount": {"value": 10} }, { "month": {"value": "2"} } ] } },
  "Employs": { "Person": { "7": { "pay": {"op": "max", "value": 0.5} } } } } } } }`)

const pieces = ['{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', '.', 'e', 'null', ' ', '\u0001']

function damaged(random: Random): Buffer {
  let body = Buffer.from(seed)
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(body.length)
    const kind = random.below(5)
    if (kind === 0) body = Buffer.concat([body.subarray(0, at), body.subarray(at + 1)])
    else if (kind === 1) body[at] = random.below(256)
    else if (kind === 2) body = body.subarray(0, at)
    else {
      const piece = Buffer.from(pieces[random.below(pieces.length)]!)
      body = Buffer.concat([body.subarray(0, at), piece, body.subarray(at + (kind === 3 ? 1 : 0))])
    }
    if (body.length === 0) return body
  }
  return body
}

function outcome(body: Buffer): 'taken' | DbError {
  try {
    checkUtf8(body, 0, body.length)
    const plan = payloadPlan(payloadCatalog, 'acme')
    const parser = new PayloadParser(body, plan, { flags: 0, chunkSizeBytes: 64 })
    while (!parser.run(parser.at + 16));
    parser.finish()
    return 'taken'
  } catch (error) {
    if (isDbError(error)) return error
    throw error
  }
}

function isJson(body: Buffer): boolean {
  if (!isUtf8(body)) return false
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
}

describe('a damaged payload', () => {
  it('is never taken for what it is not', () => {
    const counts = { taken: 0, malformed: 0, invalid: 0 }
    for (let number = 1; number <= 20_000; number++) {
      const body = damaged(createRandom(number))
      const result = outcome(body)
      const name = `seed ${number}: ${body.toString()}`
      if (result === 'taken') {
        counts.taken++
        expect(isJson(body), name).toBe(true)
      } else if (result.code === 'INVALID_JSON') {
        counts.malformed++
        expect(isJson(body), name).toBe(false)
      } else {
        counts.invalid++
        expect(result.code, name).toBe('INVALID_PAYLOAD')
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(300)
  })
})
