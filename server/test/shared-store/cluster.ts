/** Three servers over a replicated database, every link through a proxy that a test can cut. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from './client.ts'
import type { Database } from './database.ts'
import { Instance } from './instance.ts'
import { until } from './wait.ts'

const INSTANCE_COUNT = 3
/** Of the tests: short, so that many rounds fit into a few minutes. */
const TAKEOVER_AFTER_SECONDS = 1.5

export interface ClusterOptions {
  readonly instanceCount?: number
  /** Of silence of the writer. */
  readonly takeoverAfterSeconds?: number
}

export class Cluster<Data extends Database = Database> {
  readonly database: Data
  readonly instances: readonly Instance[]
  readonly #directory: string

  private constructor(database: Data, instances: readonly Instance[], directory: string) {
    this.database = database
    this.instances = instances
    this.#directory = directory
  }

  /** The database is the cluster's from now on. */
  static async start<Data extends Database>(
    database: Data,
    options: ClusterOptions = {},
  ): Promise<Cluster<Data>> {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-cluster-'))
    const count = options.instanceCount ?? INSTANCE_COUNT
    const args = [
      '--takeover-after',
      String(options.takeoverAfterSeconds ?? TAKEOVER_AFTER_SECONDS),
    ]
    const instances: Instance[] = []
    for (let number = 1; number <= count; number++) {
      const name = `server${number}`
      instances.push(await Instance.create({ name, directory, database, args }))
    }
    const cluster = new Cluster(database, instances, directory)
    try {
      // The first makes the tables.
      await instances[0]!.start()
      await Promise.all(instances.slice(1).map((instance) => instance.start()))
      return cluster
    } catch (error) {
      await cluster.remove()
      throw error
    }
  }

  /** Who writes, as those say who can be asked; null: nobody knows one. */
  async writer(): Promise<Instance | null> {
    for (const asked of this.instances) {
      const state = await stateOf(asked)
      if (state?.role === 'writer') return asked
    }
    return null
  }

  /** Waits until somebody writes. */
  writerKnown(): Promise<Instance> {
    return until('a writer', () => this.writer())
  }

  /** Waits until another instance than this writes. */
  otherWriter(old: Instance): Promise<Instance> {
    return until(`another writer than ${old.name}`, async () => {
      for (const asked of this.instances) {
        if (asked === old) continue
        const state = await stateOf(asked)
        if (state?.role === 'writer') return asked
      }
      return null
    })
  }

  /** An instance that does not write. */
  async follower(): Promise<Instance> {
    const writer = await this.writerKnown()
    return this.instances.find((instance) => instance !== writer && instance.isRunning)!
  }

  /** Ends every fault: all links pass, nobody is paused, and who does not run is started. */
  async heal(): Promise<void> {
    this.database.heal()
    for (const instance of this.instances) {
      instance.setLinks('pass')
      instance.entrance.set('pass')
      instance.resume()
    }
    const ended = this.instances.filter(({ isRunning }) => !isRunning)
    await Promise.all(ended.map((instance) => instance.start()))
  }

  /** Waits until every instance answers with the latest state. */
  async settled(): Promise<void> {
    for (const instance of this.instances) {
      await until(`the latest state on ${instance.name}`, async () => {
        const { url } = instance
        if (url === null) return null
        const answer = await new Client(url).get('/quiver/v1/ready', { after: 'latest' })
        return answer?.status === 200 ? true : null
      })
    }
  }

  /** What all have written, for the report of a fault. */
  outputs(): string {
    return this.instances
      .map(({ name, output }) => `--- ${name}\n${output.slice(-4_000)}`)
      .join('\n')
  }

  async remove(): Promise<void> {
    for (const instance of this.instances) await instance.remove()
    await this.database.remove()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

interface InstancesAnswer {
  readonly role: string
  readonly writer: string | null
}

async function stateOf({ url, isPaused }: Instance): Promise<InstancesAnswer | null> {
  if (url === null || isPaused) return null
  const answer = await new Client(url).get('/quiver/v1/instances', { msMax: 2_000 })
  return answer?.status === 200 ? answer.body.results : null
}
