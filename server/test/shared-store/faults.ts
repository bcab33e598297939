/**
 * What happens to a cluster while clients use it. Each fault ends with a cluster that can work: the
 * pair has a primary and a synchronous standby, all links pass; servers that ended are started by
 * the round.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '#kernel/prng.ts'
import { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Database } from './database.ts'
import { checkpoint } from './graph.ts'
import type { Instance } from './instance.ts'
import type { LinkState } from './link.ts'
import type { PostgresPair } from './pair.ts'

export interface Scene<Data extends Database = Database> {
  readonly cluster: Cluster<Data>
  readonly random: Random
}

export type Fault<Data extends Database = Database> = (scene: Scene<Data>) => Promise<void>

/** Of the servers and their links, over any database. By name. */
export const faultsOfServers: Readonly<Record<string, Fault>> = {
  'the writer is killed': async ({ cluster }) => {
    const writer = await cluster.writerKnown()
    await writer.kill()
    await cluster.otherWriter(writer)
  },

  'the writer is killed and at once started again': async ({ cluster }) => {
    const writer = await cluster.writerKnown()
    await writer.kill()
    await writer.start()
    await cluster.writerKnown()
  },

  'the writer is paused until another one writes': async ({ cluster }) => {
    const writer = await cluster.writerKnown()
    writer.pause()
    await cluster.otherWriter(writer)
    writer.resume()
  },

  'the writer is cut off until another one writes': async ({ cluster, random }) => {
    const writer = await cluster.writerKnown()
    writer.setLinks(brokenState(random))
    await cluster.otherWriter(writer)
    // It goes on for a while beside the new one.
    await pause(random.below(1_000))
    writer.setLinks('pass')
  },

  'the writer resigns at its end': async ({ cluster }) => {
    const writer = await cluster.writerKnown()
    const stopped = writer.stop()
    await cluster.otherWriter(writer)
    const status = await stopped
    if (status !== 0) throw new Error(`${writer.name} ended with ${status}`)
  },

  'the writer hands over': async ({ cluster }) => {
    const writer = await cluster.writerKnown()
    if (writer.url === null) return
    await new Client(writer.url).request('POST', '/quiver/v1/instances/hand-over')
    await cluster.writerKnown()
  },

  'a follower is killed': async ({ cluster, random }) => {
    const follower = await cluster.follower()
    await follower.kill()
    await pause(random.below(1_000))
    await follower.start()
  },

  'a follower is cut off': async ({ cluster, random }) => {
    const follower = await cluster.follower()
    follower.setLinks(brokenState(random))
    await pause(500 + random.below(1_500))
    follower.setLinks('pass')
  },

  'the other servers do not reach the writer': async ({ cluster, random }) => {
    const writer = await cluster.writerKnown()
    writer.entrance.set(brokenState(random))
    await pause(500 + random.below(1_500))
    writer.entrance.set('pass')
  },

  'the writer is killed during a checkpoint': async ({ cluster, random }) => {
    const writer = await cluster.writerKnown()
    const ended = beginCheckpoint(writer)
    await pause(random.below(300))
    await writer.kill()
    await ended
    await cluster.otherWriter(writer)
  },
}

/** Of the pair, whose fail-overs the test makes. */
export const faultsOfPair: Readonly<Record<string, Fault<PostgresPair>>> = {
  'the primary is killed': async ({ cluster: { database: pair } }) => {
    await pair.primary.kill()
    await pair.failOver()
    await pair.rejoin()
  },

  'the primary is killed and starts again': async ({ cluster: { database: pair } }) => {
    await pair.primary.kill()
    await pair.primary.start()
  },

  'the primary is paused': async ({ cluster: { database: pair }, random }) => {
    pair.primary.pause()
    await pause(500 + random.below(3_000))
    pair.primary.resume()
  },

  'the primary is paused, and goes on beside the new one': async ({
    cluster: { database: pair },
    random,
  }) => {
    const old = pair.primary
    old.pause()
    await pause(random.below(1_000))
    await pair.failOver()
    old.resume()
    await pause(random.below(2_000))
    await pair.rejoin()
  },

  'the primary is killed while the standby lags': async ({
    cluster: { database: pair },
    random,
  }) => {
    pair.replication.set('swallow')
    await pause(200 + random.below(800))
    await pair.primary.kill()
    await pair.failOver()
    await pair.rejoin()
  },

  'there are two primaries, and each server reaches one': async ({ cluster, random }) => {
    const { database: pair, instances } = cluster
    const old = pair.nodes.indexOf(pair.primary)
    pair.replication.set('refuse')
    await pair.failOver()
    for (const instance of instances) {
      const seesOld = random.below(2) === 0
      for (const [node, link] of instance.links.entries()) {
        link.set((node === old) === seesOld ? 'pass' : 'refuse')
      }
    }
    await pause(1_000 + random.below(2_000))
    await pair.rejoin()
    for (const instance of instances) instance.setLinks('pass')
  },

  'the primary starts again without its standby, and is lost': async ({
    cluster: { database: pair },
    random,
  }) => {
    pair.replication.set('swallow')
    await pause(300 + random.below(500))
    await pair.primary.kill()
    await pair.primary.start()
    // What was committed there alone can be read now.
    await pause(500 + random.below(1_000))
    await pair.primary.kill()
    await pair.failOver()
    await pair.rejoin()
  },

  'waits for the standby are cancelled, and the primary is lost': async (scene) => {
    const { database: pair } = scene.cluster
    await cancelWaits(scene)
    await pause(scene.random.below(500))
    await pair.primary.kill()
    await pair.failOver()
    await pair.rejoin()
  },

  'waits for the standby are cancelled, and it comes back': async (scene) => {
    await cancelWaits(scene)
    scene.cluster.database.replication.set('pass')
  },

  'the primary is killed during a checkpoint, and a server starts from the segments': async ({
    cluster,
    random,
  }) => {
    const { database: pair } = cluster
    const follower = await cluster.follower()
    await follower.kill()
    // What the first checkpoint leaves of the log is cut by the second.
    await beginCheckpoint(await cluster.writerKnown())
    const ended = beginCheckpoint(await cluster.writerKnown())
    await pause(random.below(300))
    await pair.primary.kill()
    await pair.failOver()
    await pair.rejoin()
    await ended
    await beginCheckpoint(await cluster.writerKnown())
    await follower.start()
  },
}

async function cancelWaits({
  cluster: { database: pair },
  random,
}: Scene<PostgresPair>): Promise<void> {
  pair.replication.set('swallow')
  for (let time = 0; time < 4; time++) {
    await pause(100 + random.below(200))
    await pair.cancelWaits()
  }
}

async function beginCheckpoint({ url }: Instance): Promise<void> {
  if (url !== null) await checkpoint(new Client(url))
}

function brokenState(random: Random): LinkState {
  return random.below(2) === 0 ? 'refuse' : 'swallow'
}
