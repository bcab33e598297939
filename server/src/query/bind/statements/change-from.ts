/** DELETE … FROM and UPDATE … FROM: a SELECT whose ACCUM makes the changes. */

import type { BoundSelect } from '#query/ir/bound-select.ts'
import type { Identifier } from '#query/syntax/ast.ts'
import type { PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SelectSyntax, Statement } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { bindSelect } from './select.ts'

type ChangeSyntax = Extract<Statement, { kind: 'deleteFrom' | 'updateFrom' }>

export function bindChangeFrom(binder: Binder, node: ChangeSyntax): BoundSelect {
  const { alias, patterns, where, range } = node
  const body: readonly Statement[] =
    node.kind === 'updateFrom' ? node.set : [{ kind: 'deleteAlias', alias, range }]
  const select: SelectSyntax = {
    kind: 'select',
    alias: someVertex(patterns, alias),
    patterns,
    sample: null,
    where,
    per: null,
    accum: { alias: null, body, range },
    postAccum: [],
    having: null,
    orderBy: [],
    limit: null,
    range,
  }
  binder.updating = node.kind === 'updateFrom'
  try {
    return { ...bindSelect(binder, select).select, resultSlot: null }
  } finally {
    binder.updating = false
  }
}

/** A SELECT names a vertex, whatever the change speaks of; the binder says when nothing fits. */
function someVertex(patterns: readonly PathSyntax[], changed: Identifier): Identifier {
  const nodes = patterns.flatMap((path) => path.nodes)
  const own = nodes.find(({ alias }) => alias?.name === changed.name)
  const isEdge = patterns.some(({ edges }) =>
    edges.some(({ alias }) => alias?.name === changed.name),
  )
  const [first] = nodes
  if (own !== undefined || !isEdge || first === undefined) return changed
  const [type, second] = first.types
  const named = type?.kind === 'name' && second === undefined ? type.name : '#0'
  return first.alias ?? { name: named, range: changed.range }
}
