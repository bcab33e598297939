/** Random openCypher queries. */
import type { Dice } from './dice.ts'
import { choice, type Doc, doc, list, optional } from './doc.ts'
import { endsOf, type GraphSpec, type VertexSpec } from './graph-spec.ts'

interface Vertex {
  readonly name: string
  readonly spec: VertexSpec
}

interface Column {
  readonly name: string
  readonly type: string
}

const scalarTypes = ['INT', 'STRING', 'DOUBLE', 'BOOL']

export class CypherMaker {
  readonly #dice: Dice
  readonly #graph: GraphSpec
  #vertices: Vertex[] = []
  #columns: Column[] = []
  #count = 0

  constructor(dice: Dice, graph: GraphSpec) {
    this.#dice = dice
    this.#graph = graph
  }

  /** A whole query, from its parameters on. */
  query(): Doc {
    const dice = this.#dice
    const clauses: Doc[] = [this.#match('MATCH')]
    if (dice.chance(30)) clauses.push(optional(this.#match('MATCH')))
    if (dice.chance(30)) clauses.push(optional(this.#match('OPTIONAL MATCH')))
    if (dice.chance(15)) clauses.push(this.#unwind())
    if (dice.chance(30)) clauses.push(this.#with())
    return doc`() { ${list(clauses, ' ', 1)} ${this.#return()} }`
  }

  #name(prefix: string): string {
    this.#count += 1
    return `${prefix}${this.#count}`
  }

  #match(keyword: string): Doc {
    const dice = this.#dice
    const known = this.#vertices.length > 0 && dice.chance(80)
    const start = known
      ? dice.pick(this.#vertices)
      : this.#newVertex(dice.pick(this.#graph.vertices))
    const parts: Doc[] = [known ? `(${start.name})` : `(${start.name}:${start.spec.name})`]
    let from = start
    for (let hops = dice.pick(known ? [1, 1, 2] : [0, 1, 1, 2]); hops > 0; hops--) {
      const next = this.#hop(from)
      if (next === null) break
      parts.push(optional(next.text))
      from = next.to
    }
    const where = dice.chance(50) ? optional(doc` WHERE ${this.#condition(2)}`) : ''
    return doc`${keyword} ${list(parts, '', 1)}${where}`
  }

  #newVertex(spec: VertexSpec): Vertex {
    const vertex = { name: this.#name('v'), spec }
    this.#vertices.push(vertex)
    return vertex
  }

  #hop({ spec }: Vertex): { readonly text: Doc; readonly to: Vertex } | null {
    const steps = this.#graph.edges.flatMap(({ name, directed, pairs }) =>
      pairs.flatMap((pair) => {
        const [left, right] = endsOf(pair)
        return [
          ...(left === spec.name
            ? [{ name, arrow: directed ? '->' : '-', back: '', to: right }]
            : []),
          ...(right === spec.name
            ? [{ name, arrow: '-', back: directed ? '<' : '', to: left }]
            : []),
        ]
      }),
    )
    if (steps.length === 0) return null
    const step = this.#dice.pick(steps)
    const to = this.#newVertex(this.#graph.vertices.find(({ name }) => name === step.to)!)
    const label = this.#dice.chance(80) ? `:${step.to}` : ''
    const edge = `${step.back}-[:${step.name}]${step.arrow}`
    return { text: `${edge}(${to.name}${label})`, to }
  }

  #unwind(): Doc {
    const name = this.#name('x')
    this.#columns.push({ name, type: 'INT' })
    const values = list(['1', '2', '2'].slice(0, this.#dice.between(1, 3)), ', ', 1)
    return doc`UNWIND [${values}] AS ${name}`
  }

  /** Everything that it does not list is gone. */
  #with(): Doc {
    const dice = this.#dice
    const vertices = dice.some(this.#vertices, 60)
    const items = dice.times(0, 2, () => this.#column())
    const keeps = [...vertices.map(({ name }) => name), ...items.map(({ text }) => text)]
    if (keeps.length === 0) return 'WITH *'
    const distinct = dice.chance(30) ? 'DISTINCT ' : ''
    this.#vertices = vertices
    this.#columns = items.map(({ column }) => column)
    const where = dice.chance(40) ? optional(doc` WHERE ${this.#condition(1)}`) : ''
    return doc`WITH ${distinct}${list(keeps, ', ', 1)}${where}`
  }

  #column(): { readonly text: Doc; readonly column: Column } {
    const dice = this.#dice
    const isAggregate = dice.chance(40)
    const name = this.#name('c')
    if (isAggregate) {
      const inner = this.#value('INT', 1)
      const text = dice.pick([
        'count(*)',
        doc`count(${inner})`,
        doc`count(DISTINCT ${inner})`,
        doc`sum(${inner})`,
        doc`min(${inner})`,
        doc`max(${inner})`,
      ])
      return { text: doc`${text} AS ${name}`, column: { name, type: 'INT' } }
    }
    const type = dice.pick(scalarTypes)
    return { text: doc`${this.#value(type, 2)} AS ${name}`, column: { name, type } }
  }

  #return(): Doc {
    const dice = this.#dice
    const items = dice.times(1, 3, () => this.#column())
    const shown =
      this.#vertices.length > 0 && dice.chance(40) ? [dice.pick(this.#vertices).name] : []
    const texts = list([...shown, ...items.map(({ text }) => text)], ', ', 1)
    const distinct = dice.chance(20) ? 'DISTINCT ' : ''
    const names = items.map(({ column }) => column.name)
    const order = dice.chance(60) ? optional(` ORDER BY ${names.join(', ')}`) : ''
    const limit = dice.chance(30) ? optional(` LIMIT ${dice.between(0, 4)}`) : ''
    return doc`RETURN ${distinct}${texts}${order}${limit}`
  }

  // Expressions

  #value(type: string, depth: number): Doc {
    const dice = this.#dice
    const names = this.#names(type)
    if (depth > 0 && dice.chance(40))
      return choice(this.#operation(type, depth - 1), literal(dice, type))
    return names.length > 0 && dice.chance(80) ? dice.pick(names) : literal(dice, type)
  }

  #names(type: string): string[] {
    const attributes = this.#vertices.flatMap(({ name, spec }) =>
      Object.entries(spec.attributes)
        .filter(([, one]) => one === type)
        .map(([attribute]) => `${name}.${attribute}`),
    )
    const columns = this.#columns.filter((one) => one.type === type).map(({ name }) => name)
    return [...attributes, ...columns]
  }

  #operation(type: string, depth: number): Doc {
    const dice = this.#dice
    const value = (of: string) => this.#value(of, depth)
    switch (type) {
      case 'INT':
        return dice.pick([
          () => doc`(${value('INT')} ${dice.pick(['+', '-', '*'])} ${value('INT')})`,
          () => doc`(${value('INT')} % ${String(dice.between(2, 5))})`,
          () => doc`abs(${value('INT')})`,
          () => doc`CASE WHEN ${this.#condition(depth)} THEN ${value('INT')} ELSE 0 END`,
        ])()
      case 'DOUBLE':
        return doc`(${value('DOUBLE')} ${dice.pick(['+', '-'])} ${value('DOUBLE')})`
      case 'STRING':
        return dice.pick([
          () => doc`(${value('STRING')} + ${value('STRING')})`,
          () => doc`toUpper(${value('STRING')})`,
        ])()
      default:
        return doc`(${this.#condition(depth)})`
    }
  }

  #condition(depth: number): Doc {
    const dice = this.#dice
    const inner = () => this.#condition(depth - 1)
    if (depth > 0 && dice.chance(50)) {
      const [left, right] = [inner(), inner()]
      return dice.chance(25)
        ? choice(doc`NOT (${left})`, left)
        : choice(doc`(${left} ${dice.pick(['AND', 'OR', 'XOR'])} ${right})`, left, right)
    }
    const type = dice.pick(['INT', 'INT', 'STRING', 'DOUBLE'])
    const [left, right] = [this.#value(type, depth), this.#value(type, 0)]
    if (type === 'STRING' && dice.chance(40)) {
      return doc`${left} ${dice.pick(['STARTS WITH', 'ENDS WITH', 'CONTAINS'])} ${right}`
    }
    if (type === 'INT' && dice.chance(20)) return doc`${left} IN [1, 2, 3]`
    return doc`${left} ${dice.pick(['=', '<>', '<', '<=', '>', '>='])} ${right}`
  }
}

function literal(dice: Dice, type: string): string {
  switch (type) {
    case 'INT':
      return String(dice.between(0, 9))
    case 'DOUBLE':
      return `${dice.between(0, 8)}.25`
    case 'STRING':
      return `"${dice.pick(['', 'x', 'y', 'xy'])}"`
    default:
      return dice.pick(['true', 'false'])
  }
}
