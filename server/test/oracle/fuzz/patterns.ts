/** Random FROM clauses: along edges that the schema has. */
import type { Dice } from './dice.ts'
import { type Doc, doc, list, optional } from './doc.ts'
import { type EdgeSpec, endsOf, type VertexSpec } from './graph-spec.ts'
import type { Declared, EdgeAlias, VertexAlias, VirtualEdge } from './scope.ts'

export interface Pattern {
  readonly text: Doc
  readonly vertices: readonly VertexAlias[]
  readonly edges: readonly EdgeAlias[]
  /** Its syntax is that of V3. */
  readonly isV3: boolean
}

/** One way over an edge. */
interface Step {
  readonly edge: EdgeSpec
  readonly direction: 'out' | 'in' | 'both'
  readonly to: VertexSpec
}

const vertexNames = ['s', 't', 'v', 'w']
const edgeNames = ['e', 'f', 'g', 'h']

export class Patterns {
  readonly #dice: Dice
  readonly #declared: Declared

  constructor(dice: Dice, declared: Declared) {
    this.#dice = dice
    this.#declared = declared
  }

  /** @param hopsMax how many hops it may have */
  next(hopsMax: number): Pattern {
    const hops = this.#dice.pick([0, 1, 1, 1, 2, 2, 3].filter((count) => count <= hopsMax))
    const { vertices } = this.#declared.graph
    const start = this.#dice.pick(vertices)
    if (this.#dice.chance(15)) return this.#versionThree(start, hops)
    return this.#classic(start, hops)
  }

  #steps(from: VertexSpec): Step[] {
    const { graph, virtualEdge } = this.#declared
    const spec = (name: string) => graph.vertices.find((one) => one.name === name)!
    const edges = virtualEdge === null ? graph.edges : [...graph.edges, virtualEdge.spec]
    return edges.flatMap((edge) =>
      edge.pairs.flatMap((pair): Step[] => {
        const [left, right] = endsOf(pair)
        const out = edge.directed ? 'out' : 'both'
        return [
          ...(left === from.name ? [{ edge, direction: out, to: spec(right) } as const] : []),
          ...(right === from.name && (edge.directed || left !== right)
            ? [{ edge, direction: edge.directed ? 'in' : 'both', to: spec(left) } as const]
            : []),
        ]
      }),
    )
  }

  // V1 and V2

