/**
 * Work of which one runs at a time and that a superuser does: changes of the schema, indexes,
 * rebuilds, exports and imports, bulk loads. Each says how often it is due.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from './ledger.ts'
import { valueAt } from './read-state.ts'
import { FIXED_COUNT, GRAPH, ROW_COUNT } from './schema.ts'
import type { SoakClient } from './soak-client.ts'

const SIDE = 'side'
const SIDE_COUNT = 2_000
const ATTRIBUTE_NAMES = 4

export const exclusiveKinds = [
  'schema-change',
  'index-change',
  'bulk-load',
  'rebuild',
  'side-graph',
  'export',
] as const

export interface ExclusiveWork {
  readonly kind: (typeof exclusiveKinds)[number]
  readonly everyMs: number
  run(): Promise<void>
}

/** What is known of that which exclusive work changes; `pending` may or may not have happened. */
interface Toggle {
  name: string | null
  pending: string | null | undefined
}

interface RowsState {
  /** Of all rows; null: there are none. */
  generation: number | null
  pending: number | null | undefined
}

export class Exclusives {
  readonly #admin: SoakClient
  readonly #ledger: Ledger
  readonly #filesDirectory: string
  readonly #attribute: Toggle = { name: null, pending: undefined }
  readonly #rows: RowsState = { generation: null, pending: undefined }
  #hasIndex = false
  #number = 0
  readonly all: readonly ExclusiveWork[]

  constructor(admin: SoakClient, ledger: Ledger, filesDirectory: string) {
    this.#admin = admin
    this.#ledger = ledger
    this.#filesDirectory = filesDirectory
    this.all = [
      { kind: 'schema-change', everyMs: 10_000, run: () => this.#changeSchema() },
      { kind: 'index-change', everyMs: 10_000, run: () => this.#changeIndex() },
      { kind: 'bulk-load', everyMs: 15_000, run: () => this.#bulkLoad() },
      { kind: 'rebuild', everyMs: 20_000, run: () => this.#rebuild() },
      { kind: 'side-graph', everyMs: 20_000, run: () => this.#sideGraph() },
      { kind: 'export', everyMs: 60_000, run: () => this.#export() },
    ]
  }

  /** After a kill: what was under way has happened or not; no other state is right. */
  async settle(): Promise<void> {
    await this.#settleAttribute()
    await this.#settleRows()
    await this.#script('settle', `DROP GRAPH ${SIDE} CASCADE\nDROP EDGE Link\nDROP VERTEX Spot`)
    this.#clearExports()
  }

  async #changeSchema(): Promise<void> {
    const { name } = this.#attribute
    const next = name === null ? `extra${this.#number++ % ATTRIBUTE_NAMES}` : null
    const change =
      next === null
        ? { dropAttributes: [name] }
        : { addAttributes: [{ AttributeName: next, AttributeType: { Name: 'INT' } }] }
    this.#attribute.pending = next
    const answer = await this.#admin.send('schema-change', {
      method: 'POST',
      path: `/gsql/v1/schema/change?graph=${GRAPH}`,
      body: { alterVertexTypes: [{ name: 'Item', ...change }] },
    })
    if (answer === null) return
    this.#attribute.name = next
    this.#attribute.pending = undefined
    await this.#settleAttribute()
  }

  async #settleAttribute(): Promise<void> {
    const { name, pending } = this.#attribute
    const path = `/gsql/v1/schema/vertices/Item?graph=${GRAPH}`
    const answer = await this.#admin.send('schema-change', { method: 'GET', path })
    if (answer === null) return
    const attributes = valueAt(answer.body, 'results.Attributes') as { AttributeName: string }[]
    const names = attributes.map(({ AttributeName }) => AttributeName)
    const found = names.find((one) => one.startsWith('extra')) ?? null
    const isKnown = found === name || found === pending
    this.#ledger.expectEqual('schema-change', `attribute ${found}`, [isKnown, true])
    this.#attribute.name = found
    this.#attribute.pending = undefined
  }

  async #changeIndex(): Promise<void> {
    const path = '/gsql/v1/schema/indexes'
    const body = {
      vertex: 'Item',
      addIndexAttributes: [{ indexName: 'by_owner', attributeName: 'owner' }],
    }
    const answer = await (this.#hasIndex
      ? this.#admin.send(
          'index-change',
          { method: 'DELETE', path: `${path}/by_owner?vertex=Item` },
          ['INDEX_NOT_FOUND', 'UNKNOWN_INDEX'],
        )
      : this.#admin.send('index-change', { method: 'POST', path, body }, ['NAME_TAKEN']))
    if (answer !== null) this.#hasIndex = !this.#hasIndex
  }

  /** Every row is written anew with the next number; at times all rows are deleted first. */
  async #bulkLoad(): Promise<void> {
    const generation = this.#number++
    if (generation % 3 === 0) await this.#deleteRows()
    const lines = Array.from({ length: ROW_COUNT }, (_, row) => `${row},${generation},row ${row}\n`)
    writeFileSync(join(this.#filesDirectory, 'rows.csv'), lines.join(''))
    this.#rows.pending = generation
    const text = `USE GRAPH ${GRAPH}\nRUN LOADING JOB load_rows USING f="rows.csv"`
    const output = await this.#script('bulk-load', text)
    if (output === null) return
    if (!output.includes('LOAD SUCCESSFUL')) {
      this.#ledger.failed('bulk-load', 200, output)
      return
    }
    this.#rows.generation = generation
    this.#rows.pending = undefined
    await this.#settleRows()
  }

  async #deleteRows(): Promise<void> {
    this.#rows.pending = null
    const path = `/restpp/graph/${GRAPH}/vertices/BulkRow`
    const answer = await this.#admin.send('bulk-delete', { method: 'DELETE', path })
    if (answer === null) return
    this.#rows.generation = null
    this.#rows.pending = undefined
  }

  /** Rows of two numbers can only be seen while a request is without an answer. */
  async #settleRows(): Promise<void> {
    const { generation, pending } = this.#rows
    const counts: number[] = []
    for (const value of [generation, pending]) {
      if (typeof value === 'number') counts.push(await this.#countRows(`generation=${value}`))
    }
    const found = counts.reduce((sum, count) => sum + count, 0)
    const total = await this.#countRows('generation>=0')
    this.#ledger.expectEqual('bulk-load', 'rows of known numbers', [found, total])
    const isWhole = pending === undefined
    const expected = generation === null ? 0 : ROW_COUNT
    if (isWhole) this.#ledger.expectEqual('bulk-load', 'rows', [total, expected])
  }

  async #countRows(filter: string): Promise<number> {
    const path = `/restpp/graph/${GRAPH}/vertices/BulkRow?count_only=true&filter=${encodeURIComponent(filter)}`
    const answer = await this.#admin.send('bulk-count', { method: 'GET', path })
    return Number(valueAt(answer?.body, 'results.0.count'))
  }

