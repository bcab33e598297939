/**
 * The graph that a scenario begins with, made by the queries of its setup. They are read by the parser of the
 * product and run by a small interpreter of their own: CREATE, UNWIND, MATCH of single nodes and WITH of names.
 */

import type { Expression } from '#query/syntax/ast.ts'
import type {
  EdgeSyntax,
  NodeSyntax,
  PathSyntax,
  PropertySyntax,
} from '#query/syntax/ast-pattern.ts'
import type { CypherClause, ProjectClause } from '#query/syntax/cypher/ast-cypher.ts'
import { parse } from '#query/syntax/parse/parse.ts'

/** INT is a bigint, a real number a number. */
export type PlainValue = null | boolean | bigint | number | string | readonly PlainValue[]

export interface PlainVertex {
  readonly id: string
  readonly labels: readonly string[]
  readonly properties: ReadonlyMap<string, PlainValue>
}

export interface PlainEdge {
  readonly type: string
  readonly from: PlainVertex
  readonly to: PlainVertex
  readonly properties: ReadonlyMap<string, PlainValue>
}

export interface PlainGraph {
  readonly vertices: readonly PlainVertex[]
  readonly edges: readonly PlainEdge[]
}

/** What the interpreter cannot run; the scenario is skipped for it. */
export class SetupFailure extends Error {}

export function graphOf(setup: readonly string[]): PlainGraph {
  const maker = new GraphMaker()
  for (const query of setup) maker.run(query)
  return maker
}

type Bound = PlainValue | { readonly vertex: PlainVertex }
type Row = ReadonlyMap<string, Bound>

class GraphMaker implements PlainGraph {
  readonly vertices: PlainVertex[] = []
  readonly edges: PlainEdge[] = []

  run(query: string): void {
    const { script, problems } = parse(`INTERPRET OPENCYPHER QUERY () {\n${query}\n}`)
    const cypher = script.queries[0]?.cypher
    if (problems.length > 0 || cypher === null || cypher === undefined) {
      throw new SetupFailure(`setup does not parse: ${problems[0]?.message}`)
    }
    if (cypher.parts.length > 1) throw new SetupFailure('UNION in a setup')
    let rows: readonly Row[] = [new Map()]
    for (const clause of cypher.parts[0]!.clauses) rows = this.#after(clause, rows)
  }

  #after(clause: CypherClause, rows: readonly Row[]): readonly Row[] {
    switch (clause.kind) {
      case 'create':
        return rows.map((row) => clause.patterns.reduce((at, path) => this.#create(path, at), row))
      case 'unwind':
        return rows.flatMap((row) => {
          const items = evaluated(clause.list, row)
          if (!Array.isArray(items)) throw new SetupFailure('UNWIND of no list')
          return items.map((item: PlainValue) => new Map([...row, [clause.as.name, item]]))
        })
      case 'match':
        if (clause.where !== null) throw new SetupFailure('WHERE in a setup')
        return rows.flatMap((row) => this.#matches(clause.patterns, row))
      case 'with':
        return rows.map((row) => projected(clause, row))
      default:
        throw new SetupFailure(`${clause.kind} in a setup`)
    }
  }

  #create({ nodes, edges }: PathSyntax, given: Row): Row {
    const row = new Map(given)
    const vertices = nodes.map((node) => this.#vertex(node, row))
    for (const [place, edge] of edges.entries()) {
      this.#edge(edge, [vertices[place]!, vertices[place + 1]!], row)
    }
    return row
  }

  #vertex({ alias, types, properties }: NodeSyntax, row: Map<string, Bound>): PlainVertex {
    const bound = alias === null ? undefined : row.get(alias.name)
    if (isVertex(bound)) return bound.vertex
    const vertex = {
      id: `~${this.vertices.length}`,
      labels: types.map(({ name }) => name),
      properties: valuesOf(properties, row),
    }
    this.vertices.push(vertex)
    if (alias !== null) row.set(alias.name, { vertex })
    return vertex
  }

  #edge(
    { type, properties }: EdgeSyntax,
    ends: readonly [PlainVertex, PlainVertex],
    row: Row,
  ): void {
    if (type?.kind !== 'atom') throw new SetupFailure('CREATE of an edge without one type')
    const [from, to] = type.direction === 'left' ? ends.toReversed() : ends
    const edge = { type: type.type.name, from: from!, to: to! }
    this.edges.push({ ...edge, properties: valuesOf(properties, row) })
  }

