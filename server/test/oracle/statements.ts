/** Statements of a query's body. */
import type { BoundStatement } from '#query/ir/bound.ts'
import { runChange } from './changes.ts'
import { runSelect } from './clauses.ts'
import { runForeach, runIf, runWhile } from './control.ts'
import { evaluate, noRow } from './expressions.ts'
import { runLoadAccum, runPrintln } from './files.ts'
import { runPrint } from './printing.ts'
import type { Flow, Run } from './run.ts'
import { ArrayState, HeapState } from './table-states.ts'
import { folded, isCollection, runInClause } from './updates.ts'
import { RuntimeFailure, Unsupported } from './values.ts'
import { vertexSet } from './vertex-sets.ts'

class Raised extends RuntimeFailure {
  readonly number: number

  constructor(number: number, message: string) {
    super(String(number), message)
    this.number = number
  }
}

export function runBody(run: Run, statements: readonly BoundStatement[]): Flow {
  for (const statement of statements) {
    run.step()
    const flow = runStatement(run, statement)
    run.virtualEdges.settle(run.query.virtualEdges.map(({ id }) => id))
    if (flow !== 'next') return flow
  }
  return 'next'
}

export function runStatement(run: Run, statement: BoundStatement): Flow {
  const scope = noRow
  switch (statement.kind) {
    case 'declareAccum':
      declare(run, statement)
      return 'next'
    case 'setVariable':
      run.variables[statement.slot] = evaluate(run, statement.value, scope)
      return 'next'
    case 'updateAccum':
    case 'mutate':
      runInClause(run, statement, scope)
      return 'next'
    case 'assignVertexSet':
      run.sets[statement.slot] = vertexSet(run, statement.value, scope)
      return 'next'
    case 'select':
      runSelect(run, statement)
      return 'next'
    case 'print':
      runPrint(run, statement)
      return 'next'
    case 'if':
      return runIf(run, statement, scope, (body) => runBody(run, body))
    case 'while':
      return runWhile(run, statement, scope, (body) => runBody(run, body))
    case 'foreach':
      return runForeach(run, statement, scope, run.variables, (body) => runBody(run, body))
    case 'break':
    case 'continue':
      return statement.kind
    case 'return':
      if (statement.value !== null) run.returned = evaluate(run, statement.value, scope)
      return 'return'
    case 'try':
      return runTry(run, statement)
    case 'raise': {
      const { name, code, message } = statement
      const own = `Exception ${name} is raised with error code ${code}`
      const text = message === null ? own : (evaluate(run, message, scope) as string)
      throw new Raised(code, text)
    }
    case 'callStatement':
      evaluate(run, statement.call, scope)
      return 'next'
    case 'setAttribute':
    case 'insertVertex':
    case 'insertEdge':
    case 'deleteElement':
      runChange(run, statement, scope)
      return 'next'
    case 'declareVirtual': {
      const defaults = statement.defaults.map((value) => evaluate(run, value, scope))
      run.virtualEdges.declare(run.virtualType(statement.edgeTypeId), defaults)
      return 'next'
    }
    case 'println':
      runPrintln(run, statement, scope)
      return 'next'
    case 'openFile':
      run.files.open(evaluate(run, statement.path, scope) as string)
      return 'next'
    case 'loadAccum':
      runLoadAccum(run, statement)
      return 'next'
    case 'log':
      if (evaluate(run, statement.condition, scope) === true) {
        for (const value of statement.values) evaluate(run, value, scope)
      }
      return 'next'
    default:
      throw new Unsupported((statement as BoundStatement).kind)
  }
}

export function declare(
  run: Run,
  statement: Extract<BoundStatement, { kind: 'declareAccum' }>,
): void {
  const { slot, global, empties } = statement
  const accum = (global ? run.query.globalAccums : run.query.vertexAccums)[slot]!
  const state = run.newState(accum.type)
  if (state instanceof HeapState && accum.capacity !== null) {
    state.setLimit(Number(evaluate(run, accum.capacity, noRow)))
  }
  if (state instanceof ArrayState && accum.dimensions.every((length) => length !== null)) {
    state.reallocate(accum.dimensions.map((length) => Number(evaluate(run, length!, noRow))))
  }
  const isEmptied = empties === true && isCollection(state)
  if (accum.initial !== null && !isEmptied) state.fold(folded(run, accum.initial, noRow))
  if (global) run.globals[slot] = state
  else {
    run.initials[slot] = state
    run.vertexAccums[slot] = new Map()
  }
}

export function runTry(run: Run, statement: Extract<BoundStatement, { kind: 'try' }>): Flow {
  const depth = run.depth
  try {
    return runBody(run, statement.body)
  } catch (error) {
    if (!(error instanceof Raised)) throw error
    run.depth = depth
    run.messages = null
    const handler = statement.handlers.find(({ code }) => code === error.number)
    const body = handler?.body ?? statement.otherwise
    if (body === null || body === undefined) throw error
    return runBody(run, body)
  }
}
