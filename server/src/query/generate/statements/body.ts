/** Statements of the query's body. */
import type { BoundAccum, BoundStatement } from '#query/ir/bound.ts'
import { emitRegister, emitUpdate } from '../accumulate/accum-write.ts'
import { emitCellFold } from '../accumulate/cell-fold.ts'
import { emitMutation } from '../accumulate/mutation.ts'
import { registerKind } from '../expressions/accum-kinds.ts'
import { doubleOf } from '../expressions/integers.ts'
import { emitSelect } from '../select/select.ts'
import type { Scope } from '../text/scope.ts'
import { usesTemporaries } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { emitChange } from './changes.ts'
import { emitForeach, emitIf, emitWhile } from './control.ts'
import { variableValue } from './dml.ts'
import { emitTry, raiseText } from './exceptions.ts'
import { emitLoadAccum } from './file-sources.ts'
import { emitLog, emitPrintln } from './files.ts'
import { emitPrint } from './print.ts'
import { returnedCode } from './returned.ts'

export function emitBody(unit: Unit, statements: readonly BoundStatement[], scope: Scope): void {
  unit.depth++
  for (const statement of statements) {
    const line = statement.place.line
    if (unit.isCallee) unit.line(`${unit.poll('0', '0')};`)
    else {
      const id = unit.statements.push({ statement, depth: unit.depth }) - 1
      unit.line(`${unit.call('statement', line, id)};`)
    }
    if (unit.query.virtualEdges.length > 0) emitSettle(unit)
    emitReleasing(unit, statement, scope)
    if (makesSets.has(statement.kind)) unit.line(keepText(unit))
  }
  unit.depth--
}

/** What the statement before has done to virtual edges of this query is seen from here on. */
function emitSettle(unit: Unit): void {
  const ids = unit.query.virtualEdges.map(({ id }) => id)
  const tables = unit.bind(`virtual ${ids.join()}, all`, (env) =>
    ids.map((id) => env.virtual.tableOf(id)),
  )
  unit.line(`${unit.call('settleVirtual', tables)};`)
}

const nested: ReadonlySet<string> = new Set(['if', 'while', 'foreach', 'try'])

/** Temporaries of a simple statement live as long as it does. */
function emitReleasing(unit: Unit, statement: BoundStatement, scope: Scope): void {
  const releases = !nested.has(statement.kind) && usesTemporaries(statement)
  if (releases) unit.line(`{const tm=${unit.call('tempMark')};`)
  emitStatement(unit, statement, scope)
  if (releases) unit.line(`${unit.call('tempRelease', 'tm')};}`)
}

function emitStatement(unit: Unit, statement: BoundStatement, scope: Scope): void {
  const body = (inner: readonly BoundStatement[]) => emitBody(unit, inner, scope)
  switch (statement.kind) {
    case 'declareAccum':
      emitDeclaration(unit, statement, scope)
      return
    case 'setVariable':
      unit.line(
        `x${statement.slot}=${variableValue(unit, statement, scope, `x${statement.slot}`)};`,
      )
      return
    case 'declareVirtual': {
      const { edgeTypeId, defaults } = statement
      const table = unit.bind(`virtual ${edgeTypeId}`, (env) => env.virtual.tableOf(edgeTypeId))
      const values = defaults.map((value) => unit.expression(value, scope))
      unit.line(`${unit.call('declareVirtual', table, `[${values.join(',')}]`)};`)
      return
    }
    case 'updateAccum':
      inBlock(unit, () => emitUpdate(unit, statement, scope))
      return
    case 'mutate':
      inBlock(unit, () => emitMutation(unit, statement, scope))
      return
    case 'assignVertexSet':
      unit.line(`s${statement.slot}=${unit.vertexSet(statement.value, scope)};`)
      return
    case 'select':
      unit.line(emitSelect(unit, statement, scope))
      return
    case 'print':
      if (!unit.isCallee || statement.toCsv !== null) emitPrint(unit, statement, scope)
      return
    case 'if':
      emitIf(unit, statement, { scope, body })
      return
    case 'while':
      emitWhile(unit, statement, { scope, body })
      return
    case 'foreach':
      emitForeach(unit, statement, {
        scope,
        body,
        variable: (slot) => `x${slot}`,
        releases: true,
      })
      return
    case 'break':
    case 'continue':
      unit.line(`${statement.kind};`)
      return
    case 'return':
      unit.line(`return ${returnedValue(unit, statement, scope)};`)
      return
    case 'callStatement':
      unit.line(`${unit.expression(statement.call, scope)};`)
      return
    default:
      emitEffect(unit, statement, scope)
  }
}

type Effect = Extract<
  BoundStatement,
  | { readonly kind: 'setAttribute' | 'insertVertex' | 'insertEdge' | 'deleteElement' }
  | { readonly kind: 'loadAccum' | 'openFile' | 'println' | 'raise' | 'try' | 'log' }
>

