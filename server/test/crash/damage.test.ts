/**
 * QUIVER_DAMAGE_ROUNDS sets how often a file is damaged (20; 500 with QUIVER_SLOW=1),
 * QUIVER_DAMAGE_SEED where.
 */
import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { damageRound, makeImage, type Outcome, tornRound } from './damage-rounds.ts'

const isSlow = process.env['QUIVER_SLOW'] === '1'
const rounds = Number(process.env['QUIVER_DAMAGE_ROUNDS'] ?? (isSlow ? 500 : 20))
const seed = Number(process.env['QUIVER_DAMAGE_SEED'] ?? 1)
const ROUNDS_PER_IMAGE = 10

it(`no damage of a file is a silent loss, ${rounds} times (seed ${seed})`, async () => {
  const random = createRandom(seed)
  const outcomes: Outcome[] = []
  while (outcomes.length < rounds) {
    using image = await makeImage(random)
    for (let round = 0; round < ROUNDS_PER_IMAGE && outcomes.length < rounds; round++) {
      outcomes.push(await damageRound(image, random))
    }
    await tornRound(image, random)
  }
  const silent = outcomes.filter(({ result }) => result === 'silent loss')
  expect(silent.map(({ damage }) => damage)).toEqual([])
  // Otherwise the damage missed everything, and the test says nothing.
  expect(outcomes.filter(({ result }) => result === 'refused').length).toBeGreaterThan(rounds / 10)
}, 3_600_000)
