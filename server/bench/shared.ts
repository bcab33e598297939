/**
 * What a store in PostgreSQL costs, with a synchronous standby, beside SQLite in the same run: commits,
 * bulk upserts over HTTP, how soon a follower shows a commit, the start of a new instance, and what
 * following takes of an instance. All processes share this machine.
 *
 * `node scripts/build.mjs --if-stale && node server/bench/shared.ts [--rounds 3] [--seconds 2] [--scale 20]
 * [--only commits]`, which leaves the servers out.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MachineSpeed } from './machine-speed.ts'
import { measureCommits } from './shared/commits.ts'
import { startPair } from './shared/database.ts'
import type { GateResult } from './shared/gates.ts'
import { gateTable } from './shared/gates.ts'
import { measureServers } from './shared/servers.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    /** 2^N vertices, about 16 edges each, for the start of a new instance. */
    scale: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
})

const work =
  process.env['QUIVER_BENCH_DIR'] ?? fileURLToPath(new URL('../../.bench', import.meta.url))
mkdirSync(work, { recursive: true })
const directory = mkdtempSync(join(work, 'shared-'))
// PostgreSQL runs as another user than root.
chmodSync(directory, 0o711)
const settings = {
  directory,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  scale: Number(values.scale),
  speed: new MachineSpeed(),
}
const pair = await startPair(directory)
try {
  const gates: GateResult[] = []
  gates.push(...(await measureCommits(pair, settings)))
  if (values.only !== 'commits') gates.push(...(await measureServers(pair, settings)))
  console.log(`\n${settings.speed.text()}\n`)
  console.log(gateTable(gates))
} finally {
  await pair.remove()
  rmSync(directory, { recursive: true, force: true })
}
