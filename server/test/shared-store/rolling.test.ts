/**
 * Three servers are started again one after the other, followers first, as an upgrade does, while
 * clients write and read: no request with a key fails, and the writer's place is taken at once.
 */
import process from 'node:process'
import { expect, it } from 'vitest'
import { check } from './checker.ts'
import { Client } from './client.ts'
import { Cluster } from './cluster.ts'
import { createGraph, readFinal } from './graph.ts'
import { History } from './history.ts'
import type { Instance } from './instance.ts'
import { Load } from './load.ts'
import { PostgresPair } from './pair.ts'
import { longestOutage } from './round.ts'
import { until } from './wait.ts'

/** Whoever waited for silence instead of the resignation would be without a writer for so long. */
const TAKEOVER_AFTER_SECONDS = 60
/** 2 s on a quiet machine; the bound is far from both. */
const OUTAGE_MS_MAX = 20_000

it('an upgrade server by server costs no request and no time', async () => {
  const pair = await PostgresPair.start()
  const cluster = await Cluster.start(pair, { takeoverAfterSeconds: TAKEOVER_AFTER_SECONDS })
  try {
    const { instances } = cluster
    const writer = await cluster.writerKnown()
    await createGraph(new Client(writer.url ?? ''))
    await cluster.settled()
    const history = new History()
    const load = new Load({ targets: instances, round: 1, seed: 1, history })
    load.begin()
    await load.progress(100)
    const followers = instances.filter((instance) => instance !== writer)
    for (const instance of [...followers, writer]) {
      expect(await instance.stop(), instance.name).toBe(0)
      await instance.start()
      await ready(instance)
      await load.progress(100)
    }
    await load.end()
    const finals = await Promise.all(
      instances.map((instance) =>
        until(instance.name, () => readFinal(instance.name, new Client(instance.url ?? ''), 1)),
      ),
    )
    expect(check(history, finals), cluster.outputs()).toEqual([])
    const outageMs = longestOutage(history)
    process.stdout.write(`rolling restart: no write for ${Math.round(outageMs)} ms\n`)
    expect(outageMs).toBeLessThan(OUTAGE_MS_MAX)
  } finally {
    await cluster.remove()
  }
}, 900_000)

function ready(instance: Instance): Promise<true> {
  return until(`${instance.name} is ready`, async () => {
    const answer = await new Client(instance.url ?? '').get('/quiver/v1/ready')
    return answer?.status === 200 ? true : null
  })
}