  #classic(start: VertexSpec, hops: number): Pattern {
    const vertices: VertexAlias[] = [{ name: vertexNames[0]!, spec: start }]
    const edges: EdgeAlias[] = []
    let parts: Doc[] = [this.#source(start)]
    const chains: Doc[] = []
    for (let hop = 0; hop < hops; hop++) {
      const from = this.#nextSource(vertices, hop, () => {
        chains.push(list(parts, ''))
        parts = []
      })
      const steps = this.#steps(from.spec)
      if (steps.length === 0) break
      if (parts.length === 0) parts.push(`${from.spec.name}:${from.name}`)
      const step = this.#dice.pick(steps)
      const name = edgeNames[edges.length]!
      const { text, hasAlias } = this.#edge(step, hops, name)
      if (hasAlias) edges.push({ name, spec: step.edge })
      parts.push(optional(doc`${text}${this.#target(step.to, vertices)}`))
    }
    chains.push(list(parts, ''))
    return { text: list(chains, ', ', 1), vertices, edges, isV3: false }
  }

  /** The last vertex, or, sometimes, any before: another chain then begins there. */
  #nextSource(vertices: readonly VertexAlias[], hop: number, beginChain: () => void): VertexAlias {
    const last = vertices.at(-1)!
    if (hop === 0 || !this.#dice.chance(25)) return last
    beginChain()
    return this.#dice.pick(vertices)
  }

  #source(spec: VertexSpec): Doc {
    const sets = this.#setsOf(spec)
    const name = vertexNames[0]!
    if (sets.length > 0 && this.#dice.chance(50)) return `${this.#dice.pick(sets)}:${name}`
    if (this.#dice.chance(10)) return `(${this.#typesWith(spec).join('|')}):${name}`
    return `${spec.name}:${name}`
  }

  #setsOf({ name }: VertexSpec): string[] {
    return this.#declared.sets.filter(({ types }) => types.includes(name)).map((set) => set.name)
  }

  #typesWith(spec: VertexSpec): string[] {
    const others = this.#declared.graph.vertices.filter((one) => one !== spec)
    return [spec, ...this.#dice.some(others, 60)].map(({ name }) => name)
  }

  /** Adds its alias to `vertices`; a cycle is closed now and then. */
  #target(spec: VertexSpec, vertices: VertexAlias[]): Doc {
    const dice = this.#dice
    const known = vertices.filter((one) => one.spec === spec)
    if (vertices.length > 1 && known.length > 0 && dice.chance(12)) {
      return `${spec.name}:${dice.pick(known).name}`
    }
    const name = vertexNames[vertices.length]!
    vertices.push({ name, spec })
    if (dice.chance(15)) return ` :${name}`
    const sets = this.#setsOf(spec)
    if (sets.length > 0 && dice.chance(15)) return ` ${dice.pick(sets)}:${name}`
    if (dice.chance(12)) return ` (${this.#typesWith(spec).join('|')}):${name}`
    return ` ${spec.name}:${name}`
  }

  #edge(
    step: Step,
    hops: number,
    name: string,
  ): { readonly text: Doc; readonly hasAlias: boolean } {
    const dice = this.#dice
    const marked = markedName(dice, step)
    const { edgeName, virtualEdge } = this.#declared
    if (step.edge === virtualEdge?.spec) {
      return { text: ` -(${marked}:${name})-`, hasAlias: true }
    }
    if (edgeName === step.edge.name && dice.chance(40)) {
      return { text: ` -(${marks[step.direction]('en')}:${name})-`, hasAlias: true }
    }
    if (edgeName !== null && dice.chance(6)) return { text: ' -(en>)-', hasAlias: false }
    const roll = dice.below(100)
    if (roll < 10) {
      const bounds = dice.pick(['*', '*1..', '*2', '*1..2', '*0..1', '*2..3', '*..2'])
      return { text: ` -(${marked}${bounds})-`, hasAlias: false }
    }
    if (roll < 15 && hops < 3) return { text: ` -(:${name})-`, hasAlias: true }
    if (roll < 20) return { text: ` -(${wildcards[step.direction]}:${name})-`, hasAlias: true }
    if (roll < 32) {
      const { edges } = this.#declared.graph
      const other = dice.pick(edges)
      const direction = other.directed ? dice.pick(['out', 'in'] as const) : 'both'
      const second = marks[direction](other.name)
      if (second !== marked) return { text: ` -((${marked}|${second}):${name})-`, hasAlias: true }
    }
    const isNamed = dice.chance(70)
    // A directed type without a mark goes forwards in a pattern of one hop.
    const isBare = step.direction === 'out' && hops === 1 && dice.chance(15)
    const text = isBare ? step.edge.name : marked
    return { text: isNamed ? ` -(${text}:${name})-` : ` -(${text})-`, hasAlias: isNamed }
  }

  // V3

  /** Along the edges that a virtual edge type imitates. */
  along({ along }: VirtualEdge): Pattern {
    const { vertices } = this.#declared.graph
    const [from, to] = endsOf(along.pairs[0]!).map(
      (end) => vertices.find(({ name }) => name === end)!,
    )
    const [source, target] = vertexNames
    const name = edgeNames[0]!
    const mark = along.directed ? '>' : ''
    return {
      text: `${from!.name}:${source} -(${along.name}${mark}:${name})- ${to!.name}:${target}`,
      vertices: [
        { name: source!, spec: from! },
        { name: target!, spec: to! },
      ],
      edges: [{ name, spec: along }],
      isV3: false,
    }
  }

  #versionThree(start: VertexSpec, hops: number): Pattern {
    const vertices: VertexAlias[] = [{ name: vertexNames[0]!, spec: start }]
    const edges: EdgeAlias[] = []
    const parts: Doc[] = [`(${vertexNames[0]}:${start.name})`]
    for (let hop = 0; hop < hops; hop++) {
      const steps = this.#steps(vertices.at(-1)!.spec)
      if (steps.length === 0) break
      const step = this.#dice.pick(steps)
      const name = edgeNames[hop]!
      edges.push({ name, spec: step.edge })
      const target = { name: vertexNames[vertices.length]!, spec: step.to }
      vertices.push(target)
      const label = this.#dice.chance(80) ? `:${target.spec.name}` : ''
      const [left, right] = arrows[step.direction]
      parts.push(optional(`${left}[${name}:${step.edge.name}]${right}(${target.name}${label})`))
    }
    return { text: list(parts, '', 1), vertices, edges, isV3: true }
  }
}

const wildcards = { out: '_>', in: '<_', both: '_' } as const

const marks = {
  out: (name: string) => `${name}>`,
  in: (name: string) => `<${name}`,
  both: (name: string) => name,
} as const

const arrows = { out: ['-', '->'], in: ['<-', '-'], both: ['~', '~'] } as const

function markedName(dice: Dice, { edge, direction }: Step): string {
  if (direction === 'in' && edge.reverse !== null && dice.chance(40)) return `${edge.reverse}>`
  return marks[direction](edge.name)
}
