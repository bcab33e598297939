/** Long runs of edges over tables of ids that are larger than the cache: what is looked at ahead changes nothing. */
import { describe, expect, it } from 'vitest'
import type { VertexType } from '#catalog/types.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { forEachOut } from '../adjacency/read.ts'
import { valueAt } from '../columns/read.ts'
import { findRow, idText } from '../ids/read.ts'
import { fieldOp } from './frame-format.ts'
import { FrameWriter } from './frame-writer.ts'

/** Their slots take two megabytes. */
const KNOWN_COUNT = 40_000
const EDGE_COUNT = 3_000

const runType = { edgeTypeId: 2, fromTypeId: 1, toTypeId: 1 }
const fields = [1, 2].map((attributeId) => ({ attributeId, op: fieldOp.set }))

function catalogFor(type: VertexType['primaryId']['type']) {
  const primaryId = { syntax: 'PRIMARY_ID', names: ['id'], type, asAttribute: false } as const
  return catalogOf(
    [vertexType(1, 'V', { primaryId })],
    [edgeType(2, 'E', [1, 1], { attributes: attributes({ text: 'STRING', count: 'INT' }) })],
  )
}

function writeKey(writer: FrameWriter, isNumeric: boolean, id: number): void {
  if (isNumeric) writer.bigintKey(BigInt(id))
  else writer.textKey(String(id))
}

function knownVertices(isNumeric: boolean): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertices(1, [])
  for (let id = 0; id < KNOWN_COUNT; id++) {
    writeKey(writer, isNumeric, id)
    writer.endEntry()
  }
  return writer.finish()
}

/** A third of the targets is new, a few edges are written twice, and sources repeat. */
function edges(isNumeric: boolean): { frame: Uint8Array; expected: Map<string, string> } {
  const writer = new FrameWriter(0)
  const expected = new Map<string, string>()
  writer.beginEdges(runType, fields)
  for (let i = 0; i < EDGE_COUNT; i++) {
    const source = Math.floor(i / 7) * 11
    const target = i % 3 === 0 ? KNOWN_COUNT + (i % 2_000) : (i * 31) % KNOWN_COUNT
    const text = 'x'.repeat(i % 200)
    if (i % 7 === 0) writeKey(writer, isNumeric, source)
    else writer.sameKey()
    writeKey(writer, isNumeric, target)
    writer.text(text)
    writer.raw(new Uint8Array(BigInt64Array.of(BigInt(i)).buffer), 0, 8)
    writer.endEntry()
    expected.set(`${source} ${target}`, `${text.length} ${i}`)
  }
  return { frame: writer.finish(), expected }
}

describe.each(['STRING', 'INT'] as const)('a long run of edges between %s ids', (type) => {
  it('applies each edge as it is', async () => {
    const isNumeric = type === 'INT'
    const engine = await engineWith(catalogFor(type))
    await engine.commit(knownVertices(isNumeric))
    const { frame, expected } = edges(isNumeric)
    await engine.commit(frame)
    const { vertexTables, edgeTables } = engine.view()
    const table = vertexTables[0]!
    const adjacency = edgeTables[0]!.adjacencies[0]!
    const [text, count] = adjacency.columns
    const found = new Map<string, string>()
    for (const source of new Set([...expected.keys()].map((pair) => pair.split(' ')[0]!))) {
      forEachOut(adjacency, findRow(table, source), (target, row) => {
        const length = String(valueAt(text!, row)).length
        found.set(`${source} ${idText(table.ids, target)}`, `${length} ${valueAt(count!, row)}`)
      })
    }
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    await engine.close()
  })
})
