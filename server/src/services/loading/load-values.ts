/** The column expressions that a statement of a loading job holds, wherever they stand. */
import type {
  ConditionSyntax,
  DeleteTarget,
  EndSyntax,
  LoadTarget,
  OperandSyntax,
  ValueSyntax,
} from '#query/syntax/script/ast-script.ts'

export function valuesOf(target: LoadTarget | DeleteTarget): ValueSyntax[] {
  const inCondition = target.condition === null ? [] : conditionValues(target.condition)
  if (target.kind === 'deleteVertex') return [target.id, ...inCondition]
  if (target.kind === 'deleteEdge') {
    const { from, to, discriminator } = target
    return [...endValues(from), ...(to ? endValues(to) : []), ...discriminator, ...inCondition]
  }
  if (target.kind !== 'edge') return [...target.values, ...inCondition]
  const ends = [target.from, target.to].flatMap(endValues)
  return [...ends, ...target.values, ...inCondition]
}

function endValues({ id, type }: EndSyntax): ValueSyntax[] {
  return [...id, ...(type ? [type] : [])]
}

export function conditionValues(condition: ConditionSyntax): ValueSyntax[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...conditionValues(condition.left), ...conditionValues(condition.right)]
    case 'not':
      return conditionValues(condition.operand)
    case 'compare':
      return [condition.left, condition.right].flatMap(operandValues)
    case 'between':
      return [condition.operand, condition.low, condition.high].flatMap(operandValues)
    case 'in':
      return [condition.operand, ...condition.values].flatMap(operandValues)
    default:
      return operandValues(condition.operand)
  }
}

function operandValues(operand: OperandSyntax): ValueSyntax[] {
  if (operand.kind === 'token') return [operand.value]
  return operand.kind === 'number' ? [] : [operand.left, operand.right].flatMap(operandValues)
}

/** What a value is made of. */
export function partsOf(value: ValueSyntax): readonly ValueSyntax[] {
  switch (value.kind) {
    case 'call':
      return value.arguments
    case 'reduce':
      return [value.value]
    case 'entry':
      return [value.key, value.value]
    default:
      return []
  }
}

/** One more than the highest position that is read. */
export function positionsIn(value: ValueSyntax): number {
  if (value.kind === 'position') return value.position + 1
  return Math.max(0, ...partsOf(value).map(positionsIn))
}

/** Names of the columns that are read. */
export function columnsIn(value: ValueSyntax): string[] {
  if (value.kind === 'column') return value.path.slice(0, 1)
  return partsOf(value).flatMap(columnsIn)
}

/** The names that lead to each column that is read, outermost first. */
export function pathsIn(value: ValueSyntax): (readonly string[])[] {
  if (value.kind === 'column') return [value.path]
  return partsOf(value).flatMap(pathsIn)
}
