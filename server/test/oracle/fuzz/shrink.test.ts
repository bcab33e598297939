import { describe, expect, it } from 'vitest'
import { choice, type Doc, doc, list, optional, smallerDocs, textOf } from './doc.ts'
import { fuzz, type Mode, plainMode } from './fuzzing.ts'
import { linesOf, parseLines } from './graph-spec.ts'

describe('a text that can be made smaller', () => {
  const where: Doc = optional(doc` WHERE ${choice('(a AND b)', 'a', 'b')}`)
  const whole = doc`SELECT ${list(['x', 'y', 'z'], ', ', 1)}${where}`

  it('is the text that it was made of', () => {
    expect(textOf(whole)).toBe('SELECT x, y, z WHERE (a AND b)')
  })

  it('loses items, parts and operands, one place at a time', () => {
    expect([...smallerDocs(whole)].map(textOf)).toEqual([
      'SELECT z WHERE (a AND b)',
      'SELECT x, y WHERE (a AND b)',
      'SELECT y, z WHERE (a AND b)',
      'SELECT x, z WHERE (a AND b)',
      'SELECT x, y WHERE (a AND b)',
      'SELECT x, y, z',
      'SELECT x, y, z WHERE a',
      'SELECT x, y, z WHERE b',
    ])
  })
})

describe('the fuzzer', () => {
  /** A mode that counts one too many wherever a query has an accumulator of averages. */
  const faulty: Mode = {
    name: 'with a planted fault',
    every: 1,
    runner: (engine) => {
      const run = plainMode.runner(engine)
      return async (prepared) => {
        const given = await run(prepared)
        const { globalAccums, vertexAccums } = prepared.plan.query
        const isHit = [...globalAccums, ...vertexAccums].some(
          ({ type }) => type.kind === 'AvgAccum',
        )
        return isHit && given.kind === 'answer' ? { kind: 'answer', results: '[]' } : given
      }
    },
  }

  it('finds a planted fault and makes it small', { timeout: 120_000 }, async () => {
    const { differences } = await fuzz({
      seed: 1,
      queryCount: 200,
      queriesPerGraph: 10,
      modes: [faulty],
      shrinkMs: 20_000,
      differencesMax: 1,
    })
    expect(differences).toHaveLength(1)
    const lines = differences[0]!.split('\n')
    const query = lines.find((line) => line.startsWith('>'))
    expect(query).toContain('AvgAccum')
    expect(query!.length, query).toBeLessThan(160)
    const graph = parseLines(lines)
    expect(graph?.operations.length, differences[0]).toBe(0)
    expect(graph?.vertices).toHaveLength(1)
    expect(linesOf(graph!)).toEqual(lines.filter((line) => line.startsWith('!')))
  })
})
