/** Random queries over a schema: valid by construction, nearly all of them. */
import { type Accum, accumForms, declarationOf, tupleType } from './accum-forms.ts'
import type { Dice } from './dice.ts'
import { choice, type Doc, doc, list, optional } from './doc.ts'
import { Expressions } from './expressions.ts'
import { type EdgeSpec, endsOf, type GraphSpec, type VertexSpec } from './graph-spec.ts'
import { Patterns } from './patterns.ts'
import {
  bodyScope,
  type Declared,
  type Scope,
  type VertexAlias,
  type VertexSet,
  type VirtualEdge,
} from './scope.ts'
import { Statements } from './statements.ts'

/** Rows of a pattern multiply with its hops: large graphs get short ones. */
function hopsMaxOf({ operations }: GraphSpec): number {
  return operations.length < 120 ? 3 : operations.length < 300 ? 2 : 1
}

const DEPTH = 3
const variableTypes = ['INT', 'INT', 'STRING', 'BOOL', 'DOUBLE']

export class QueryMaker {
  readonly #dice: Dice
  readonly #declared: Declared
  readonly #expressions: Expressions
  readonly #patterns: Patterns
  readonly #statements: Statements
  readonly #hopsMax: number

  constructor(dice: Dice, graph: GraphSpec) {
    this.#dice = dice
    this.#declared = declare(dice, graph)
    this.#expressions = new Expressions(dice, this.#declared)
    this.#patterns = new Patterns(dice, this.#declared)
    this.#statements = new Statements(dice, this.#declared, this.#expressions)
    this.#hopsMax = hopsMaxOf(graph)
  }

  /** A whole query, from its parameters on. */
  query(): Doc {
    const { globals, vertexAccums } = this.#declared
    const dice = this.#dice
    const declarations = [...globals, ...vertexAccums].map((accum) => doc`${declarationOf(accum)};`)
    const variables = dice.times(0, 3, () => this.#variable())
    const seeds = dice.times(1, 2, () => this.#seed())
    const virtual = this.#virtualEdge()
    const body = dice.times(1, 4, () => this.#statement(0))
    const { edgeName } = this.#declared
    const parameters = edgeName === null ? '' : `STRING en = "${edgeName}"`
    const isLast = list([...declarations, ...variables, ...seeds, ...virtual, ...body], ' ')
    return doc`(${parameters}) { ${optional(`${tupleType} `)}${isLast} ${this.#lastPrint()} }`
  }

  #variable(): Doc {
    const type = this.#dice.pick(variableTypes)
    const name = this.#statements.newName('b')
    const value = this.#expressions.of(type, bodyScope, 1)
    this.#declared.variables.push({ name, type })
    return doc`${type} ${name} = ${value};`
  }

  /** Its declaration, and a statement that makes edges of it. */
  #virtualEdge(): Doc[] {
    const { virtualEdge } = this.#declared
    if (virtualEdge === null) return []
    const { spec } = virtualEdge
    const [from, to] = endsOf(spec.pairs[0]!)
    const kind = spec.directed ? 'DIRECTED' : 'UNDIRECTED'
    const pattern = this.#patterns.along(virtualEdge)
    const scope = { ...bodyScope, vertices: pattern.vertices, edges: pattern.edges }
    const [source, target] = pattern.vertices.map(({ name }) => name)
    const values = Object.values(spec.attributes).map((type): Doc => {
      return this.#dice.chance(20) ? '_' : this.#expressions.of(type, scope, 1)
    })
    const inserted = list([source!, target!, ...values], ', ', 2)
    const where = optional(doc` WHERE ${this.#expressions.condition(scope, 1)}`)
    const name = this.#newSet(pattern.vertices[0]!.spec, [pattern.vertices[0]!.spec])
    return [
      `CREATE ${kind} VIRTUAL EDGE ${spec.name} (FROM ${from}, TO ${to}, n INT DEFAULT 7, y STRING);`,
      doc`${name} = SELECT s FROM ${pattern.text}${where} ACCUM INSERT INTO ${spec.name} VALUES (${inserted});`,
    ]
  }

  // Vertex sets

  #seed(): Doc {
    const { vertices } = this.#declared.graph
    const some = this.#dice.some(vertices, 60)
    const chosen = some.length === 0 ? [vertices[0]!] : some
    const seeds = chosen.map((spec) => `${spec.name}.*`)
    const name = this.#newSet(this.#dice.pick(chosen), chosen)
    return doc`${name} = {${list(seeds, ', ', 1)}};`
  }

