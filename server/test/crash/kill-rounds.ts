/**
 * Kills a process that appends to a store, by its pid, again and again, on one directory or database.
 * QUIVER_CRASH_ROUNDS sets how often (`npm test`: 4), QUIVER_CRASH_SEED when.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { createRandom } from '#kernel/prng.ts'

export const crashRounds = Number(process.env['QUIVER_CRASH_ROUNDS'] ?? 3)
export const crashSeed = Number(process.env['QUIVER_CRASH_SEED'] ?? 1)
const CHILD = fileURLToPath(new URL('./store-child.ts', import.meta.url))

/** @param place a data directory, or the address of a shared store: empty at first */
export async function killRounds(place: string, rounds: number): Promise<void> {
  const random = createRandom(crashSeed)
  const acknowledged: number[] = Array(16).fill(0)
  let total = 0
  for (let round = 0; round < rounds; round++) {
    const recovered = await runAndKill(place, acknowledged, 50 + random.below(3000))
    expectRecovered(recovered, acknowledged.slice(), `round ${round}`)
    total = recovered.reduce((sum, value) => sum + value, 0)
  }
  expect(total).toBeGreaterThanOrEqual(rounds * 50)
}

/** Kills the child after it told of so many appends, and returns what the next one recovers. */
async function runAndKill(
  place: string,
  acknowledged: number[],
  appends: number,
): Promise<number[]> {
  const child = start(place, 'write')
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]()
  await readReady(lines)
  let told = 0
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (++told === appends) child.kill('SIGKILL')
    // A line is shorter than what a pipe takes at once: it was told whole or not at all.
    const match = /^(\d+) (\d+)$/.exec(line.value)
    if (match !== null) acknowledged[Number(match[1])] = Number(match[2])
  }
  const checker = start(place, 'check')
  const recovered = await readReady(createInterface(checker.stdout!)[Symbol.asyncIterator]())
  if (checker.exitCode === null) await once(checker, 'exit')
  return recovered
}

/** Each writer has one append under way: it may be there, one more may not. */
function expectRecovered(
  recovered: readonly number[],
  acknowledged: readonly number[],
  at: string,
) {
  recovered.forEach((value, writer) => {
    expect(value, `${at}, writer ${writer}`).toBeGreaterThanOrEqual(acknowledged[writer]!)
    expect(value, `${at}, writer ${writer}`).toBeLessThanOrEqual(acknowledged[writer]! + 1)
  })
}

function start(place: string, mode: 'write' | 'check'): ChildProcess {
  return spawn(process.execPath, [CHILD, place, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function readReady(lines: AsyncIterator<string>): Promise<number[]> {
  const { value } = await lines.next()
  expect(String(value), 'the child recovers its counters').toMatch(/^ready /)
  return JSON.parse(String(value).slice('ready '.length))
}
