/**
 * What one generation shares: the text so far, the names given out, and the bindings.
 *
 * A binding is a value of the running query that the text refers to by a short name (`b0`, `b1`,
 * …): a typed array of the view, a row count, an interned string, a runtime object. So the text
 * holds no user text and no literal but numbers, and can be cached: the bindings are resolved anew
 * for every run.
 */
import type { BoundQuery, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'
import type { AccumType, ValueType } from '#query/ir/types.ts'
import type { QueryEnv } from '#query/runtime/env.ts'
import type { Physical } from '#query/runtime/graph/physical.ts'
import type { RuntimeName } from '#query/runtime/names.ts'
import type { KeptRows } from '../select/kept-rows.ts'
import type { Scope } from './scope.ts'

export type Resolver = (env: QueryEnv) => unknown

/** The mutually recursive parts of the generator, joined by `generateQuery`. */
export interface Compilers {
  expression(unit: Unit, node: BoundExpression, scope: Scope): string
  vertexSet(unit: Unit, node: BoundVertexSetExpression, scope: Scope): string
  queryCall(unit: Unit, node: QueryCall, scope: Scope): string
}

export type QueryCall = Extract<BoundExpression, { kind: 'callQuery' }>

/** Thrown when the text cannot be made with doubles for INT: generate again in 64 bits. */
export class NeedsWideIntegers extends Error {}

export interface UnitOptions {
  readonly wide: boolean
  /** For a profile: rows are counted. */
  readonly counted: boolean
  readonly compilers: Compilers
  readonly deadResults: ReadonlySet<BoundSelect>
}

/** What a query's text shares with those of the queries it calls. */
class SharedText {
  /** The query at the root, whose `callees` all calls index. */
  readonly query: BoundQuery
  readonly resolvers: Resolver[] = []
  readonly usedRuntime = new Set<RuntimeName>()
  readonly bound = new Map<string, string>()
  readonly helperNames = new Set<string>()
  readonly helperTexts: string[] = []
  /** Names of the functions of called queries, by index, and their texts. */
  readonly callees = new Map<number, string>()
  readonly calleeTexts: string[] = []
  counter = 0

  constructor(query: BoundQuery) {
    this.query = query
  }
}

export class Unit {
  readonly query: BoundQuery
  readonly shared: SharedText
  /** Of a called query: the names of its parameters, by slot. Empty for the root. */
  readonly parameterNames: readonly string[]
  readonly physical: Physical
  /** SELECTs whose vertex set is never read. */
  readonly deadResults: ReadonlySet<BoundSelect>
  /** INT and UINT are bigints; otherwise doubles that are checked to stay safe integers. */
  readonly wide: boolean
  readonly counted: boolean
  /** Of the SELECT being written; null: its rows are not counted, or not any more. */
  kept: KeptRows | null = null
  /** Columns cut down to one type (`v0_t3`) that the function being written uses. */
  parts = new Set<string>()
  /** Lines for the start of the function being written that were found to be needed later. */
  readonly lateSetup: string[] = []
  /** Functions of the text, one per SELECT: each is optimised by itself. */
  readonly functions: string[] = []
  /** Names of the functions that any thread can run a segment of, in the order of the text. */
  readonly partNames: string[] = []
  /** Statements in the order of the text, with their nesting. */
  readonly statements: { readonly statement: BoundStatement; readonly depth: number }[] = []
  depth = -1
  private readonly compilers: Compilers
  private lines: string[] = []

  constructor(query: BoundQuery, physical: Physical, options: UnitOptions, shared?: SharedText) {
    this.query = query
    this.shared = shared ?? new SharedText(query)
    const isCallee = shared !== undefined
    this.parameterNames = isCallee ? query.parameters.map(() => this.name('p')) : []
    this.physical = physical
    this.wide = options.wide
    this.counted = options.counted
    this.compilers = options.compilers
    this.deadResults = options.deadResults
  }

  /** True inside a called query: it prints nothing, and its parameters are those of a function. */
  get isCallee(): boolean {
    return this.query !== this.shared.query
  }

  forCallee(query: BoundQuery, dead: ReadonlySet<BoundSelect>): Unit {
    const { wide, counted, compilers } = this
    const options = { wide, counted, compilers, deadResults: dead }
    return new Unit(query, this.physical, options, this.shared)
  }

  expression(node: BoundExpression, scope: Scope): string {
    return scope.hoisted.get(node) ?? this.compilers.expression(this, node, scope)
  }

  vertexSet(node: BoundVertexSetExpression, scope: Scope): string {
    return this.compilers.vertexSet(this, node, scope)
  }

  queryCall(node: QueryCall, scope: Scope): string {
    return this.compilers.queryCall(this, node, scope)
  }

  /** A call of a runtime function. */
  call(name: RuntimeName, ...args: readonly (string | number)[]): string {
    this.shared.usedRuntime.add(name)
    return `${name}(${args.join(',')})`
  }

  /** A call that counts, and ends the run when it is to stop. */
  poll(edges: string, rows: string): string {
    return this.call('poll', this.control(), edges, rows)
  }

  /** A call that counts what a function has not reported yet. */
  work(): string {
    return this.call('work', this.control(), 'ec', 'rc')
  }

  /** Handed to functions that are the same in every run: V8 compiles calls of others anew. */
  private control(): string {
    return this.bind('control', (env) => env.input.control)
  }

  /** How values of a type lie in cells, compare, and print. */
  codec(type: ValueType): string {
    return this.bind(`codec ${JSON.stringify(type)}`, (env) => env.shapes.value(type))
  }

  /** The operations of an accumulator type that is kept in cells. */
  accumShape(type: AccumType): string {
    return this.bind(`accum ${JSON.stringify(type)}`, (env) => env.shapes.accum(type))
  }

  /** A name no other part of the text uses. */
  name(prefix: string): string {
    return `${prefix}${this.shared.counter++}`
  }

  /** The name of a value of the run; equal keys share one. */
  bind(key: string, resolve: Resolver): string {
    const known = this.shared.bound.get(key)
    if (known !== undefined) return known
    const name = `b${this.shared.resolvers.length}`
    this.shared.bound.set(key, name)
    this.shared.resolvers.push(resolve)
    return name
  }

  string(text: string): string {
    return this.bind(`string ${text}`, (env) => env.strings.intern(text))
  }

  /** A function of the text that is written once, before the body. */
  helper(name: string, text: () => string): string {
    if (!this.shared.helperNames.has(name)) {
      this.shared.helperNames.add(name)
      this.shared.helperTexts.push(text())
    }
    return name
  }

  line(text: string): void {
    this.lines.push(text)
  }

  /** Runs `emit` and returns what it wrote instead of keeping it. */
  capture(emit: () => void): string {
    const outer = this.lines
    this.lines = []
    emit()
    const text = this.lines.join('\n')
    this.lines = outer
    return text
  }

  /** What stands before the body: bindings, runtime functions, helpers. */
  prologue(): string {
    const bindings = this.shared.resolvers.map((_, i) => `const b${i}=B[${i}];`)
    const runtime = [...this.shared.usedRuntime].map((name) => `const ${name}=R.${name};`)
    return [...bindings, ...runtime, ...this.shared.helperTexts].join('\n')
  }
}
