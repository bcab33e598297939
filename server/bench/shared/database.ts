/** PostgreSQL with a synchronous standby, on the disk that SQLite is measured on, and nothing switched off. */
import { type PostgresNode, startPostgres } from '../../test/fixtures/postgres.ts'

const settings = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  min_wal_size: '1GB',
}

export interface Pair {
  /** For `--store`. @param schema a store of its own */
  url(schema: string): string
  remove(): Promise<void>
}

export async function startPair(parent: string): Promise<Pair> {
  const primary = await startPostgres({ name: 'node1', settings, parent })
  let standby: PostgresNode | null = null
  try {
    standby = await primary.startStandby({ name: 'node2', settings, parent })
    primary.configure({ synchronous_standby_names: 'ANY 1 (node2)' })
    await primary.reload()
    await isSynchronous(primary)
  } catch (error) {
    await standby?.remove()
    await primary.remove()
    throw error
  }
  return {
    url: (schema) => primary.url({ schema }),
    remove: async () => {
      await primary.remove()
      await standby?.remove()
    },
  }
}

async function isSynchronous(primary: PostgresNode): Promise<void> {
  for (;;) {
    const rows = await primary.query('SELECT 1 FROM pg_stat_replication WHERE sync_state = $1', [
      'quorum',
    ])
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