  #newSet(spec: VertexSpec, all: readonly VertexSpec[]): string {
    const name = this.#statements.newName('S')
    this.#declared.sets.push({ name, types: all.map((one) => one.name), spec })
    return name
  }

  #setOperation(): Doc {
    const { sets } = this.#declared
    const [left, right] = [this.#dice.pick(sets), this.#dice.pick(sets)]
    const operation = this.#dice.pick(['UNION', 'INTERSECT', 'MINUS'])
    const { vertices } = this.#declared.graph
    const from = this.#vertexCollections()
    if (from.length > 0 && this.#dice.chance(40)) {
      return doc`${this.#newSet(vertices[0]!, vertices)} = {${this.#dice.pick(from)}};`
    }
    const types = vertices.filter(({ name }) =>
      [left, right].some((set) => set.types.includes(name)),
    )
    return doc`${this.#newSet(left.spec, types)} = ${left.name} ${operation} ${right.name};`
  }

  #vertexCollections(): string[] {
    const types = ['SET<VERTEX>', 'LIST<VERTEX>', 'VERTEX']
    return types.flatMap((type) => this.#expressions.names(type, bodyScope))
  }

  // Statements of the body

  #statement(nesting: number): Doc {
    const dice = this.#dice
    const roll = dice.below(100)
    if (roll < 55) return this.#select(nesting)
    if (roll < 63) return this.#setOperation()
    if (roll < 75) return this.#update(bodyScope)
    if (roll < 80) return this.#print()
    if (nesting > 1) return this.#update(bodyScope)
    return this.#nested(nesting + 1)
  }

  /** Sets and variables that a block declares are not certain to be there behind it. */
  #block(nesting: number): Doc {
    const { sets, variables } = this.#declared
    const [setCount, variableCount] = [sets.length, variables.length]
    const body = list(
      this.#dice.times(1, 2, () => this.#statement(nesting)),
      ' ',
      1,
    )
    sets.length = setCount
    variables.length = variableCount
    return body
  }

  #nested(nesting: number): Doc {
    const dice = this.#dice
    const condition = this.#expressions.condition(bodyScope, 2)
    const body = this.#block(nesting)
    const roll = dice.below(100)
    if (roll < 45) {
      const otherwise = optional(doc` ELSE ${this.#block(nesting)}`)
      return choice(doc`IF ${condition} THEN ${body}${otherwise} END;`, body)
    }
    if (roll < 65) {
      return choice(
        doc`WHILE ${condition} LIMIT ${String(dice.between(0, 3))} DO ${body} END;`,
        body,
      )
    }
    const name = this.#statements.newName('n')
    const range = `[${dice.between(-1, 1)}, ${dice.between(0, 2)}]`
    return choice(doc`FOREACH ${name} IN RANGE ${range} DO ${body} END;`, body)
  }

  #update(scope: Scope): Doc {
    const dice = this.#dice
    const { globals, variables } = this.#declared
    if (variables.length > 0 && dice.chance(30)) {
      const { name, type } = dice.pick(variables)
      return doc`${name} = ${this.#expressions.of(type, scope, DEPTH)};`
    }
    const { name, form } = dice.pick(globals)
    if (!this.#statements.canAdd({ name, form }, scope)) return this.#print()
    const update = dice.chance(30)
      ? this.#statements.assignAccum(name, form, scope)
      : this.#statements.add(name, form, scope)
    return doc`${update};`
  }

  #select(nesting: number): Doc {
    const dice = this.#dice
    const pattern = this.#patterns.next(Math.max(1, this.#hopsMax - nesting))
    const chosen = dice.pick(pattern.vertices)
    const perAliases = dice.chance(7) ? this.#per(pattern.vertices, chosen) : null
    const scope = { ...bodyScope, vertices: pattern.vertices, edges: pattern.edges }
    const where = dice.chance(65) ? optional(doc` WHERE ${this.#where(scope)}`) : ''
    const hasAccum = perAliases !== null || dice.chance(75)
    const accum = hasAccum ? this.#accum(scope, perAliases) : ''
    const tail = list(
      [...this.#postAccums(perAliases ?? pattern.vertices), ...this.#end(chosen)],
      '',
    )
    const name = this.#newSet(chosen.spec, [chosen.spec])
    return doc`${name} = SELECT ${chosen.name} FROM ${pattern.text}${where}${accum}${tail};`
  }

  /** Often with a part that an index may answer. */
  #where(scope: Scope): Doc {
    const condition = this.#expressions.condition(scope, DEPTH)
    if (!this.#dice.chance(35)) return condition
    const indexed = this.#expressions.indexable(this.#dice.pick(scope.vertices), scope)
    return this.#dice.chance(40)
      ? indexed
      : choice(doc`${indexed} AND ${condition}`, indexed, condition)
  }

  #per(all: readonly VertexAlias[], chosen: VertexAlias): readonly VertexAlias[] {
    return [chosen, ...this.#dice.some(all, 30).filter((one) => one !== chosen)]
  }

  #accum(scope: Scope, per: readonly VertexAlias[] | null): Doc {
    if (per === null) return optional(doc` ACCUM ${this.#statements.clause('ACCUM', scope, 4)}`)
    const names = per.map(({ name }) => name).join(', ')
    const inner = { ...scope, vertices: per, edges: [] }
    return optional(doc` PER (${names}) ACCUM ${this.#statements.clause('ACCUM', inner, 3)}`)
  }

  #postAccums(aliases: readonly VertexAlias[]): Doc[] {
    if (!this.#dice.chance(45)) return []
    return this.#dice.times(1, 2, () => {
      const alias = this.#dice.pick(aliases)
      const scope = { ...bodyScope, vertices: [alias], hasPrevious: true }
      const statements = this.#statements.clause('POST-ACCUM', scope, 3)
      return optional(doc` POST-ACCUM (${alias.name}) ${statements}`)
    })
  }

  #end(chosen: VertexAlias): Doc[] {
    const dice = this.#dice
    const scope = { ...bodyScope, vertices: [chosen] }
    const parts: Doc[] = []
    if (dice.chance(20)) parts.push(doc` HAVING ${this.#expressions.condition(scope, 2)}`)
    if (dice.chance(30)) {
      const key = () => {
        const type = dice.pick(['INT', 'STRING', 'DOUBLE', 'DATETIME', 'BOOL'])
        return doc`${this.#expressions.of(type, scope, 1)}${dice.pick(['', ' DESC', ' ASC'])}`
      }
      const keys = list(dice.times(1, 2, key), ', ', 1)
      const limit = dice.chance(50) ? optional(` LIMIT ${dice.between(0, 4)}`) : ''
      const offset =
        limit !== '' && dice.chance(30) ? optional(` OFFSET ${dice.between(0, 2)}`) : ''
      parts.push(doc` ORDER BY ${keys}${limit}${offset}`)
    } else if (dice.chance(10)) parts.push(` LIMIT ${dice.between(0, 5)}`)
    return parts.map(optional)
  }

  // PRINT

  #print(): Doc {
    const dice = this.#dice
    const { sets } = this.#declared
    const types = ['INT', 'DOUBLE', 'STRING', 'BOOL', 'FLOAT', 'UINT']
    const item = (): Doc => {
      if (sets.length > 0 && dice.chance(50)) return this.#printedSet(dice.pick(sets))
      const value = this.#expressions.of(dice.pick(types), bodyScope, DEPTH)
      return doc`${value} AS ${this.#statements.newName('p')}`
    }
    return doc`PRINT ${list(dice.times(1, 3, item), ', ', 1)};`
  }

  #printedSet({ name, spec }: VertexSet): Doc {
    const dice = this.#dice
    const key = this.#statements.newName('p')
    if (dice.chance(30)) return `${name} AS ${key}`
    if (dice.chance(20)) return `${name}.size() AS ${key}`
    const scope = { ...bodyScope, vertices: [{ name, spec }] }
    const column = (): Doc => {
      const type = dice.pick(['INT', 'STRING', 'DOUBLE', 'BOOL', 'LIST<INT>', 'SET<STRING>'])
      return doc`${this.#expressions.of(type, scope, 2)} AS ${this.#statements.newName('c')}`
    }
    return doc`${name}[${list(dice.times(1, 3, column), ', ', 1)}] AS ${key}`
  }

  /** Everything that the query has come to. */
  #lastPrint(): Doc {
    const { globals, variables, sets } = this.#declared
    const items = [...globals, ...variables, ...sets].map(({ name }) => name)
    return doc`PRINT ${list(items, ', ', 1)};`
  }
}

function declare(dice: Dice, graph: GraphSpec): Declared {
  const accums = (mark: string, low: number, high: number): Accum[] =>
    dice.times(low, high, (i) => ({ name: `${mark}a${i}`, form: dice.pick(accumForms) }))
  return {
    graph,
    // One at least takes values in any order, wherever it stands.
    globals: [{ name: '@@n', form: accumForms[0]! }, ...accums('@@', 1, 4)],
    vertexAccums: accums('@', 1, 3),
    variables: [],
    sets: [],
    edgeName: dice.chance(15) ? dice.pick([graph.edges[0]!.name, 'Nope', '']) : null,
    virtualEdge: dice.chance(15) ? virtualEdge(dice, graph) : null,
    isRisky: dice.chance(20),
  }
}

function virtualEdge(dice: Dice, { edges }: GraphSpec): VirtualEdge {
  const along = dice.pick(edges)
  const spec: EdgeSpec = {
    name: 'W',
    directed: dice.chance(65),
    pairs: [along.pairs[0]!],
    attributes: { n: 'INT', y: 'STRING' },
    discriminators: 0,
    reverse: null,
  }
  return { spec, along }
}