  async #rebuild(): Promise<void> {
    const force = this.#number++ % 2 === 0
    const path = `/restpp/rebuildnow/${GRAPH}?force=${force}`
    await this.#admin.send('rebuild', { method: 'GET', path })
  }

  /** A graph of its own is made, filled, exported, dropped, imported, read and dropped again. */
  async #sideGraph(): Promise<void> {
    const kind = 'side-graph'
    await this.#script(
      kind,
      `CREATE VERTEX Spot (PRIMARY_ID id INT, n INT)
       CREATE DIRECTED EDGE Link (FROM Spot, TO Spot, w INT) WITH REVERSE_EDGE="BackLink"
       CREATE GRAPH ${SIDE} (Spot, Link)`,
    )
    const body = sideGraphData()
    await this.#admin.send(kind, { method: 'POST', path: `/restpp/graph/${SIDE}`, body })
    await this.#expectSide()
    const transfer = { path: 'side-export', graphNames: [SIDE] }
    const exported = await this.#transfer('/gsql/v1/db-export', transfer)
    await this.#script(kind, `DROP GRAPH ${SIDE} CASCADE\nDROP EDGE Link\nDROP VERTEX Spot`)
    if (exported) {
      await this.#transfer('/gsql/v1/db-import', transfer)
      await this.#expectSide()
      await this.#script(kind, `DROP GRAPH ${SIDE} CASCADE\nDROP EDGE Link\nDROP VERTEX Spot`)
    }
    this.#clearExports()
  }

  async #transfer(path: string, body: object): Promise<boolean> {
    const answer = await this.#admin.send('side-graph', { method: 'POST', path, body })
    const directory = valueAt(answer?.body, 'results.path')
    if (typeof directory === 'string') this.#exports.add(directory)
    return answer !== null
  }

  async #expectSide(): Promise<void> {
    const body = `INTERPRET QUERY () FOR GRAPH ${SIDE} { SumAccum<INT> @@n, @@w; S = {Spot.*};
      A = SELECT s FROM S:s ACCUM @@n += s.n;
      B = SELECT t FROM S:s -(Link>:e)- Spot:t ACCUM @@w += e.w; PRINT @@n, @@w; }`
    const call = { method: 'POST', path: '/gsql/v1/queries/interpret', body } as const
    const answer = await this.#admin.send('side-graph', call)
    const sum = (SIDE_COUNT * (SIDE_COUNT - 1)) / 2
    const expected = { '@@n': sum, '@@w': sum }
    if (answer === null) return
    this.#ledger.expectEqual('side-graph', 'sums', [valueAt(answer.body, 'results.0'), expected])
  }

  async #export(): Promise<void> {
    const answer = await this.#admin.send('export', {
      method: 'POST',
      path: '/gsql/v1/db-export',
      body: { path: `whole-${this.#number++}`, graphNames: [GRAPH] },
    })
    if (answer === null) return
    this.#exports.add(String(valueAt(answer.body, 'results.path')))
    const files = valueAt(answer.body, 'results.files') as { type: string; count: number }[]
    const fixed = files.find(({ type }) => type === 'Fixed')
    this.#ledger.expectEqual('export', 'Fixed', [fixed?.count, FIXED_COUNT])
    this.#clearExports()
  }

  readonly #exports = new Set<string>()

  #clearExports(): void {
    for (const directory of this.#exports) {
      if (existsSync(directory)) rmSync(directory, { recursive: true })
    }
    this.#exports.clear()
  }

  /** @returns what the script printed; null when the request failed */
  async #script(kind: string, body: string): Promise<string | null> {
    const call = { method: 'POST', path: '/gsql/v1/statements', body } as const
    const answer = await this.#admin.send(kind, call)
    return answer?.text ?? null
  }
}

function sideGraphData(): object {
  const numbers = Array.from({ length: SIDE_COUNT }, (_, number) => number)
  return {
    vertices: { Spot: Object.fromEntries(numbers.map((n) => [n, { n: { value: n } }])) },
    edges: {
      Spot: Object.fromEntries(
        numbers.map((n) => [
          n,
          { Link: { Spot: { [(n * 7) % SIDE_COUNT]: { w: { value: n } } } } },
        ]),
      ),
    },
  }
}
