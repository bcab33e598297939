/**
 * The state of binding one query: scopes, slots, diagnostics. The files beside this one are
 * functions over it; what they need of each other across files goes through `rules`.
 */
import type { EdgeType } from '#catalog/types.ts'
import type { BoundAccum, BoundParameter, BoundStatement, BoundVariable } from '#query/ir/bound.ts'
import type { BoundExpression, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { AccumType, ValueType } from '#query/ir/types.ts'
import { sortedIds } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { LineTable, SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { CallTable } from './call-table.ts'
import type { ClauseState } from './clause-state.ts'
import { PROBE_NAME, type Probe, type ProbeContext, type VisibleName } from './probe.ts'
import { type BindFailure, Reports, silentFailure } from './reports.ts'
import type { Schema } from './schema.ts'

/** Slot of an accumulator that could not be declared. */
const BROKEN = -1

export interface BoundSet {
  readonly set: BoundVertexSetExpression
  readonly typeIds: readonly number[]
}

export interface BindRules {
  readonly expression: (binder: Binder, node: Expression) => BoundExpression
  readonly vertexSet: (binder: Binder, node: Expression) => BoundSet
  /** Functions of openCypher; null: the name means what it means in GSQL. */
  readonly cypherCall: (binder: Binder, node: CallSyntax) => BoundExpression | null
}

export type ScopeEntry =
  | { readonly kind: 'variable'; readonly slot: number }
  | { readonly kind: 'local'; readonly slot: number; readonly accum: AccumType | null }

/** How SYNTAX was declared or inferred. */
export type SyntaxVersion = 'v1' | 'v2' | 'v3'

export interface BinderOptions {
  readonly schema: Schema
  readonly lines: LineTable
  readonly rules: BindRules
  readonly queryName: string
  readonly syntax: SyntaxVersion
  /** An openCypher query: `$name` is a parameter, and a few functions are others. */
  readonly cypher: boolean
  /** A block of a script: its results are named by docs/reference/gsql/select.md#tables and docs/reference/gsql/opencypher.md. */
  readonly adHoc: boolean
  /** Values of parameters that name types; absent ones are bound against all types. */
  readonly typeArguments: ReadonlyMap<string, readonly string[]>
  /** Types of vertex sets as the previous pass found them, by name. */
  readonly setTypes: ReadonlyMap<string, readonly number[]>
  /** What statements would have declared that could not be read. */
  readonly lostNames?: ReadonlySet<string>
  /** Queries that can be called; absent: none. */
  readonly calls?: CallTable
  readonly probe?: Probe
  /** Sees every expression with what it was bound to: hovers. */
  readonly inspect?: (node: Expression, bound: BoundExpression) => void
}

export class Binder extends Reports {
  readonly schema: Schema
  readonly rules: BindRules
  readonly options: BinderOptions
  readonly parameters: BoundParameter[] = []
  readonly variables: BoundVariable[] = []
  readonly globalAccums: BoundAccum[] = []
  readonly vertexAccums: BoundAccum[] = []
  readonly vertexSets: { name: string; typeIds: readonly number[] }[] = []
  readonly tuples = new Map<string, Extract<ValueType, { kind: 'TUPLE' }>>()
  readonly accumTypedefs = new Map<string, DeclaredAccum>()
  /** The names that this query gives to types: each once; a type of the catalogue may be hidden. */
  readonly typedefNames = new Set<string>()
  readonly typeParameters = new Set<number>()
  /** What an assignment to a loop variable changes beside, by slot: `statements/loop-references.ts`. */
  readonly elementChanges = new Map<number, () => BoundStatement>()
  /** In the order of their statements. */
  readonly virtualEdges: EdgeType[] = []
  /** Codes of declared exceptions. */
  readonly exceptions = new Map<string, number>()
  /** What statements would have declared that could not be read or bound. */
  readonly brokenNames: Set<string>
  /** Names of declared FILEs. */
  readonly files = new Set<string>()
  readonly vertexTypesUsed = new Set<number>()
  readonly edgeTypesUsed = new Set<number>()
  readonly attributesUsed = new Map<string, { typeId: number; attributeId: number }>()
  /** Innermost last. Accumulators live in scopes as well, under their `@` names. */
  readonly #scopes: Map<string, ScopeEntry>[] = [new Map()]
  readonly #accumScopes: Map<string, number>[] = [new Map()]
  #typeArguments: BinderOptions['typeArguments']
  clause: ClauseState | null = null
  /** Type of RETURN values; null: the query returns none. */
  returns: ValueType | null = null
  /** Inside UPDATE … SET, which may write vertex attributes for each row. */
  updating = false
  loopDepth = 0
  /** `kept` values so far. */
  keptValues = 0
  /** What failed first for its arguments: the reason of what fails without a message of its own. */
  firstFailure: BindFailure | null = null
  /** Length of the texts that `evaluate` was given so far. */
  evaluatedChars = 0

  constructor(options: BinderOptions) {
    super(options.lines, options.queryName)
    this.options = options
    this.schema = options.schema
    this.#typeArguments = options.typeArguments
    this.brokenNames = new Set(options.lostNames)
    this.rules = options.rules
  }

  override get isResolved(): boolean {
    return this.#typeArguments.size > 0
  }

  /** Names given for a parameter; undefined: it has no value yet. */
  typeNames(parameter: string): readonly string[] | undefined {
    return this.#typeArguments.get(parameter)
  }

  /** Runs `bind` as before the arguments are known. What it uses is no use of the query. */
  withoutArguments(bind: () => void): void {
    const used = [this.vertexTypesUsed, this.edgeTypesUsed].map((ids) => [ids, [...ids]] as const)
    const attributes = [...this.attributesUsed]
    this.#typeArguments = new Map()
    try {
      this.quietly(bind)
    } finally {
      this.#typeArguments = this.options.typeArguments
      for (const [ids, before] of used) restore(ids, before)
      this.attributesUsed.clear()
      for (const [key, attribute] of attributes) this.attributesUsed.set(key, attribute)
    }
  }

  expression(node: Expression): BoundExpression {
    const bound = this.rules.expression(this, node)
    this.options.inspect?.(node, bound)
    return bound
  }

  /** Tells the editor about a place when `name` is its probe. */
  probe(name: string, context: () => ProbeContext): void {
    if (name === PROBE_NAME) this.options.probe?.(context())
  }

  // Scopes

  /** Runs `bind` inside a block of its own. */
  scoped<T>(bind: () => T): T {
    this.#scopes.push(new Map())
    this.#accumScopes.push(new Map())
    try {
      return bind()
    } finally {
      this.#scopes.pop()
      this.#accumScopes.pop()
    }
  }

  lookup(name: string): ScopeEntry | undefined {
    for (let depth = this.#scopes.length - 1; depth >= 0; depth--) {
      const entry = this.#scopes[depth]!.get(name)
      if (entry !== undefined) return entry
    }
    return undefined
  }

  visibleNames(): string[] {
    const scoped = this.#scopes.flatMap((scope) => [...scope.keys()])
    const aliases = this.clause === null ? [] : [...this.clause.select.aliases.keys()]
    const parameters = this.parameters.map(({ name }) => name)
    return [...scoped, ...aliases, ...parameters, ...this.vertexSets.map(({ name }) => name)]
  }

  declareVariable(name: string, type: ValueType, range: SourceRange): number {
    this.#refuseDuplicate(name, range)
    const slot = this.variables.push({ name, type }) - 1
    this.#scopes.at(-1)!.set(name, { kind: 'variable', slot })
    return slot
  }

  /** A table lives to the end of the query, in whatever block it is made. */
  declareTable(name: string, type: ValueType, range: SourceRange): number {
    this.#refuseDuplicate(name, range)
    const slot = this.variables.push({ name, type }) - 1
    this.#scopes[0]!.set(name, { kind: 'variable', slot })
    return slot
  }

  /** Runs `bind` where these names stand for variables made before, by slot. */
  withVariables<T>(slots: ReadonlyMap<string, number>, bind: () => T): T {
    const entries = [...slots].map(([name, slot]) => [name, { kind: 'variable', slot }] as const)
    this.#scopes.push(new Map(entries))
    try {
      return bind()
    } finally {
      this.#scopes.pop()
    }
  }

  /** Runs `bind` where these names stand for locals of the clause to come, by slot. */
  withLocals<T>(slots: ReadonlyMap<string, number>, bind: () => T): T {
    const entries = [...slots].map(
      ([name, slot]) => [name, { kind: 'local', slot, accum: null }] as const,
    )
    this.#scopes.push(new Map(entries))
    try {
      return bind()
    } finally {
      this.#scopes.pop()
    }
  }

  declareLocal(name: string, type: ValueType, options: LocalOptions): number {
    this.#refuseDuplicate(name, options.range)
    const clause = this.clause
    if (clause === null) throw new Error('a local outside a clause')
    const { accum } = options
    const slot = clause.locals.push(accum ? { name, type, accum } : { name, type }) - 1
    this.#scopes.at(-1)!.set(name, { kind: 'local', slot, accum: options.accum ?? null })
    return slot
  }

  #refuseDuplicate(name: string, range: SourceRange): void {
    if (!this.#scopes.at(-1)!.has(name)) return
    this.report(diagnosticCodes.duplicate, range, `"${name}" is already declared in this block`)
  }

  declareAccum(accum: BoundAccum, global: boolean, range: SourceRange): number {
    const key = global ? `@@${accum.name}` : `@${accum.name}`
    const scope = this.#accumScopes.at(-1)!
    if (scope.has(key)) {
      this.report(diagnosticCodes.duplicate, range, `accumulator "${key}" is already declared`)
    }
    const slot = (global ? this.globalAccums : this.vertexAccums).push(accum) - 1
    scope.set(key, slot)
    return slot
  }

  /** A global accumulator of the binder's own, under a name that no user can write. */
  declareHidden(accum: BoundAccum): number {
    const slot = this.globalAccums.push(accum) - 1
    this.#accumScopes.at(-1)!.set(`@@${accum.name}`, slot)
    return slot
  }

  /** Slot of a hidden accumulator that is visible here; null: none. */
  hiddenSlot(name: string): number | null {
    for (let depth = this.#accumScopes.length - 1; depth >= 0; depth--) {
      const slot = this.#accumScopes[depth]!.get(`@@${name}`)
      if (slot !== undefined) return slot
    }
    return null
  }

  /** An accumulator whose type has errors: its uses are not reported again. */
  declareBroken(key: string): void {
    this.#accumScopes.at(-1)!.set(key, BROKEN)
  }

  accumSlot(key: string, range: SourceRange): number {
    const global = key.startsWith('@@')
    this.probe(key.replace(/^@+/, ''), () => ({
      kind: 'accum',
      global,
      accums: this.#visibleAccums(global),
    }))
    for (let depth = this.#accumScopes.length - 1; depth >= 0; depth--) {
      const slot = this.#accumScopes[depth]!.get(key)
      if (slot === BROKEN) throw silentFailure()
      if (slot !== undefined) return slot
    }
    if (this.brokenNames.has(key)) throw silentFailure()
    const known = this.#accumKeys()
    const hint = suggest(key, known)
    return this.fail(
      diagnosticCodes.undeclared,
      range,
      `accumulator "${key}" is not declared${hint}`,
    )
  }

  /** Those that users can write. */
  #accumKeys(): string[] {
    return this.#accumScopes.flatMap((scope) =>
      [...scope.keys()].filter((key) => !/[#.]/.test(key)),
    )
  }

  /** Whether an accumulator of this name is visible here, of vertices or in all. */
  hasAccum(key: string): boolean {
    return this.#accumScopes.some((scope) => scope.has(key))
  }

  #visibleAccums(global: boolean): BoundAccum[] {
    const accums = global ? this.globalAccums : this.vertexAccums
    const keys = new Set(this.#accumKeys())
    return accums.filter(({ name }) => keys.has(global ? `@@${name}` : `@${name}`))
  }

  /** Every name an expression may use here, with its type where it has one. */
  visible(): VisibleName[] {
    const scoped = this.#scopes.flatMap((scope) =>
      [...scope].map(([name, { kind, slot }]): VisibleName => {
        const declared = kind === 'local' ? this.clause?.locals[slot] : this.variables[slot]
        return { name, type: declared?.type ?? null, what: kind }
      }),
    )
    const aliases = [...(this.clause?.select.aliases ?? [])].map(([name, target]): VisibleName => {
      const typeIds = this.clause?.typesOf(target) ?? []
      const kind = target.kind === 'vertex' ? 'VERTEX' : 'EDGE'
      return { name, type: { kind, typeIds }, what: 'alias' }
    })
    const parameters = this.parameters.map(
      ({ name, type }): VisibleName => ({ name, type, what: 'parameter' }),
    )
    const sets = this.vertexSets.map(({ name }, slot): VisibleName => {
      const type: ValueType = { kind: 'VERTEX', typeIds: this.vertexSetTypes(slot) }
      return { name, type: { kind: 'SET', element: type }, what: 'vertexSet' }
    })
    return [...scoped, ...aliases, ...parameters, ...sets].filter(
      ({ name }) => !name.startsWith('#'),
    )
  }

  /** Vertex accumulators visible here, in order of declaration. */
  visibleVertexAccums(): number[] {
    const slots = new Map<string, number>()
    for (const scope of this.#accumScopes) {
      for (const [key, slot] of scope) {
        if (!key.startsWith('@@') && slot !== BROKEN) slots.set(key, slot)
      }
    }
    return sortedIds(slots.values())
  }

  // Vertex sets

  vertexSetSlot(name: string): number {
    return this.vertexSets.findIndex((set) => set.name === name)
  }

  /** Types a set can hold: what earlier statements and the previous pass assigned. */
  vertexSetTypes(slot: number): readonly number[] {
    const { name, typeIds } = this.vertexSets[slot]!
    return sortedIds([...typeIds, ...(this.options.setTypes.get(name) ?? [])])
  }

  assignVertexSet(name: string, typeIds: readonly number[]): number {
    const slot = this.vertexSetSlot(name)
    if (slot < 0) return this.vertexSets.push({ name, typeIds: sortedIds(typeIds) }) - 1
    const set = this.vertexSets[slot]!
    set.typeIds = sortedIds([...set.typeIds, ...typeIds])
    return slot
  }

  useAttribute(typeId: number, attributeId: number): void {
    this.attributesUsed.set(`${typeId}.${attributeId}`, { typeId, attributeId })
  }
}

function restore(ids: Set<number>, before: readonly number[]): void {
  ids.clear()
  for (const id of before) ids.add(id)
}

export interface LocalOptions {
  readonly range: SourceRange
  readonly accum?: AccumType | null
}

/** An accumulator type and, for heaps, the expression of its capacity. */
export interface DeclaredAccum {
  readonly type: AccumType
  readonly capacity: Expression | null
}
