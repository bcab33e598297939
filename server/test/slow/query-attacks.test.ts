/** The attacks on the memory of the server with time enough for each, at several sizes of memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AttackedServer } from '../fixtures/attacked-server.ts'
import { attacks } from '../fixtures/query-attacks.ts'

const TIMEOUT_MS = 15_000
/** By memory limit: what the process takes at most, and after all attacks, in megabytes. */
const sizes = [
  { memory: '64m', peakMb: 1_100, endMb: 700 },
  { memory: '512m', peakMb: 1_500, endMb: 900 },
  { memory: '4g', peakMb: 5_000, endMb: 2_500 },
]

describe.each(sizes)('with --memory $memory', ({ memory, peakMb, endMb }) => {
  it('the server survives all attacks, one after the other and two at a time', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-attacks-'))
    const server = await AttackedServer.start(directory, ['--memory', memory])
    try {
      await server.fill(1_000)
      for (const [index, attack] of attacks.entries()) {
        const other = attacks[(index * 7 + 3) % attacks.length]!
        const ends = [server.attack(attack, TIMEOUT_MS), server.attack(other, TIMEOUT_MS)]
        for (const { end, message, rssMb } of await Promise.all(ends)) {
          expect(['REST-30000', 'GSQL-8001'], `${attack.name}: ${message}`).not.toContain(end)
          expect(rssMb).toBeLessThan(peakMb)
        }
        expect(server.isAlive, attack.name).toBe(true)
      }
      await expect.poll(() => server.rssMb(), { timeout: 60_000 }).toBeLessThan(endMb)
    } finally {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  }, 3_600_000)
})
