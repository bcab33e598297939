/** A force layout over plain arrays, so that it runs in a worker and in a test alike. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import { hopLayout } from './hop-layout.ts'

export interface ForceRequest {
  /** x0, y0, x1, y1, …; null to start from the hops between the nodes. */
  readonly positions: Float64Array | null
  /** From the middle of each node to its side, in model pixels. */
  readonly radii: Float64Array
  /** 1 for nodes that stay where they are. */
  readonly fixed: Uint8Array
  /** source0, target0, source1, … : places in `positions`, counted in nodes. */
  readonly links: Uint32Array
  readonly ticks: number
  /** Wanted length of an edge, in model pixels. */
  readonly distance: number
  /** Wanted length of each link where it is longer than that: room for wide ends and a label. */
  readonly lengths: Float64Array
}

/** A node with more edges than this keeps its neighbours farther off, so that all find room. */
const HUB_DEGREE = 10

/** Left free between two nodes that are wide. */
const GAP = 10

/** Returns new positions in the order given; fixed nodes keep theirs exactly. */
export function runForce(request: ForceRequest): Float64Array {
  const nodes = nodesOf(request)
  const degrees = new Uint32Array(nodes.length)
  for (const end of request.links) degrees[end] = (degrees[end] ?? 0) + 1
  const simulation = forceSimulation(nodes)
    .force('link', linkForce(request, degrees))
    .force(
      'charge',
      forceManyBody()
        .strength(-4 * request.distance)
        .theta(1),
    )
    .force(
      'collide',
      forceCollide((_, at) => Math.max(request.distance / 3, (request.radii[at] ?? 0) + GAP)),
    )
    .force('x', forceX(0).strength(0.02))
    .force('y', forceY(0).strength(0.03))
    .stop()
  simulation.tick(request.ticks)
  const result = new Float64Array(nodes.length * 2)
  for (const [position, node] of nodes.entries()) {
    result[2 * position] = node.x ?? 0
    result[2 * position + 1] = node.y ?? 0
  }
  return result
}

function nodesOf(request: ForceRequest): SimulationNodeDatum[] {
  const { fixed } = request
  const positions = request.positions ?? hopLayout({ ...request, count: fixed.length })
  return Array.from(fixed, (isFixed, position) => {
    const x = positions[2 * position] ?? 0
    const y = positions[2 * position + 1] ?? 0
    return isFixed === 1 ? { x, y, fx: x, fy: y } : { x, y }
  })
}

function linkForce({ links, distance, lengths }: ForceRequest, degrees: Uint32Array) {
  const data: SimulationLinkDatum<SimulationNodeDatum>[] = []
  for (let link = 0; link < links.length; link += 2) {
    data.push({ source: links[link] ?? 0, target: links[link + 1] ?? 0 })
  }
  type Link = SimulationLinkDatum<SimulationNodeDatum>
  const degreeOf = (end: unknown) => degrees[(end as SimulationNodeDatum).index ?? 0] ?? 1
  const leastDegree = (link: Link) => Math.min(degreeOf(link.source), degreeOf(link.target))
  const mostDegree = (link: Link) => Math.max(degreeOf(link.source), degreeOf(link.target))
  return forceLink(data)
    .distance((link, at) =>
      Math.max(lengths[at] ?? 0, distance * Math.max(1, Math.sqrt(mostDegree(link) / HUB_DEGREE))),
    )
    .strength((link) => 1 / Math.max(1, leastDegree(link)))
}
