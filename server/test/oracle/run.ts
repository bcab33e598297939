/**
 * The naive interpreter of bound queries: an oracle for answers.
 *
 * It walks the bound tree node by node over plain objects, one row at a time, without plans,
 * rewrites, columns or threads, and follows the words of the language: a clause is evaluated over
 * all its rows first, and what it accumulates is folded afterwards. It is slow and means to be
 * obvious. What it does not know it refuses (`Unsupported`), and the caller skips the query.
 */

import type { EdgeType } from '#catalog/types.ts'
import type { BoundAccumTarget, BoundFileSource, BoundQuery } from '#query/ir/bound.ts'
import type {
  BoundAccumRead,
  BoundExpression,
  BoundFileColumn,
  BoundVertexSetExpression,
} from '#query/ir/bound-expression.ts'
import { VirtualEdges } from './changes.ts'
import { evaluate, noRow, type Scope } from './expressions.ts'
import { PlainFiles, type ReadFile, rowsOfFile } from './files.ts'
import { stateOf, zeroOf } from './make-state.ts'
import type { PlainGraph } from './plain-graph.ts'
import type { Printed } from './print.ts'
import { isState, type State } from './state.ts'
import { runBody } from './statements.ts'
import type { PercentileState } from './table-states.ts'
import { popOf, updateElementOf } from './updates.ts'
import { fail, Unsupported, type Value, type Vertex } from './values.ts'
import { callVectorFunction } from './vectors.ts'
import { vertexSet } from './vertex-sets.ts'

export interface RunInput {
  readonly query: BoundQuery
  readonly graph: PlainGraph
  /** By slot; undefined: not given. */
  readonly arguments: readonly (Value | undefined)[]
  readonly nowSeconds: number
  /** Absent: no file can be read. */
  readonly readFile?: ReadFile
}

export type Flow = 'next' | 'break' | 'continue' | 'return'

/** What a clause does to an accumulator or variable, applied when the clause ends. */
export interface Message {
  readonly kind: 'assign' | 'fold' | 'mutate'
  readonly target: string
  /** Of the row, or vertex, that a clause was evaluated for: which one it was. */
  readonly row: number
  readonly apply: () => void
}

const CALL_DEPTH_MAX = 100
/** Runs that take longer are not for an oracle. */
const PATIENCE_MS = 2_000
const STEPS_PER_LOOK = 64

/** The objects that PRINT makes, in order. */
export type Answer = readonly (readonly (readonly [key: string, value: Printed])[])[]

export class Run {
  readonly graph: PlainGraph
  readonly nowSeconds: number
  readonly variables: Value[]
  readonly sets: (readonly Vertex[])[] = []
  readonly globals: State[]
  readonly remembered = new Map<number, Value>()
  readonly answer: (readonly (readonly [string, Printed])[])[] = []
  readonly files: PlainFiles
  readonly virtualEdges: VirtualEdges
  readonly query: BoundQuery
  readonly arguments: readonly (Value | undefined)[]
  readonly vertexAccums: Map<Vertex, State>[]
  /** Initial states of vertex accumulators, as declared last. */
  readonly initials: State[]
  previous: ReadonlyMap<number, ReadonlyMap<Vertex, State>> = new Map()
  /** What waits for the end of the clause that runs; null: no clause does. */
  messages: Message[] | null = null
  /** Counts the rows of the clause that runs. */
  row = 0
  /** The vertex of a POST-ACCUM clause: its own accumulators change at once. */
  own: Vertex | null = null
  returned: Value = null
  depth = 0
  isCallee = false
  root: BoundQuery
  steps = { count: 0, startMs: performance.now() }

