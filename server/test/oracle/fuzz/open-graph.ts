/** An engine that holds the graph of a specification. */
import type { EdgeType, VertexType } from '#catalog/types.ts'
import type { GraphEngine } from '#graph/engine.ts'
import { tupleLookup, writeValue } from '#graph/mutate/frame-values.ts'
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { engineWith } from '../../fixtures/engine.ts'
import {
  catalogOf,
  type EdgeRow,
  type GraphSpec,
  isEdgeRow,
  type Operation,
  type Values,
} from './graph-spec.ts'

const noTuples = tupleLookup([])

export async function openGraph(spec: GraphSpec): Promise<GraphEngine> {
  const engine = await engineWith(catalogOf(spec))
  let frame = new FrameWriter(0)
  for (const operation of spec.operations) {
    if (operation.kind !== 'rebuild') {
      write(engine, frame, operation)
      continue
    }
    frame = await committed(engine, frame)
    await engine.rebuild()
  }
  await committed(engine, frame)
  return engine
}

async function committed(engine: GraphEngine, frame: FrameWriter): Promise<FrameWriter> {
  if (frame.entryCount > 0) await engine.commit(frame.finish())
  return new FrameWriter(0)
}

type RowOperation = Exclude<Operation, { kind: 'rebuild' }>

function write({ catalog }: GraphEngine, frame: FrameWriter, { kind, row }: RowOperation): void {
  const { vertexTypes, edgeTypes } = catalog
  const [name] = row
  if (isEdgeRow(row)) {
    const type = edgeTypes.find((one) => one.name === name)
    if (type !== undefined)
      writeEdge(vertexTypes, frame, { type, row, isDeleted: kind === 'delete' })
    return
  }
  const type = vertexTypes.find((one) => one.name === name)
  if (type === undefined) return
  const values = known(type, row[2] ?? {})
  if (kind === 'delete') frame.beginVertexDeletes(type.id)
  else frame.beginVertices(type.id, fieldsOf(type, values))
  key(frame, type, row[1])
  if (kind === 'put') writeValues(frame, type, values)
  frame.endEntry()
}

interface EdgeEntry {
  readonly type: EdgeType
  readonly row: EdgeRow
  readonly isDeleted: boolean
}

function writeEdge(
  vertexTypes: readonly VertexType[],
  frame: FrameWriter,
  { type, row, isDeleted }: EdgeEntry,
): void {
  const [, fromType, from, toType, to, values] = row
  const source = vertexTypes.find((one) => one.name === fromType)
  const target = vertexTypes.find((one) => one.name === toType)
  if (source === undefined || target === undefined) return
  const run = { edgeTypeId: type.id, fromTypeId: source.id, toTypeId: target.id }
  const isPair = type.pairs.some(
    (pair) => pair.fromTypeId === source.id && pair.toTypeId === target.id,
  )
  if (!isPair) return
  const fixed = type.attributes.slice(0, type.discriminatorCount)
  const given = known(isDeleted ? { attributes: fixed } : type, values)
  if (isDeleted) frame.beginEdgeDeletes(run)
  else frame.beginEdges(run, fieldsOf(type, given))
  key(frame, source, from)
  key(frame, target, to)
  writeValues(frame, type, given)
  frame.endEntry()
}

/** Values of the attributes that the type has, in its order. */
function known({ attributes }: Pick<VertexType, 'attributes'>, values: Values): Values {
  const names = attributes.map(({ name }) => name).filter((name) => name in values)
  return Object.fromEntries(names.map((name) => [name, values[name]!]))
}

function fieldsOf(type: VertexType | EdgeType, values: Values) {
  return Object.keys(values).map((name) => {
    const attribute = type.attributes.find((one) => one.name === name)!
    return { attributeId: attribute.id, op: 0 }
  })
}

function writeValues(frame: FrameWriter, type: VertexType | EdgeType, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const attribute = type.attributes.find((one) => one.name === name)!
    writeValue(frame, attribute.type, value, noTuples)
  }
}

function key(frame: FrameWriter, type: VertexType, id: string): void {
  if (type.primaryId.type === 'STRING') frame.textKey(id)
  else frame.bigintKey(BigInt(id))
}
