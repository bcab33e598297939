import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { lex } from '#query/syntax/lexer.ts'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { parseGolden, queryText } from '../../../test/queries/golden.ts'
import { compileFrontEnd } from './compile.ts'

const directory = join(import.meta.dirname, '../../../test/queries')
const texts = readdirSync(directory)
  .filter((name) => name.endsWith('.golden'))
  .flatMap((name) => parseGolden(readFileSync(join(directory, name), 'utf8')))
  .map(({ query }) => queryText(query).text)

const seed = Number(process.env['QUIVER_SEED'] ?? 20_261)

/** Drops, doubles or replaces one to three tokens of a golden query. */
function mutate(text: string, below: (count: number) => number): string {
  let changed = text
  for (let left = 1 + below(3); left > 0; left--) {
    const { tokens } = lex(changed)
    const { start, end } = tokens[below(tokens.length)]!
    const donor = texts[below(texts.length)]!
    const given = lex(donor).tokens
    const other = given[below(given.length)]!
    const insert = ['', `${changed.slice(start, end)} `, donor.slice(other.start, other.end)][
      below(3)
    ]!
    changed = `${changed.slice(0, start)}${insert} ${changed.slice(below(2) === 0 ? start : end)}`
  }
  return changed
}

it(`meets any text with diagnostics, never with a crash (seed ${seed})`, () => {
  const random = createRandom(seed)
  const below = (count: number) => random.below(count)
  for (let round = 0; round < 1_500; round++) {
    const text = mutate(texts[below(texts.length)]!, below)
    try {
      const { queries, diagnostics } = compileFrontEnd(text, tinySocial, 'social')
      structuredClone(queries)
      for (const { range, place } of diagnostics) {
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.end).toBeLessThanOrEqual(text.length)
        expect(place.line).toBeGreaterThan(0)
      }
    } catch (cause) {
      throw new Error(`round ${round} of seed ${seed}:\n${text}`, { cause })
    }
  }
})
