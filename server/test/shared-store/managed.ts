/** Three nodes of PostgreSQL under Patroni, as the recipe in docs/container/patroni: it fails over by itself. */
import { setTimeout as pause } from 'node:timers/promises'
import { type PatroniCluster, type PatroniNode, startPatroni } from '../fixtures/patroni.ts'
import type { Database } from './database.ts'
import type { Fault } from './faults.ts'
import { until } from './wait.ts'

export class ManagedDatabase implements Database {
  readonly patroni: PatroniCluster

  private constructor(patroni: PatroniCluster) {
    this.patroni = patroni
  }

  static async start(): Promise<ManagedDatabase> {
    return new ManagedDatabase(await startPatroni())
  }

  get ports(): readonly number[] {
    return this.patroni.nodes.map(({ port }) => port)
  }

  get environment(): Readonly<Record<string, string>> {
    return { PGPASSWORD: this.patroni.password }
  }

  storeUrl(ports: readonly number[]): string {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    const trust = `sslmode=verify-full&sslrootcert=${this.patroni.caFile}`
    return `postgres://quiver@${hosts}/quiver?${trust}`
  }

  heal(): void {
    // Patroni mends what it can.
  }

  remove(): Promise<void> {
    return this.patroni.remove()
  }
}

export const faultsOfPatroni: Readonly<Record<string, Fault<ManagedDatabase>>> = {
  'the leader is killed': async ({ cluster: { database } }) => {
    const { patroni } = database
    const leader = await patroni.complete()
    patroni.killNode(leader)
    await anotherLeader(database, leader)
    patroni.startNode(leader)
    await patroni.complete()
  },

  'the leader is paused, and goes on beside the new one': async ({
    cluster: { database },
    random,
  }) => {
    const { patroni } = database
    const leader = await patroni.complete()
    patroni.pauseNode(leader)
    await anotherLeader(database, leader)
    await pause(random.below(2_000))
    patroni.resumeNode(leader)
    await patroni.complete()
  },

  'a standby is killed': async ({ cluster: { database } }) => {
    const { patroni } = database
    const leader = await patroni.complete()
    const standby = patroni.nodes.find((node) => node !== leader)!
    patroni.killNode(standby)
    await pause(1_000)
    patroni.startNode(standby)
    await patroni.complete()
  },

  'a member of etcd is killed': async ({ cluster: { database }, random }) => {
    await database.patroni.complete()
    await database.patroni.killEtcd(1)
    await pause(1_000 + random.below(5_000))
    database.patroni.startEtcd()
    await database.patroni.complete()
  },

  'etcd has no majority, and the leader steps down': async ({ cluster: { database } }) => {
    const { patroni } = database
    const leader = await patroni.complete()
    await patroni.killEtcd(2)
    await until(`${leader.name} takes no writes`, async () =>
      (await patroni.isPrimary(leader)) ? null : true,
    )
    patroni.startEtcd()
    await patroni.complete()
  },

  'the leader hands over': async ({ cluster: { database } }) => {
    const leader = await database.patroni.complete()
    await database.patroni.switchOver()
    await anotherLeader(database, leader)
    await database.patroni.complete()
  },
}

async function anotherLeader({ patroni }: ManagedDatabase, old: PatroniNode): Promise<void> {
  await until(`another leader than ${old.name}`, async () => {
    const leader = await patroni.leader()
    return leader === null || leader === old ? null : true
  })
}
