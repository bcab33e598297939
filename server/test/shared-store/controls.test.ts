/**
 * The checker must find what is broken on purpose: a database that acknowledges what one node has
 * alone, and a log in which a later append replaces an earlier one. Else the rounds show nothing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { check } from './checker.ts'
import { Client } from './client.ts'
import { Cluster } from './cluster.ts'
import type { Fault } from './faults.ts'
import { createGraph, readFinal } from './graph.ts'
import { type Final, History } from './history.ts'
import { Load } from './load.ts'
import { PostgresPair } from './pair.ts'
import { until } from './wait.ts'

/** In place of a refusal of the key: what stood there is gone, and counted. */
const OVERWRITE = `
  CREATE TABLE quiver.overwritten (first_sequence bigint);
  CREATE FUNCTION quiver.overwrite() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    DELETE FROM quiver.log WHERE first_sequence = NEW.first_sequence AND part = NEW.part;
    IF FOUND THEN INSERT INTO quiver.overwritten VALUES (NEW.first_sequence); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER overwrite BEFORE INSERT ON quiver.log
    FOR EACH ROW EXECUTE FUNCTION quiver.overwrite();`

const PAUSES_MAX = 6
const ROUNDS_MAX = 6

describe('the rounds find', () => {
  it('acknowledged writes that a primary took with it, when no standby is named', async () => {
    const pair = await PostgresPair.start({ isSynchronous: false })
    const lines = await brokenBy(pair, async ({ cluster: { database } }) => {
      database.replication.set('swallow')
      await pause(2_000)
      await database.primary.kill()
      await database.failOver()
    })
    expect(lines.join('\n')).toMatch(/^lost: /m)
  }, 900_000)

  it('a log in which an append overwrites', async () => {
    const found: string[] = []
    // The row that is replaced may hold no acknowledged write: then the round has nothing to find.
    for (let round = 0; found.length === 0 && round < ROUNDS_MAX; round++) {
      found.push(...(await brokenBy(await PostgresPair.start(), overwrite)))
    }
    expect(found.join('\n')).toMatch(
      /^(lost|once|order|equal|vanished|back|position|bound|latest): /m,
    )
  }, 900_000)
})

/** Pauses writers and lets them go on, until one has replaced what its successor has appended. */
async function overwrite({ cluster }: Parameters<Fault<PostgresPair>>[0]): Promise<void> {
  const { primary } = cluster.database
  await primary.query(OVERWRITE)
  // A writer that had nothing to append when it was paused learns first that it is none any more.
  let overwritten = 0
  for (let tried = 0; overwritten === 0 && tried < PAUSES_MAX; tried++) {
    const writer = await cluster.writerKnown()
    writer.pause()
    await cluster.otherWriter(writer)
    await pause(1_000)
    writer.resume()
    await pause(1_000)
    overwritten = (await primary.query('SELECT first_sequence FROM quiver.overwritten')).length
  }
  expect(overwritten, 'rows that an append replaced').toBeGreaterThan(0)
}

/** A round that need not come to its end: what can be read after the fault is checked. */
async function brokenBy(
  pair: PostgresPair,
  fault: Fault<PostgresPair>,
): Promise<readonly string[]> {
  const cluster = await Cluster.start(pair)
  try {
    const { instances } = cluster
    const { url } = await cluster.writerKnown()
    await createGraph(new Client(url ?? ''))
    await cluster.settled()
    const history = new History()
    const load = new Load({ targets: instances, round: 1, seed: 1, history, resolveMsMax: 10_000 })
    load.begin()
    await load.progress(100)
    await fault({ cluster, random: createRandom(1) })
    await load.end()
    // Servers that found the damage have ended, or refuse to start; one can be read.
    const finals = await until('a server that can be read', async () => {
      const read = await Promise.all(
        instances.map(({ name, url: at }) =>
          at === null ? null : readFinal(name, new Client(at), 1),
        ),
      )
      const answered = read.filter((final): final is Final => final !== null)
      return answered.length === 0 ? null : answered
    })
    return check(history, finals)
  } finally {
    await cluster.remove()
  }
}
