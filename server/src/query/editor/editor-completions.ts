/** What the editor offers at a place, from what the binder said of it. */

import { mutatorsOf } from '#query/bind/accumulators/mutate.ts'
import type { ProbeContext, VisibleName } from '#query/bind/core/probe.ts'
import type { Schema } from '#query/bind/core/schema.ts'
import { accessorsOf } from '#query/bind/expressions/methods.ts'
import { functions } from '#query/ir/function-table.ts'
import type { AccumType, ValueType } from '#query/ir/types.ts'
import { readTypeOf } from '#query/ir/types.ts'
import { typeText } from '#query/ir/value-types.ts'
import { KEYWORDS, TYPE_WORDS } from './editor-words.ts'

export interface EditorCompletion {
  readonly label: string
  readonly kind: 'keyword' | 'type' | 'attribute' | 'edge' | 'accumulator' | 'variable' | 'function'
  readonly detail?: string
  readonly info?: string
  /** What is inserted; the label unless given. */
  readonly insert?: string
}

export function completionsFor(
  context: ProbeContext,
  schema: Schema,
  marks: string,
): EditorCompletion[] {
  switch (context.kind) {
    case 'member':
      return memberCompletions(schema, context.type, context.accum)
    case 'accum':
      return context.accums.map(({ name, type }) => ({
        label: `${marks}${name}`,
        kind: 'accumulator',
        detail: typeText(readTypeOf(type), (id) => schema.nameOf(id)),
      }))
    case 'edge':
      return context.edges.map((name) => edgeCompletion(schema, name))
    case 'vertexSet':
      return [...namesOf(schema, context.names), ...vertexTypes(schema)]
    case 'name':
      return [
        ...namesOf(schema, context.names),
        ...functionCompletions(),
        ...KEYWORDS.map((label): EditorCompletion => ({ label, kind: 'keyword' })),
      ]
  }
}

/** Where the text around does not parse: everything that has a fixed spelling. */
export function generalCompletions(schema: Schema | null): EditorCompletion[] {
  const types = TYPE_WORDS.map(
    ([label, detail]): EditorCompletion => ({ label, kind: 'type', detail }),
  )
  const keywords = KEYWORDS.map((label): EditorCompletion => ({ label, kind: 'keyword' }))
  const names = schema === null ? [] : [...vertexTypes(schema), ...edgeTypes(schema)]
  return [...keywords, ...types, ...names, ...functionCompletions()]
}

function memberCompletions(
  schema: Schema,
  type: ValueType,
  accum: AccumType | null,
): EditorCompletion[] {
  if (type.kind === 'VERTEX' || type.kind === 'EDGE') return elementMembers(schema, type)
  const nameOf = (id: number) => schema.nameOf(id)
  const fields =
    type.kind === 'TUPLE'
      ? type.fields.map(
          ({ name, type: field }): EditorCompletion => ({
            label: name,
            kind: 'attribute',
            detail: typeText(field, nameOf),
          }),
        )
      : []
  const readers = [...accessorsOf(type)].map(
    ([name, { result }]): EditorCompletion => method(name, typeText(result, nameOf)),
  )
  const changers = [...mutatorsOf(type, accum).keys()].map((name) => method(name, 'changes it'))
  return [...fields, ...readers, ...changers]
}

function method(name: string, detail: string): EditorCompletion {
  return { label: name, kind: 'function', detail, insert: `${name}()` }
}

function elementMembers(
  schema: Schema,
  type: Extract<ValueType, { kind: 'VERTEX' | 'EDGE' }>,
): EditorCompletion[] {
  const vertex = type.kind === 'VERTEX'
  const all = vertex ? schema.allVertexTypeIds() : schema.allEdgeTypeIds()
  const typeIds = type.typeIds ?? all
  const attributes = schema.attributeNames(typeIds).map((name): EditorCompletion => {
    const infos = typeIds.flatMap((id) => schema.attribute(id, name) ?? [])
    const owners = infos.map(({ typeId }) => schema.nameOf(typeId)).join(', ')
    const detail = infos[0] === undefined ? '' : typeText(infos[0].type)
    return { label: name, kind: 'attribute', detail, info: `attribute of ${owners}` }
  })
  const typeName: EditorCompletion = {
    label: 'type',
    kind: 'attribute',
    detail: 'STRING',
    info: 'name of its type',
  }
  const methods = vertex ? [method('outdegree', 'INT')] : []
  return [...attributes, typeName, ...methods]
}

function namesOf(schema: Schema, names: readonly VisibleName[]): EditorCompletion[] {
  return names.map(({ name, type, what }) => ({
    label: name,
    kind: 'variable',
    detail: type === null ? what : `${what} ${typeText(type, (id) => schema.nameOf(id))}`,
  }))
}

function vertexTypes(schema: Schema): EditorCompletion[] {
  return schema.vertexNames().map((label) => ({ label, kind: 'type', detail: 'vertex type' }))
}

function edgeTypes(schema: Schema): EditorCompletion[] {
  return schema.edgeNames().map((name) => edgeCompletion(schema, name))
}

function edgeCompletion(schema: Schema, name: string): EditorCompletion {
  const { type, reversed } = schema.edge(name)!
  const [first] = type.pairs
  if (first === undefined) return { label: name, kind: 'edge' }
  const ends = [schema.nameOf(first.fromTypeId), schema.nameOf(first.toTypeId)]
  const [from, to] = reversed ? ends.reverse() : ends
  const more = type.pairs.length > 1 ? ' …' : ''
  return {
    label: name,
    kind: 'edge',
    detail: `${from} ${type.directed ? '->' : '--'} ${to}${more}`,
  }
}

function functionCompletions(): EditorCompletion[] {
  return [...functions.values()].map(({ name, parameters, summary }) => ({
    label: name,
    kind: 'function',
    detail: `(${parameters.join(', ')})`,
    info: summary,
  }))
}