  #matches(paths: readonly PathSyntax[], row: Row): readonly Row[] {
    return paths.reduce<readonly Row[]>(
      (rows, path) => rows.flatMap((at) => this.#matchesOf(path, at)),
      [row],
    )
  }

  #matchesOf({ nodes, edges }: PathSyntax, row: Row): readonly Row[] {
    const [node] = nodes
    if (edges.length > 0 || node?.alias == null) throw new SetupFailure('MATCH of edges in a setup')
    const { alias, types, properties } = node
    const wanted = valuesOf(properties, row)
    return this.vertices
      .filter(({ labels }) => types.every(({ name }) => labels.includes(name)))
      .filter((one) => [...wanted].every(([name, value]) => one.properties.get(name) === value))
      .map((vertex) => new Map([...row, [alias.name, { vertex }]]))
  }
}

function isVertex(bound: Bound | undefined): bound is { readonly vertex: PlainVertex } {
  return bound !== undefined && bound !== null && typeof bound === 'object' && 'vertex' in bound
}

function projected({ star, items, where }: ProjectClause, row: Row): Row {
  if (where !== null) throw new SetupFailure('WHERE in a setup')
  const kept = items.map(({ value, as }): [string, Bound] => {
    if (value.kind !== 'name') throw new SetupFailure('WITH of an expression in a setup')
    return [as?.name ?? value.name, row.get(value.name) ?? null]
  })
  return new Map([...(star ? row : []), ...kept])
}

/** Null is no property. */
function valuesOf(properties: readonly PropertySyntax[], row: Row): Map<string, PlainValue> {
  const all = properties.map(({ name, value }) => [name.name, evaluated(value, row)] as const)
  return new Map(all.filter(([, value]) => value !== null))
}

function evaluated(node: Expression, row: Row): PlainValue {
  switch (node.kind) {
    case 'int':
      return BigInt(node.text)
    case 'real':
      return Number(node.text)
    case 'string':
    case 'bool':
      return node.value
    case 'null':
      return null
    case 'list':
      return node.items.map((item) => evaluated(item, row))
    case 'name': {
      const bound = row.get(node.name) ?? null
      if (isVertex(bound)) throw new SetupFailure('a node as a value in a setup')
      return bound
    }
    case 'member': {
      const of = node.of.kind === 'name' ? row.get(node.of.name) : undefined
      return isVertex(of) ? (of.vertex.properties.get(node.name.name) ?? null) : null
    }
    default:
      return computed(node, row)
  }
}

function computed(node: Expression, row: Row): PlainValue {
  if (node.kind === 'unary' && node.operator === '-') {
    const value = evaluated(node.operand, row)
    if (typeof value === 'number' || typeof value === 'bigint') return -value
  }
  if (node.kind === 'binary' && node.operator === '+') {
    return sum(evaluated(node.left, row), evaluated(node.right, row))
  }
  if (node.kind === 'call' && node.name.name === 'range') {
    const [from, to] = node.arguments.map((one) => evaluated(one, row))
    if (typeof from === 'bigint' && typeof to === 'bigint') {
      return Array.from({ length: Number(to - from) + 1 }, (_, place) => from + BigInt(place))
    }
  }
  throw new SetupFailure(`an expression of a setup: ${node.kind}`)
}

function sum(left: PlainValue, right: PlainValue): PlainValue {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (typeof left === 'bigint' && typeof right === 'bigint') return left + right
  throw new SetupFailure('a sum in a setup')
}
