/** After the match: POST-ACCUM clauses, HAVING, ORDER BY, LIMIT, and the assignment. */
import type { BoundOrderKey, BoundPostAccumClause } from '#query/ir/bound-select.ts'
import type { ValueType } from '#query/ir/types.ts'
import { isParallelPostAccum } from '#query/plan/parallel/parallel-shape.ts'
import { finishedCounts } from '#query/plan/parallel/shared-sets.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import type { SortKeyKind } from '#query/runtime/graph/sorter.ts'
import { enterGlobals } from '../accumulate/clause.ts'
import { enterDeferred } from '../accumulate/deferred.ts'
import { appliesTo } from '../expressions/expression.ts'
import { doubleOf } from '../expressions/integers.ts'
import { emitCounters, emitFinishedSets } from '../parallel/finished-sets.ts'
import {
  emitPartialFolds,
  emitPartials,
  enterPartials,
  foldsOf,
  noPartials,
  withPartials,
} from '../parallel/partial-blocks.ts'
import { type AssignmentGuard, emitDml, emitLocals } from '../statements/dml.ts'
import { type EmitLoop, fitsCells, inOnePiece, inParts } from '../text/part.ts'
import { emitRowLoop } from '../text/row-loop.ts'
import { type Scope, withVertex } from '../text/scope.ts'
import { clauseUsesTemporaries } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'

export function emitPostAccum(unit: Unit, plan: SelectPlan, scope: Scope): void {
  for (const clause of plan.select.postAccum) emitClause(unit, plan, clause, scope)
}

const immediately: AssignmentGuard = (_update, _scope, emit) => {
  emit()
}

function emitClause(
  unit: Unit,
  plan: SelectPlan,
  clause: BoundPostAccumClause,
  outer: Scope,
): void {
  const { position } = clause
  unit.line('{')
  const written = enterGlobals(unit, clause.effects, clause.snapshotGlobals)
  const deferred = enterDeferred(unit, clause.body, ({ kind }) => kind === 'globalAccum')
  const counts = finishedCounts(clause.body, clause.effects, unit.query)
  const finished = emitFinishedSets(unit, counts, '0')
  const { globals } = written.names
  const divides =
    !unit.isCallee && fitsCells(unit, globals) && isParallelPostAccum(clause, unit.query)
  const partials = divides ? enterPartials(unit, clause.body) : noPartials
  const own: Scope = {
    ...outer,
    finished,
    localPrefix: 'z',
    locals: clause.locals,
    deferred: deferred.queues,
    writes: { ...outer.writes, globals: written.names.globals },
    buffered: written.buffered,
  }
  const scope = withPartials(own, partials)
  const words = `m${position}`
  const loop = divides
    ? inParts(unit, globals, 'row', { folds: foldsOf(unit, partials) })
    : inOnePiece
  for (const typeId of plan.select.positions[position]!.typeIds) {
    const counting: EmitLoop = (items, body) =>
      loop(items, (range) => {
        emitCounters(unit, finished)
        emitPartials(unit, partials, range, () => body(range))
      })
    emitVertices(unit, { words, typeId, loop: counting }, (row) => {
      const inner = withVertex(scope, position, { typeId, row })
      const marked = clauseUsesTemporaries(clause, counts)
      if (marked) unit.line(`const tm=${unit.call('tempMark')};`)
      emitLocals(unit, clause.locals, scope.localPrefix)
      emitDml(unit, clause.body, { scope: inner, guard: immediately, skips: () => false })
      if (marked) unit.line(`${unit.call('tempRelease', 'tm')};`)
    })
    emitPartialFolds(unit, partials)
  }
  written.leave()
  deferred.apply(outer)
  unit.line('}')
}

