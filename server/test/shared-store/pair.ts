/**
 * Two nodes of PostgreSQL, one of which follows the other synchronously, and what a manager of
 * fail-overs would do with them. Each node acknowledges a commit only when the other one has it,
 * so that a primary that is left alone acknowledges nothing.
 */
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import type { Database } from './database.ts'
import { Link } from './link.ts'

export interface PairOptions {
  /** False: no standby is named, so that commits are acknowledged before another node has them. */
  readonly isSynchronous?: boolean
}

/** A node, and the link over which the other one follows it. */
interface Member {
  readonly node: PostgresNode
  readonly replication: Link
}

export class PostgresPair implements Database {
  #primary: Member
  #standby: Member

  private constructor(primary: Member, standby: Member) {
    this.#primary = primary
    this.#standby = standby
  }

  static async start({ isSynchronous = true }: PairOptions = {}): Promise<PostgresPair> {
    const settings = {
      synchronous_standby_names: isSynchronous ? 'ANY 1 (node1, node2)' : '',
      // A link that swallows is noticed by those who wait, never by the time.
      wal_sender_timeout: '0',
      wal_receiver_timeout: '0',
      wal_retrieve_retry_interval: '100ms',
    }
    const node1 = await startPostgres({ name: 'node1', settings })
    const primary = { node: node1, replication: await Link.start(node1.port) }
    const node2 = await node1.startStandby({
      name: 'node2',
      upstreamPort: primary.replication.port,
    })
    return new PostgresPair(primary, { node: node2, replication: await Link.start(node2.port) })
  }

  get primary(): PostgresNode {
    return this.#primary.node
  }

  get standby(): PostgresNode {
    return this.#standby.node
  }

  /** Always in the same order, whoever is the primary. */
  get nodes(): readonly PostgresNode[] {
    return [this.primary, this.standby].sort((a, b) => a.name.localeCompare(b.name))
  }

  get ports(): readonly number[] {
    return this.nodes.map(({ port }) => port)
  }

  storeUrl(ports: readonly number[]): string {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    return `postgres://quiver@${hosts}/postgres?sslmode=disable&schema=quiver`
  }

  heal(): void {
    this.replication.set('pass')
  }

  /** Over which the standby follows. */
  get replication(): Link {
    return this.#primary.replication
  }

  /** Makes the standby the primary. The old one is left as it is. */
  async failOver(): Promise<void> {
    await this.standby.promote()
    const old = this.#primary
    this.#primary = this.#standby
    this.#standby = old
  }

  /** Throws away what the old primary has, and makes it the standby of the new one. */
  async rejoin(): Promise<void> {
    this.replication.set('pass')
    await this.standby.rejoin(this.primary, this.replication.port)
  }

  /** Ends the waits of commits for the standby: they are committed on the primary alone. */
  async cancelWaits(): Promise<number> {
    const rows = await this.primary.query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    )
    return rows.length
  }

  async remove(): Promise<void> {
    for (const { node, replication } of [this.#primary, this.#standby]) {
      await replication.close()
      await node.remove()
    }
  }
}
