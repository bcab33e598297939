/**
 * `npm run shared-store -- --rounds 200 --seed 7`: faults of a cluster, longer than `npm test` does.
 *
 *     --rounds <n>     how many (50)
 *     --seed <n>       of what is random (the time)
 *     --fault <text>   only faults whose names contain it
 *     --patroni        over three nodes under Patroni and etcd (Debian's `patroni`, `etcd-server`): their
 *                      faults, then those of the servers
 *     --install        installs these packages first where they are missing (apt-get, as root)
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { installPatroni } from '../../../scripts/debian.mjs'
import { Cluster } from './cluster.ts'
import type { Database } from './database.ts'
import { type Fault, faultsOfPair, faultsOfServers } from './faults.ts'
import { faultsOfPatroni, ManagedDatabase } from './managed.ts'
import { PostgresPair } from './pair.ts'
import { roundLine, runRounds } from './rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    fault: { type: 'string', default: '' },
    patroni: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
})

try {
  if (values.patroni) {
    if (values.install) await installPatroni()
    await run(await ManagedDatabase.start(), { ...faultsOfPatroni, ...faultsOfServers })
  } else await run(await PostgresPair.start(), { ...faultsOfServers, ...faultsOfPair })
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function run<Data extends Database>(
  database: Data,
  faults: Readonly<Record<string, Fault<Data>>>,
): Promise<void> {
  const cluster = await Cluster.start(database)
  const chosen = Object.entries(faults).filter(([name]) => name.includes(values.fault))
  if (chosen.length === 0) throw new Error(`no fault contains ${values.fault}`)
  say(`seed ${values.seed}, ${chosen.length} faults`)
  try {
    await runRounds({
      cluster,
      faults: Object.fromEntries(chosen),
      rounds: Number(values.rounds),
      seed: Number(values.seed),
      onRound: (round, name, result) => say(roundLine(round, name, result)),
    })
  } finally {
    await cluster.remove()
  }
}