/** A loop over the vertices of one type in a bitmap, by ascending row. */
export function emitVertices(
  unit: Unit,
  source: { readonly words: string; readonly typeId: number; readonly loop: EmitLoop },
  body: (row: string) => void,
): void {
  const [rows, count, row] = [unit.name('r'), unit.name('n'), unit.name('c')]
  unit.line(`{const ${rows}=${unit.call('rowsIn', source.words, source.typeId)};`)
  unit.line(`const ${count}=${unit.call('rowCountOf', rows, source.typeId)};`)
  source.loop(count, (range) => {
    emitRowLoop(unit, { rows, orAll: true, row, range, deep: false }, () => body(row))
  })
  unit.line('}')
}

export function emitResult(unit: Unit, plan: SelectPlan, scope: Scope): void {
  const { select } = plan
  if (select.resultSlot === null) return
  const words = `m${select.resultPosition}`
  if (select.having !== null || select.orderBy.length > 0) emitSorted(unit, plan, scope)
  else unit.line(`let rs=${unit.call('setOf', words)};`)
  if (select.limit !== null || select.offset !== null) {
    const count = (value: typeof select.limit, otherwise: string) =>
      value === null ? otherwise : doubleOf(unit, unit.expression(value, scope))
    const limit = count(select.limit, 'Infinity')
    unit.line(`rs=${unit.call('limitSet', 'rs', count(select.offset, '0'), limit)};`)
  }
  unit.line(`s${select.resultSlot}=rs;`)
}

/** Vertices that HAVING keeps go into a sorter with their keys, or into a new bitmap. */
function emitSorted(unit: Unit, plan: SelectPlan, scope: Scope): void {
  const { select } = plan
  const position = select.resultPosition
  const sorted = select.orderBy.length > 0
  const kinds = select.orderBy.flatMap(({ descending, value }) =>
    sortedScalars(value.type).map(({ kind }) => ({
      descending,
      strings: kind === 'STRING',
      wide: unit.wide ? wideKind(kind) : null,
    })),
  )
  const order = unit.bind(`order ${JSON.stringify(kinds)}`, () => kinds)
  unit.line(`const so=${sorted ? unit.call('newSorter', order) : unit.call('newWords')};`)
  for (const typeId of select.positions[position]!.typeIds) {
    emitVertices(unit, { words: `m${position}`, typeId, loop: inOnePiece }, (row) => {
      const inner = withVertex(scope, position, { typeId, row })
      if (select.having !== null) unit.line(`if(${unit.expression(select.having, inner)}){`)
      const vertex = unit.expression(vertexAt(position), inner)
      if (sorted) unit.line(`${unit.call('sortRow', 'so', vertex)};`)
      else unit.line(`{const u=${vertex};so[u>>>5]|=1<<(u&31);}`)
      emitSortKeys(unit, select.orderBy, inner)
      if (select.having !== null) unit.line('}')
    })
  }
  unit.line(`let rs=${sorted ? unit.call('sortedSet', 'so') : unit.call('setOf', 'so')};`)
}

/** A tuple is ordered by its fields, the first one first. */
function sortedScalars(type: ValueType, path = ''): { kind: string; path: string }[] {
  if (type.kind !== 'TUPLE') return [{ kind: type.kind, path }]
  return type.fields.flatMap((field, i) => sortedScalars(field.type, `${path}[${i}]`))
}

function wideKind(kind: string): SortKeyKind['wide'] {
  if (kind === 'INT') return 'signed'
  return kind === 'UINT' ? 'unsigned' : null
}

function emitSortKeys(unit: Unit, keys: readonly BoundOrderKey[], scope: Scope): void {
  let column = 0
  for (const key of keys) {
    const scalars = sortedScalars(key.value.type)
    if (appliesTo(scope, key.applies)) {
      const value = unit.name('w')
      unit.line(`const ${value}=${unit.expression(key.value, scope)};`)
      scalars.forEach(({ path }, i) => {
        unit.line(`${unit.call('sortKey', 'so', column + i, `${value}${path}`)};`)
      })
    }
    column += scalars.length
  }
}

function vertexAt(position: number) {
  return {
    kind: 'vertexAlias',
    type: { kind: 'VERTEX', typeIds: null },
    position,
  } as const
}
