/**
 * Kills the real server by its pid under concurrent writes, again and again, on one data
 * directory. QUIVER_CRASH_ROUNDS sets how often (`npm test`: 4), QUIVER_CRASH_SEED when.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { CounterLoad } from './counter-load.ts'
import { startServer } from './running-server.ts'

const rounds = Number(process.env['QUIVER_CRASH_ROUNDS'] ?? 3)
const seed = Number(process.env['QUIVER_CRASH_SEED'] ?? 1)

describe('the server, killed under load', () => {
  it(`finds every acknowledged write and delete, counters exactly once, ${rounds} times (seed ${seed})`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-kill-'))
    let server = await startServer(directory)
    try {
      const random = createRandom(seed)
      const load = new CounterLoad(seed)
      await load.createGraph(server)
      for (let round = 1; round <= rounds; round++) {
        const clients = load.run(server)
        if (round % 3 === 0) load.rebuild(server)
        if (round % 4 === 2) load.changeSchema(server)
        await Promise.race([load.acknowledged.progress(20 + random.below(400)), clients])
        await pause(random.below(10))
        await server.kill()
        await clients
        server = await startServer(directory)
        await load.check(server, `round ${round}`)
      }
      expect(load.acknowledged.count).toBeGreaterThanOrEqual(rounds * 20)
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
      rmSync(directory, { recursive: true })
    }
  }, 900_000)
})

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