  constructor(
    { query, graph, arguments: given, nowSeconds, readFile = () => null }: RunInput,
    parent?: Run,
  ) {
    this.graph = graph
    this.nowSeconds = nowSeconds
    this.query = query
    this.arguments = given
    this.root = parent === undefined ? query : parent.root
    this.virtualEdges = parent === undefined ? new VirtualEdges(graph) : parent.virtualEdges
    this.files = parent === undefined ? new PlainFiles(readFile) : parent.files
    this.steps = parent === undefined ? this.steps : parent.steps
    this.isCallee = parent !== undefined
    this.depth = parent === undefined ? 0 : parent.depth + 1
    if (this.depth > CALL_DEPTH_MAX) {
      fail('GSQL-8002', `queries call each other more than ${CALL_DEPTH_MAX} levels deep.`)
    }
    this.variables = query.variables.map(({ type, accum }) =>
      accum === undefined ? zeroOf(type) : this.newState(accum),
    )
    this.globals = query.globalAccums.map(({ type }) => this.newState(type))
    this.initials = query.vertexAccums.map(({ type }) => this.newState(type))
    this.vertexAccums = query.vertexAccums.map(() => new Map())
  }

  /** @throws RuntimeFailure as the language has it; Unsupported when the oracle does not know */
  execute(): Value {
    runBody(this, this.query.body)
    return this.returned
  }

  newState(type: Parameters<typeof stateOf>[0]): State {
    return stateOf(type, (slot) => Number(this.parameter(slot)))
  }

  parameter(slot: number): Value {
    const given = this.arguments[slot]
    if (given !== undefined) return isState(given) ? given.clone() : given
    const { defaultValue, type, name } = this.query.parameters[slot]!
    if (defaultValue !== null) return evaluate(this, defaultValue, noRow)
    if (type.kind === 'VERTEX') throw new Unsupported(`vertex parameter ${name} without a value`)
    return zeroOf(type)
  }

  isNull(slot: number): boolean {
    if (this.isCallee) return false
    return this.arguments[slot] === undefined && this.query.parameters[slot]!.defaultValue === null
  }

  readVertexAccum(slot: number, vertex: Vertex | null, previous: boolean): Value {
    const states = previous ? this.previous.get(slot) : this.vertexAccums[slot]
    const state = vertex === null ? undefined : states?.get(vertex)
    return (state ?? this.initials[slot]!).read()
  }

  percentOf(of: BoundAccumRead, scope: Scope): Value {
    const vertex =
      of.kind === 'vertexAccum' ? (evaluate(this, of.of, scope) as Vertex | null) : null
    const state =
      of.kind === 'globalAccum'
        ? this.globals[of.slot]!
        : ((vertex === null ? undefined : this.vertexAccums[of.slot]!.get(vertex)) ??
          this.initials[of.slot]!)
    return (state as PercentileState).percent
  }

  call(node: Extract<BoundExpression, { kind: 'callQuery' }>, scope: Scope): Value {
    const callee = this.root.callees[node.callee]
    if (callee === undefined) throw new Unsupported('a call without a callee')
    const given = node.arguments.map((argument) => evaluate(this, argument, scope))
    const { graph, nowSeconds } = this
    return new Run({ query: callee, graph, arguments: given, nowSeconds }, this).execute()
  }

  /** @throws Unsupported when the run takes too long */
  step(): void {
    this.steps.count += 1
    if (this.steps.count % STEPS_PER_LOOK !== 0) return
    if (performance.now() - this.steps.startMs > PATIENCE_MS) throw new Unsupported('a long run')
  }

  vertexSet(node: BoundVertexSetExpression, scope: Scope): readonly Vertex[] {
    return vertexSet(this, node, scope)
  }

  rowsOfFile(source: BoundFileSource, columns: readonly BoundFileColumn[]) {
    return rowsOfFile(this, source, columns)
  }

  callVectorFunction = callVectorFunction

  virtualType(typeId: number): EdgeType {
    const type = this.query.virtualEdges.find(({ id }) => id === typeId)
    if (type === undefined) throw new Error('a virtual edge type that nobody declares')
    return type
  }

  pop(target: BoundAccumTarget, scope: Scope): Value {
    return popOf(this, target, scope)
  }

  updateElement(node: Extract<BoundExpression, { kind: 'updateElement' }>, scope: Scope): boolean {
    return updateElementOf(this, node, scope)
  }
}
