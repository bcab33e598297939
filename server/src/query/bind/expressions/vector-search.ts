/** `vectorSearch({V.emb}, vector, k, {candidate_set: S, distance_map: @@m, ef: n})` (docs/reference/gsql/functions.md#vectors). */
import type { VectorAttribute } from '#catalog/types.ts'
import type {
  BoundExpression,
  BoundVectorSearch,
  BoundVertexSetExpression,
} from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { INT, readTypeOf } from '#query/ir/types.ts'
import { isFloating, sortedIds } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder, BoundSet } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { bindVector } from './vector-functions.ts'

/** Stands in the query's body only: it may write an accumulator. */
export function bindVectorSearch(binder: Binder, node: CallSyntax): BoundSet {
  const [attributesNode, queryNode, countNode, optionsNode, more] = node.arguments
  if (!attributesNode || !queryNode || !countNode || more !== undefined) {
    const message = 'vectorSearch takes attributes, a vector, a number and options'
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  if (binder.clause !== null) {
    const message = 'vectorSearch stands in the body of a query, not in a clause'
    binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const attributes = bindAttributes(binder, attributesNode)
  const { dimension, metric } = attributes[0]!.vector.type
  const set: BoundVectorSearch = {
    kind: 'vectorSearch',
    attributes: attributes.map(({ typeId, vector }) => ({ typeId, attributeId: vector.id })),
    metric,
    dimension,
    query: bindVector(binder, queryNode),
    count: convertTo(binder, binder.expression(countNode), INT, countNode.range),
    ...bindOptions(binder, optionsNode),
  }
  return { set, typeIds: sortedIds(attributes.map(({ typeId }) => typeId)) }
}

interface Searched {
  readonly typeId: number
  readonly vector: VectorAttribute
}

function bindAttributes(binder: Binder, node: Expression): readonly Searched[] {
  if (node.kind !== 'seed' || node.items.length === 0) {
    const message = 'expected the attributes to search: {V.emb, …}'
    return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
  }
  const found = node.items.map(({ value }) => bindAttribute(binder, value))
  const [first] = found
  const { dimension, metric } = first!.vector.type
  found.forEach(({ vector: { type } }, index) => {
    if (type.dimension === dimension && type.metric === metric) return
    const message = 'vectors that are searched together have one dimension and one metric'
    binder.fail(diagnosticCodes.typeMismatch, node.items[index]!.value.range, message)
  })
  return found
}

function bindAttribute(binder: Binder, node: Expression): Searched {
  if (node.kind !== 'member' || node.of.kind !== 'name') {
    const message = 'expected a vector attribute: V.emb'
    return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
  }
  const { name: typeName, range } = node.of
  const type = binder.schema.vertexType(typeName)
  if (type === undefined) {
    const hint = binder.schema.hintOf(typeName, binder.schema.vertexNames())
    const message = `no vertex type "${typeName}"${hint}`
    return binder.fail(diagnosticCodes.unknownVertexType, range, message)
  }
  const vector = binder.schema.vector(type.id, node.name.name)
  if (vector === undefined) return failVector(binder, type, node.name)
  binder.vertexTypesUsed.add(type.id)
  binder.useAttribute(type.id, vector.id)
  return { typeId: type.id, vector }
}

function failVector(
  binder: Binder,
  type: { readonly name: string; readonly vectors?: readonly VectorAttribute[] },
  { name, range }: { readonly name: string; readonly range: SourceRange },
): never {
  const hint = binder.schema.hintOfVector(name, type.vectors ?? [])
  const message = `${type.name} has no vector attribute "${name}"${hint}`
  return binder.fail(diagnosticCodes.noSuchAttribute, range, message)
}

const OPTIONS = ['candidate_set', 'distance_map', 'ef']

type Options = Pick<BoundVectorSearch, 'candidates' | 'distances' | 'width'>

function bindOptions(binder: Binder, node: Expression | undefined): Options {
  let candidates: BoundVertexSetExpression | null = null
  let distances: number | null = null
  let width: BoundExpression | null = null
  if (node === undefined) return { candidates, distances, width }
  if (node.kind !== 'seed') {
    const message = 'expected options: {candidate_set: S, distance_map: @@m, ef: n}'
    return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
  }
  for (const { key, value } of node.items) {
    switch (key?.toLowerCase()) {
      case 'candidate_set':
        candidates = binder.rules.vertexSet(binder, value).set
        break
      case 'distance_map':
        distances = bindDistances(binder, value)
        break
      case 'ef':
        width = convertTo(binder, binder.expression(value), INT, value.range)
        break
      default: {
        const which = key === null ? 'an option without a name' : `no option "${key}"`
        const hint = key === null ? '' : suggest(key, OPTIONS)
        const message = `${which}: vectorSearch has ${OPTIONS.join(', ')}${hint}`
        binder.fail(diagnosticCodes.typeMismatch, value.range, message)
      }
    }
  }
  return { candidates, distances, width }
}

function bindDistances(binder: Binder, node: Expression): number {
  if (node.kind === 'globalAccum') {
    const slot = binder.accumSlot(`@@${node.name}`, node.range)
    const { type } = binder.globalAccums[slot]!
    const read = readTypeOf(type)
    if (type.kind === 'MapAccum' && read.kind === 'MAP') {
      if (read.key.kind === 'VERTEX' && isFloating(read.value)) return slot
    }
  }
  const message = 'distance_map takes a global MapAccum<VERTEX, FLOAT>'
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}
