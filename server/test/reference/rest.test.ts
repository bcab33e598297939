/** docs/reference/rest.md is what the contract says; mended by `node server/tools/reference/rest.ts`. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  endpointsByFile,
  headingOf,
  restFile,
  restReference,
} from '../../tools/reference/rest-page.ts'
import { shapeText } from '../../tools/reference/shape-text.ts'

describe('docs/reference/rest.md', () => {
  it('is what the contract and its notes say', async () => {
    const isSame = readFileSync(restFile, 'utf8') === (await restReference())
    expect(isSame, 'write it anew: node server/tools/reference/rest.ts').toBe(true)
  })

  it('has one section for each endpoint', async () => {
    const endpoints = [...(await endpointsByFile()).values()].flat()
    expect(endpoints.length).toBeGreaterThan(150)
    const headings = endpoints.map(headingOf)
    expect(new Set(headings).size).toBe(headings.length)
    const lines = new Set(readFileSync(restFile, 'utf8').split('\n'))
    expect(headings.filter((heading) => !lines.has(`### ${heading}`))).toEqual([])
  })
})

describe('shapes as text', () => {
  it('show optional fields, limits, alternatives, maps and lists', () => {
    const text = { type: 'string', maxLength: 5 }
    const properties = {
      a: text,
      b: { type: 'array', items: { anyOf: [{ type: 'integer' }, { const: 'x' }] } },
      'c-d': { type: 'object', additionalProperties: { type: 'boolean' } },
    }
    expect(shapeText({ type: 'object', properties, required: ['a'] })).toBe(
      '{ a: string (at most 5 characters); b?: (integer | "x")[]; "c-d"?: { [name]: boolean } }',
    )
  })

  it('break objects that are too long for a line, and write names instead of known ones', () => {
    const properties = Object.fromEntries(
      ['one', 'two', 'three'].map((name) => [`${name}${'x'.repeat(30)}`, { type: 'string' }]),
    )
    const long = { type: 'object', properties, required: Object.keys(properties) }
    expect(shapeText(long).split('\n')).toHaveLength(5)
    const names = new Map([[JSON.stringify(long), 'Long']])
    expect(shapeText({ type: 'array', items: long }, names)).toBe('Long[]')
  })
})