/** What reaches outside the query's own state, and exceptions. */
function emitEffect(unit: Unit, statement: Effect, scope: Scope): void {
  switch (statement.kind) {
    case 'setAttribute':
    case 'insertVertex':
    case 'insertEdge':
    case 'deleteElement':
      inBlock(unit, () => emitChange(unit, statement, scope))
      return
    case 'loadAccum':
      emitLoadAccum(unit, statement, scope)
      return
    case 'openFile':
      unit.line(`${unit.call('openFile', unit.expression(statement.path, scope))};`)
      return
    case 'println':
      emitPrintln(unit, statement, scope)
      return
    case 'raise':
      unit.line(`${raiseText(unit, statement, scope)};`)
      return
    case 'try':
      emitTry(unit, statement, (inner) => emitBody(unit, inner, scope))
      return
    default:
      emitLog(unit, statement, scope)
  }
}

const makesSets: ReadonlySet<string> = new Set([
  'select',
  'assignVertexSet',
  'print',
  'setVariable',
])

/** Bitmaps that no variable holds are free again. */
function keepText(unit: Unit): string {
  const sets = unit.query.vertexSets.map((_, i) => `s${i}`)
  return `${unit.call('keepSets', `[${sets.join(',')}]`)};`
}

function inBlock(unit: Unit, emit: () => void): void {
  unit.line('{')
  emit()
  unit.line('}')
}

type Declaration = Extract<BoundStatement, { kind: 'declareAccum' }>

/** A reached declaration gives every instance its initial value, the second time too. */
function emitDeclaration(unit: Unit, statement: Declaration, scope: Scope): void {
  const { global, slot, empties } = statement
  const declared = (global ? unit.query.globalAccums : unit.query.vertexAccums)[slot]!
  const kind = registerKind(unit, declared.type)
  const accum = empties && kind === null ? { ...declared, initial: null } : declared
  unit.line('{')
  if (kind === null) emitCellDeclaration(unit, { accum, global, slot }, scope)
  else {
    const initial = emitInitial(unit, accum, scope)
    if (global) declareGlobal(unit, slot, initial)
    else declareColumns(unit, { slot, column: kind.column, average: kind.fold === 'avg' }, initial)
  }
  unit.line('}')
}

interface Initial {
  readonly state: string
  readonly count: string
}

/** The declared value folded into the type's own start. */
function emitInitial(unit: Unit, accum: BoundAccum, scope: Scope): Initial {
  const kind = registerKind(unit, accum.type)!
  const [state, count] = [unit.name('l'), unit.name('l')]
  unit.line(`let ${state}=${kind.initial},${count}=0;`)
  if (accum.initial?.kind === 'scalar') {
    const scalar = unit.name('w')
    unit.line(`const ${scalar}=${unit.expression(accum.initial.value, scope)};`)
    emitRegister(unit, kind, { state, count }, { scalar, assign: true })
  }
  return { state, count }
}

function declareGlobal(unit: Unit, slot: number, initial: Initial): void {
  unit.line(`g${slot}=${initial.state};g${slot}_c=${initial.count};`)
}

function declareColumns(
  unit: Unit,
  column: { readonly slot: number; readonly column: string; readonly average: boolean },
  initial: Initial,
): void {
  const { slot } = column
  const kind = unit.bind(`column kind ${column.column}`, () => column.column)
  unit.line(`v${slot}=${unit.call('declareColumn', `v${slot}`, kind, initial.state)};`)
  if (!column.average) return
  unit.line(`v${slot}_c=${unit.call('declareColumn', `v${slot}_c`, kind, initial.count)};`)
}

function emitCellDeclaration(
  unit: Unit,
  at: { readonly accum: BoundAccum; readonly global: boolean; readonly slot: number },
  scope: Scope,
): void {
  const { accum, global, slot } = at
  const block = unit.name('h')
  const shape = unit.accumShape(accum.type)
  unit.line(`const ${block}=${unit.call('makeBlock', shape, '0')};`)
  if (accum.capacity !== null) {
    const capacity = doubleOf(unit, unit.expression(accum.capacity, scope))
    unit.line(`${unit.call('setCapacity', block, capacity)};`)
  }
  if (accum.dimensions.length > 0) {
    const lengths = accum.dimensions.map((dimension) =>
      dimension === null ? '0' : doubleOf(unit, unit.expression(dimension, scope)),
    )
    unit.line(`${unit.call('reallocate', block, `[${lengths.join(',')}]`)};`)
  }
  if (accum.initial !== null) emitCellFold(unit, accum.initial, { scope, block, assign: false })
  if (global) {
    unit.line(`${unit.call('dropBlock', `g${slot}`)};g${slot}=${block};`)
    return
  }
  unit.line(`${unit.call('dropBlock', `i${slot}`)};i${slot}=${block};`)
  const kind = unit.bind('column kind block', () => 'block')
  unit.line(`v${slot}=${unit.call('declareColumn', `v${slot}`, kind, 0)};`)
}

/** The root's value goes nowhere; a called query gives a block of its own. */
function returnedValue(
  unit: Unit,
  { value }: Extract<BoundStatement, { kind: 'return' }>,
  scope: Scope,
): string {
  if (!unit.isCallee) return '0'
  return returnedCode(unit, value === null ? null : unit.expression(value, scope))
}
