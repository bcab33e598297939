/**
 * Kills the real server in the middle of schema changes whose log entries are differences: all that were
 * acknowledged are there after the restart, and so they are on a server that follows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { startPostgres } from '../fixtures/postgres.ts'
import { Client } from '../shared-store/client.ts'
import { Cluster } from '../shared-store/cluster.ts'
import type { Database } from '../shared-store/database.ts'
import { startServer } from './running-server.ts'
import { SchemaLoad, type Send } from './schema-load.ts'

const seed = Number(process.env['QUIVER_CRASH_SEED'] ?? 1)
const CHANGES = 200
/** Between two kills, at least and at most. */
const RUN = { min: 90, max: 110 }

it(`a server killed in the middle of ${CHANGES} schema changes has all that it acknowledged (seed ${seed})`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-schema-'))
  let server = await startServer(directory)
  try {
    const random = createRandom(seed)
    const load = new SchemaLoad(seed)
    await load.createGraph(sendTo(server))
    for (let round = 1; load.acknowledged.count < CHANGES; round++) {
      const clients = load.run([sendTo(server)])
      const count = RUN.min + random.below(RUN.max - RUN.min)
      // What is folded holds a part of the changes, and the log behind it the others.
      if (round % 2 === 0) void sendTo(server)('GET', '/restpp/rebuildnow/g')
      await Promise.race([load.acknowledged.progress(count), clients])
      await server.kill()
      await clients
      server = await startServer(directory)
      await load.check(sendTo(server), `round ${round}`)
    }
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    rmSync(directory, { recursive: true })
  }
}, 600_000)

it('either of two servers over one log may be killed: both have all schema changes', async () => {
  const node = await startPostgres({ settings: { fsync: 'off' } })
  const database: Database = {
    ports: [node.port],
    storeUrl: ([port]) => node.url({ schema: 'quiver', port: port! }),
    heal: () => undefined,
    remove: () => node.remove(),
  }
  const cluster = await Cluster.start(database, { instanceCount: 2 })
  try {
    const random = createRandom(seed)
    const load = new SchemaLoad(seed)
    await load.createGraph(sendTo(await cluster.writerKnown()))
    for (const killed of ['writer', 'follower'] as const) {
      const writer = await cluster.writerKnown()
      const follower = cluster.instances.find((one) => one !== writer)!
      await cluster.settled()
      const clients = load.run([sendTo(writer), sendTo(follower)])
      await Promise.race([load.acknowledged.progress(20 + random.below(20)), clients])
      await (killed === 'writer' ? writer : follower).kill()
      load.stop()
      await clients
      await cluster.heal()
      await cluster.writerKnown()
      await cluster.settled()
      for (const instance of cluster.instances) {
        await load.check(sendTo(instance), `${killed} killed, at ${instance.name}`)
      }
    }
    expect(load.acknowledged.count).toBeGreaterThanOrEqual(40)
  } finally {
    await cluster.remove()
  }
}, 600_000)

/** Reads see all that was acknowledged anywhere. */
function sendTo({ url }: { readonly url: string | null }): Send {
  const client = new Client(url!)
  return (method, path, body) =>
    client.request(method, path, { body, after: method === 'GET' ? 'latest' : null })
}
