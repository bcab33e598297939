/** The store goes back below running instances, as after a restore to an earlier moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSchema, postgresOptions } from '../conformance/postgres-harness.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { becomesWriter, startStore } from '../fixtures/started-store.ts'

const LIMIT_MS = 300_000
const reason = /does not hold entry \d+ as this server has applied it: the store went back/

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres()
}, LIMIT_MS)
afterAll(() => node.remove())

describe('instances whose last entries are gone', () => {
  it(
    'end, so that they start again: a follower, and a writer that writes nothing',
    async () => {
      const schema = newSchema()
      const writer = await startStore(postgresOptions(node, schema, 'one'))
      await becomesWriter(writer)
      const follower = await startStore(postgresOptions(node, schema, 'two'))
      const kept = await writer.store.append(new Uint8Array([1]))
      const lost = await writer.store.append(new Uint8Array([2]))
      await follower.store.shared.reached(lost, LIMIT_MS)
      await node.query(`DELETE FROM ${schema}.log WHERE first_sequence > ${kept}`)
      expect(await follower.ended).toMatch(reason)
      expect(await writer.ended).toMatch(reason)
      expect(writer.store.shared.role).toBe('follower')
      await follower.store.abandon()
      await writer.store.abandon()
    },
    LIMIT_MS,
  )
})
