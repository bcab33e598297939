/**
 * A restore to a moment, played by the commands of docs/operations/cluster.md with a PostgreSQL, a
 * synchronous standby and two instances: QUIVER_TEST_RESTORE=1.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePostgresDirectory, unusedPort } from '../fixtures/postgres-programs.ts'
import { commandsNamed, run } from './commands.ts'

const isAsked = process.env['QUIVER_TEST_RESTORE'] === '1'
const NIGHT = 'night-1'

describe.runIf(isAsked)('a restore to a moment', { timeout: 600_000 }, () => {
  let directory: string
  let port: number
  let variables: Record<string, string>

  beforeAll(async () => {
    directory = makePostgresDirectory()
    port = await unusedPort()
    variables = {
      BACKUPS: join(directory, 'backups'),
      PGDATA: join(directory, 'data'),
      RESTORED: join(directory, 'restored'),
      NIGHT,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'quiver',
      PGDATABASE: 'postgres',
    }
    await run(
      `initdb --pgdata "$PGDATA" --username quiver --auth trust --encoding UTF8 --no-locale >/dev/null
      cat >> "$PGDATA/postgresql.conf" <<END
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = '32MB'
END
      pg_ctl -D "$PGDATA" start -w -l "$PGDATA/server.log"`,
      variables,
    )
  }, 600_000)

  afterAll(async () => {
    for (const data of ['standby', 'data', 'restored']) {
      await run(`pg_ctl -D "${join(directory, data)}" stop -m immediate || true`, variables)
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
  }, 600_000)

  it('brings back what was there, and nothing of what came later', async () => {
    await run(commandsNamed('archive'), variables)
    await run(commandsNamed('base'), variables)
    await run(`psql -c 'CREATE TABLE t (n int)' -c 'INSERT INTO t VALUES (1)'`, variables)
    await pause(50)
    const moment = (await run(`psql -Atc 'SELECT now()'`, variables)).trim()
    await pause(50)
    await run(`psql -c 'INSERT INTO t VALUES (2)'`, variables)
    await run(commandsNamed('rest'), variables)
    await run(commandsNamed('restore'), { ...variables, MOMENT: moment })
    await run(commandsNamed('wait'), variables)
    expect(await run(`psql -Atc 'SELECT n FROM t'`, variables)).toBe('1\n')
  })
})
