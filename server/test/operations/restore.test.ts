/**
 * A restore to a moment, played by the commands of docs/operations/cluster.md with a PostgreSQL, a
 * synchronous standby and two instances: QUIVER_TEST_RESTORE=1.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../crash/running-server.ts'
import { makePostgresDirectory, unusedPort } from '../fixtures/postgres-programs.ts'
import { commandsNamed, run } from './commands.ts'

const isAsked = process.env['QUIVER_TEST_RESTORE'] === '1'
const people = '/restpp/graph/g/vertices/Person'
const STATUS_START_AGAIN = 75

const makeCluster = `
  initdb --pgdata "$PGDATA" --username quiver --auth trust --encoding UTF8 --no-locale >/dev/null
  cat >> "$PGDATA/postgresql.conf" <<END
port = $PGPORT
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = '32MB'
END
  pg_ctl -D "$PGDATA" start -w -t 300 -l "$PGDATA/server.log"`

/** A standby of what runs at $PGPORT, for which commits wait from now on. */
const addStandby = `
  pg_basebackup --pgdata "$STANDBY" --checkpoint fast --wal-method stream --write-recovery-conf \
    --dbname "host=127.0.0.1 port=$PGPORT user=quiver application_name=standby"
  echo "port = $STANDBYPORT" >> "$STANDBY/postgresql.conf"
  pg_ctl -D "$STANDBY" start -w -t 300 -l "$STANDBY/server.log"
  psql -c "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby)'" -c 'SELECT pg_reload_conf()'
  until test "$(psql -Atc "SELECT sync_state FROM pg_stat_replication")" = quorum; do sleep 0.2; done`

const end = (data: string) => `pg_ctl -D "${data}" stop -m immediate -w || true`

describe.runIf(isAsked)('a restore to a moment', { timeout: 900_000 }, () => {
  const servers: RunningServer[] = []
  let directory: string
  let variables: Record<string, string>

  const instance = async (name: string) => {
    const url = `postgres://quiver@127.0.0.1:${variables['PGPORT']}/postgres`
    const args = ['--store', url, '--name', name]
    const server = await startServer(join(directory, name), { args, startMsMax: 300_000 })
    servers.push(server)
    return server
  }
  const namesAt = async (server: RunningServer): Promise<string[]> => {
    const { body } = await server.request('GET', people)
    return body.results.map(({ v_id }: { v_id: string }) => v_id).toSorted()
  }
  const add = async (server: RunningServer, name: string) => {
    const body = { vertices: { Person: { [name]: {} } } }
    expect((await server.request('POST', '/restpp/graph/g', body)).body.error).toBe(false)
  }

  beforeAll(async () => {
    directory = makePostgresDirectory()
    variables = {
      BACKUPS: join(directory, 'backups'),
      PGDATA: join(directory, 'data'),
      STANDBY: join(directory, 'standby'),
      STANDBYPORT: String(await unusedPort()),
      RESTORED: join(directory, 'restored'),
      NIGHT: 'night-1',
      PGHOST: '127.0.0.1',
      PGPORT: String(await unusedPort()),
      PGUSER: 'quiver',
      PGDATABASE: 'postgres',
    }
    await run(makeCluster, variables)
  }, 600_000)

  afterAll(async () => {
    for (const server of servers) await server.kill()
    for (const data of ['standby', 'standby-2', 'data', 'restored'])
      await run(end(join(directory, data)), variables)
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
  }, 600_000)

  it('brings back what was there, and nothing of what came later', async () => {
    await run(commandsNamed('archive'), variables)
    await run(addStandby, variables)
    const first = await instance('one')
    const second = await instance('two')
    const schema = 'CREATE VERTEX Person (PRIMARY_ID name STRING) CREATE GRAPH g (Person)'
    await fetch(`${first.url}/gsql/v1/statements`, { method: 'POST', body: schema })
    await add(first, 'before the backup')
    await run(commandsNamed('base'), variables)
    await add(first, 'after the backup')
    await pause(50)
    const moment = (await run(`psql -Atc 'SELECT now()'`, variables)).trim()
    await pause(50)
    // The mistake.
    expect((await first.request('DELETE', people)).body.error).toBe(false)
    await add(first, 'too late')
    expect(await namesAt(first)).toEqual(['too late'])

    await first.stop()
    await run(commandsNamed('rest'), variables)
    await run(end(variables['STANDBY'] ?? ''), variables)
    await run(commandsNamed('restore'), { ...variables, MOMENT: moment })
    await run(commandsNamed('wait'), variables)

    // It has run through, and knows commits that are gone.
    expect(await second.ended).toBe(STATUS_START_AGAIN)
    const again = [await instance('one'), await instance('two')] as const
    for (const server of again) {
      expect(await namesAt(server)).toEqual(['after the backup', 'before the backup'])
    }
    await run(addStandby, { ...variables, STANDBY: join(directory, 'standby-2') })
    await add(again[0], 'afterwards')
    expect(await namesAt(again[0])).toContain('afterwards')
  })
})
