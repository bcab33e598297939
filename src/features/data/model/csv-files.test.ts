/// <reference types="node" />
/** The files that the server's loading jobs are tested with, as the console reads, maps and tries them. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sniffCsv } from '#lib/csv/csv-sniff.ts'
import type { SchemaModel, VertexModel } from '#lib/graph-schema/schema-model.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { csvChunks, dryRun } from './file-chunks.ts'
import type { LoadItem, RejectedItem } from './loader.ts'
import { guessMapping } from './mapping.ts'

const folder = 'server/test/fixtures/csv'
const names = readdirSync(folder).flatMap((file) => /^(.*)\.csv$/.exec(file)?.[1] ?? [])

interface Expected {
  readonly separator: string
  readonly rows: readonly (readonly [string, string, number | string, number])[]
  readonly rejected: readonly number[]
}

const vertex: VertexModel = {
  kind: 'vertex',
  name: 'SL',
  primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: false },
  attributes: ['name STRING', 'n INT', 'd DOUBLE'].map((text) => {
    const [name = '', type = ''] = text.split(' ')
    return { name, type, defaultText: null, isNew: false }
  }),
} as unknown as VertexModel
const schema: SchemaModel = { vertices: [vertex], edges: [] }

describe.each(names)('%s', (name) => {
  const text = readFileSync(`${folder}/${name}.csv`, 'utf8')
  const expected = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as Expected
  const file = new File([readFileSync(`${folder}/${name}.csv`)], `${name}.csv`)
  const shape = sniffCsv(text.replace(/^\ufeff/, ''))
  const columns = shape.columns.map((column) => column.name)
  const mapping = guessMapping(schema, vertex, columns)
  const reading = { ...shape, columns, mapping, nullText: '', encoding: 'utf-8' as const }

  it('has its delimiter and its header found', () => {
    expect(shape).toMatchObject({ delimiter: expected.separator, hasHeader: true })
    expect(columns).toEqual(['id', 'name', 'n', 'd'])
  })

  it('gives the rows that a loading job makes of it', async () => {
    const items: LoadItem[] = []
    const rejected: RejectedItem[] = []
    for await (const chunk of csvChunks(file, reading)) {
      items.push(...chunk.items)
      rejected.push(...chunk.rejected)
    }
    const values = items.map(({ fragment }) => {
      const [[id, given] = []] = Object.entries(parseLossless(`{${fragment}}`) as object)
      const { name: text = { value: '' }, n = { value: 0 }, d = { value: 0 } } = given
      return [id, text.value, String(n.value), d.value]
    })
    expect(values).toEqual(expected.rows.map(([id, text, n, d]) => [id, text, String(n), d]))
    // Lines without values are no rows here.
    const lines = text.split(/\r\n|\n|\r/)
    const wanted = expected.rejected.filter((line) => /[^\s,]/.test(lines[line - 1] ?? ''))
    expect(rejected).toHaveLength(wanted.length)
    expect(await dryRun(file, reading)).toMatchObject({
      rows: items.length + rejected.length,
      rejectedCount: rejected.length,
      first: items[0]?.fragment,
    })
  })
})
