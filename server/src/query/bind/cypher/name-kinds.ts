/**
 * What names stand for in openCypher: a node, a relationship or another value, and one of them throughout (openCypher 9,
 * "Variables"). A relationship's name may be used again in a later MATCH, where it is a new one.
 */
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import { typeText } from '#query/ir/value-types.ts'
import type { Identifier } from '#query/syntax/ast.ts'
import type { PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { Binder } from '../core/binder.ts'
import { edgeAliasesOf, vertexAliasesOf } from './paths.ts'
import type { Table } from './working-table.ts'
import { shownName } from './written-lists.ts'

/** `a node`, `a relationship`, or what value it is: as messages say it. */
type NameKind = string

const NODE = 'a node'
const RELATIONSHIP = 'a relationship'

/** What is known where a clause with patterns begins. */
interface Before {
  readonly binder: Binder
  readonly table: Table | null
  readonly paths: readonly PathSyntax[]
}

/** @throws BindFailure where a pattern of `paths` gives a name another kind, or names two relationships alike */
export function checkNameKinds(before: Before, paths: readonly PathSyntax[]): void {
  const { binder } = before
  const kinds = kindsBefore(before)
  const own = new Set<string>()
  for (const { name, range, kind } of paths.flatMap(namesOf)) {
    const known = kinds.get(name) ?? kind
    if (known !== kind) {
      const message = `"${name}" is ${known}: it cannot be the name of ${kind}`
      binder.fail(diagnosticCodes.duplicate, range, message)
    }
    if (kind === RELATIONSHIP && own.has(name)) {
      const message = `"${name}" is the name of two relationships of one clause`
      binder.fail(diagnosticCodes.duplicate, range, message)
    }
    kinds.set(name, kind)
    own.add(name)
  }
}

function kindsBefore({ binder, table, paths }: Before): Map<string, NameKind> {
  const columns = (table?.columns ?? []).flatMap(({ name, isNull }): [string, NameKind][] => {
    // A list by its elements has a column for each of them.
    if (shownName(name) !== name) return [[shownName(name), 'a list']]
    const type = table!.row.fields.find((field) => field.name === name)?.type
    return type === undefined || isNull === true ? [] : [[name, kindOf(binder, type)]]
  })
  const nodes = paths.flatMap(vertexAliasesOf).map((name) => [name, NODE] as const)
  const edges = paths.flatMap(edgeAliasesOf).map((name) => [name, RELATIONSHIP] as const)
  return new Map([...columns, ...nodes, ...edges])
}

function kindOf(binder: Binder, type: ValueType): NameKind {
  if (type.kind === 'VERTEX') return NODE
  if (type.kind === 'EDGE') return RELATIONSHIP
  return `a value of type ${typeText(type, (id) => binder.schema.nameOf(id))}`
}

/** The names of a path in the order in which they are written. */
function namesOf({ nodes, edges }: PathSyntax): (Identifier & { readonly kind: NameKind })[] {
  return nodes.flatMap(({ alias }, place) => {
    const edge = edges[place]
    const edgeAlias = edge?.type?.kind === 'repeat' ? null : (edge?.alias ?? null)
    return [
      ...(alias === null ? [] : [{ ...alias, kind: NODE }]),
      ...(edgeAlias === null ? [] : [{ ...edgeAlias, kind: RELATIONSHIP }]),
    ]
  })
}
