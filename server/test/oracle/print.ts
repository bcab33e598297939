/** Printed values as trees that say where order counts, and their comparison with an answer. */
import { formatDatetime } from '#kernel/datetime.ts'
import type { TupleValueType, ValueType } from '#query/ir/types.ts'
import { type PrintedPart, printedMembers } from '#query/runtime/output/printed-parts.ts'
import type { State } from './state.ts'
import { ArrayState, type MapState } from './table-states.ts'
import { realText } from './texts.ts'
import { type EdgeValue, Unsupported, type Value, type Vertex } from './values.ts'

export type Printed =
  /** JSON text as it stands. */
  | { readonly kind: 'raw'; readonly json: string }
  /** A real number: the last digits may differ with the order of a sum. */
  | { readonly kind: 'real'; readonly json: string; readonly digits: number }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Printed[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Printed])[] }

export function printedText(text: string): Printed {
  return { kind: 'raw', json: JSON.stringify(text) }
}

export function printedBits(value: bigint, lengthBits: number): Printed {
  return printedText(BigInt.asUintN(lengthBits, value).toString(2).padStart(lengthBits, '0'))
}

/** @param inside as an element of a collection, where a DATETIME prints as a number */
export function printedValue(value: Value, type: ValueType, inside: boolean): Printed {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
    case 'BOOL':
      return { kind: 'raw', json: String(value) }
    case 'FLOAT':
      return printedReal(value as number, 7)
    case 'DOUBLE':
      return printedReal(value as number, 16)
    case 'STRING':
      return printedText(value as string)
    case 'DATETIME':
      if (inside) return { kind: 'raw', json: String(value) }
      return printedText(formatDatetime(value as number))
    case 'JSONOBJECT':
    case 'JSONARRAY':
      return { kind: 'raw', json: value as string }
    case 'VERTEX':
      return printedText((value as Vertex | null)?.id ?? '')
    case 'EDGE':
      return printedEdge(value as EdgeValue | null)
    case 'TUPLE':
      return printedTuple(value as readonly Value[], type)
    case 'LIST':
      if (value instanceof ArrayState) return printedArray(value, type)
      return printedItems(value as State, type.element, true)
    case 'SET':
    case 'BAG':
      return printedItems(value as State, type.element, false)
    case 'HEAP':
      return printedItems(value as State, type.element, true)
    case 'GROUPS':
      return printedItems(value as State, type.row, false)
    case 'MAP': {
      const members = (value as MapState).entries().map(({ key, value: item }) => {
        return [keyText(key, type.key), printedValue(item.read(), type.value, true)] as const
      })
      return { kind: 'object', members }
    }
  }
}

function printedReal(value: number, digits: number): Printed {
  const text = realText(value, digits)
  return { kind: 'real', json: Number.isFinite(value) ? text : JSON.stringify(text), digits }
}

function printedItems(state: State, type: ValueType, isOrdered: boolean): Printed {
  const items = state.elements().map((item) => printedValue(item, type, true))
  return { kind: 'list', isOrdered, items }
}

function printedArray(array: ArrayState, type: ValueType): Printed {
  let element = type
  for (let i = 0; i < Math.max(1, array.lengths.length); i++) {
    if (element.kind === 'LIST') element = element.element
  }
  let next = 0
  const values = array.elements()
  const level = (dimension: number): Printed => {
    const items = Array.from({ length: array.lengths[dimension] ?? 0 }, () =>
      dimension + 1 < array.lengths.length
        ? level(dimension + 1)
        : printedValue(values[next++]!, element, true),
    )
    return { kind: 'list', isOrdered: true, items }
  }
  return level(0)
}

function printedTuple(values: readonly Value[], type: TupleValueType): Printed {
  const decoder = new TextDecoder()
  const part = (one: PrintedPart, inside: boolean): Printed => {
    if (one.kind === 'list') {
      return { kind: 'list', isOrdered: true, items: one.items.map((item) => part(item, true)) }
    }
    if (one.nullFlag >= 0 && values[one.nullFlag] === true) return { kind: 'raw', json: 'null' }
    return printedValue(values[one.field]!, type.fields[one.field]!.type, inside)
  }
  const members = printedMembers(type.fields.map(({ name }) => name))
  return {
    kind: 'object',
    members: members.map(({ key, part: one }) => [decoder.decode(key), part(one, false)] as const),
  }
}

function printedEdge(edge: EdgeValue | null): Printed {
  if (edge === null || edge.stored.isGone === true) return { kind: 'object', members: [] }
  const { stored, from, to, typeName } = edge
  const { discriminator } = stored
  return {
    kind: 'object',
    members: [
      ['e_type', printedText(typeName)],
      ['from_id', printedText(from.id)],
      ['from_type', printedText(from.typeName)],
      ['to_id', printedText(to.id)],
      ['to_type', printedText(to.typeName)],
      ['directed', { kind: 'raw', json: String(stored.directed) }],
      ...(discriminator === null ? [] : [['discriminator', printedText(discriminator)] as const]),
      [
        'attributes',
        {
          kind: 'object',
          members: stored.printed.map(([name, json]) => [name, { kind: 'raw', json }] as const),
        },
      ],
    ],
  }
}

function keyText(value: Value, type: ValueType): string {
  switch (type.kind) {
    case 'STRING':
      return value as string
    case 'VERTEX':
      return (value as Vertex | null)?.id ?? ''
    case 'FLOAT':
      return realText(value as number, 7)
    case 'DOUBLE':
      return realText(value as number, 16)
    case 'INT':
    case 'UINT':
    case 'BOOL':
    case 'DATETIME':
      return String(value)
    case 'TUPLE':
      return (value as readonly Value[])
        .map((field, i) => keyText(field, type.fields[i]!.type))
        .join(',')
    default:
      throw new Unsupported(`keys of ${type.kind}`)
  }
}
