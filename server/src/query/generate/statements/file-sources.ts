/** Reading files: SelectVertex and LOADACCUM; and vertices by their ids. */
import type { BoundFileSource, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

type Node<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>

export function vertexOfId(unit: Unit, node: Node<'vertexOfId'>, scope: Scope): string {
  const id = unit.expression(node.id, scope)
  return unit.call('vertexOfId', id, unit.expression(node.typeName, scope))
}

export function verticesOfIds(unit: Unit, node: Node<'verticesOfIds'>, scope: Scope): string {
  const type = unit.bind(`type ${JSON.stringify(node.ids.type)}`, () => node.ids.type)
  const ids = unit.expression(node.ids, scope)
  const typeName = unit.expression(node.typeName, scope)
  return unit.call('verticesOfIds', unit.codec(node.type), type, ids, typeName)
}

export function selectVertex(unit: Unit, node: Node<'selectVertex'>, scope: Scope): string {
  const { idColumn, typeColumn, typeName } = node
  const spec = unit.bind(`select ${JSON.stringify([idColumn, typeColumn, typeName])}`, () => ({
    idColumn,
    typeColumn,
    typeName,
  }))
  return unit.call(
    'selectVertex',
    unit.codec(node.type),
    spec,
    sourceCode(unit, node.source, scope),
  )
}

export function emitLoadAccum(
  unit: Unit,
  statement: Extract<BoundStatement, { kind: 'loadAccum' }>,
  scope: Scope,
): void {
  const { slot, sources, shape, resets } = statement
  if (resets) unit.line(`${unit.call('clearBlock', `g${slot}`)};`)
  for (const { file, columns } of sources) {
    const loaded = { columns, ...shape }
    const spec = unit.bind(`load ${JSON.stringify(loaded)}`, () => loaded)
    unit.line(`${unit.call('loadAccum', `g${slot}`, spec, sourceCode(unit, file, scope))};`)
  }
}

/** Path, separator and header flag in one array. */
function sourceCode(
  unit: Unit,
  { path, separator, header }: BoundFileSource,
  scope: Scope,
): string {
  const parts = [path, separator, header].map((part) => unit.expression(part, scope))
  return `[${parts.join(',')}]`
}
