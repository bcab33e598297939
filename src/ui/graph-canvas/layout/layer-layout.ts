/**
 * A hierarchy from left to right, after Sugiyama, Tagawa and Toda (1981): edges that close a cycle
 * are turned round, every node stands one layer behind its farthest predecessor, sweeps by
 * barycentre order each layer, and nodes move towards the middle of their neighbours as far as the
 * others of their layer leave room (least squares under an order: pool adjacent violators).
 *
 * Long edges get no bends of their own, so they may pass behind nodes of the layers between.
 */
const ORDER_SWEEPS = 12
const ALIGN_SWEEPS = 10

interface LayerLayoutRequest {
  /** width0, height0, width1, height1, … */
  readonly sizes: Float64Array
  /** source0, target0, source1, …, counted in nodes. */
  readonly links: Uint32Array
  /** Room between neighbours of a layer, and between layers. */
  readonly nodeGap: number
  readonly layerGap: number
}

interface Graph {
  readonly before: readonly (readonly number[])[]
  readonly after: readonly (readonly number[])[]
}

/** Returns x0, y0, x1, y1, … of the middles; the same for the same graph. */
export function layerLayout(request: LayerLayoutRequest): Float64Array {
  const count = request.sizes.length / 2
  const graph = withoutCycles(count, request.links)
  const layers = ordered(layersOf(graph), graph)
  const positions = new Float64Array(count * 2)
  placeAcross(layers, request, positions)
  for (let sweep = 0; sweep < ALIGN_SWEEPS; sweep++) {
    const order = sweep % 2 === 0 ? layers : layers.toReversed()
    for (const layer of order) alignLayer(layer, graph, { request, positions })
  }
  return positions
}

const [NEW, OPEN, DONE] = [0, 1, 2]

/** Depth first; an edge back to a node that is still open is turned round, a loop left out. */
function withoutCycles(count: number, links: Uint32Array): Graph {
  const lists = (): number[][] => Array.from({ length: count }, () => [])
  const [targets, before, after] = [lists(), lists(), lists()]
  for (let at = 0; at < links.length; at += 2) targets[links[at]!]!.push(links[at + 1]!)
  const state = new Uint8Array(count)
  const join = (from: number, to: number) => {
    after[from]!.push(to)
    before[to]!.push(from)
  }
  for (let root = 0; root < count; root++) {
    if (state[root] === NEW) walkFrom(root, { targets, state, join })
  }
  return { before, after }
}

interface Walk {
  readonly targets: readonly (readonly number[])[]
  readonly state: Uint8Array
  readonly join: (from: number, to: number) => void
}

function walkFrom(root: number, { targets, state, join }: Walk): void {
  const path = [{ node: root, next: 0 }]
  state[root] = OPEN
  while (path.length > 0) {
    const top = path.at(-1)!
    const target = targets[top.node]![top.next++]
    if (target === undefined) {
      state[top.node] = DONE
      path.pop()
    } else if (state[target] === OPEN) {
      if (target !== top.node) join(target, top.node)
    } else {
      join(top.node, target)
      if (state[target] === NEW) path.push({ node: target, next: 0 })
      if (state[target] === NEW) state[target] = OPEN
    }
  }
}

function layersOf({ before, after }: Graph): number[][] {
  const layer = new Int32Array(before.length)
  const waiting = Int32Array.from(before, (list) => list.length)
  const queue = [...before.keys()].filter((node) => waiting[node] === 0)
  for (const node of queue) {
    for (const target of after[node]!) {
      layer[target] = Math.max(layer[target]!, layer[node]! + 1)
      waiting[target]! -= 1
      if (waiting[target] === 0) queue.push(target)
    }
  }
  // Who has only successors moves up to the nearest of them.
  for (const node of queue.toReversed()) {
    if (before[node]!.length > 0 || after[node]!.length === 0) continue
    layer[node] = Math.min(...after[node]!.map((target) => layer[target]!)) - 1
  }
  const layers: number[][] = []
  for (const [node, at] of layer.entries()) {
    while (layers.length <= at) layers.push([])
    layers[at]!.push(node)
  }
  return layers
}

function ordered(layers: readonly number[][], { before, after }: Graph): readonly number[][] {
  const place = new Float64Array(before.length)
  const settle = (layer: readonly number[]) => {
    for (const [index, node] of layer.entries()) place[node] = index - (layer.length - 1) / 2
  }
  layers.forEach(settle)
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) {
    const forth = sweep % 2 === 0
    for (const layer of forth ? layers : layers.toReversed()) {
      const wish = new Map(
        layer.map((node) => {
          const towards = (forth ? before : after)[node]!
          return [node, towards.length === 0 ? place[node]! : meanOf(towards, place)]
        }),
      )
      layer.sort((a, b) => wish.get(a)! - wish.get(b)! || place[a]! - place[b]!)
      settle(layer)
    }
  }
  return layers
}

function meanOf(nodes: readonly number[], values: Float64Array): number {
  let sum = 0
  for (const node of nodes) sum += values[node]!
  return sum / nodes.length
}

/** Layers stand behind each other, as wide as their widest node; nodes start close together. */
function placeAcross(
  layers: readonly (readonly number[])[],
  { sizes, layerGap, nodeGap }: LayerLayoutRequest,
  positions: Float64Array,
): void {
  let left = 0
  for (const layer of layers) {
    const width = layer.reduce((most, node) => Math.max(most, sizes[2 * node]!), 0)
    const height = layer.reduce((sum, node) => sum + sizes[2 * node + 1]! + nodeGap, -nodeGap)
    let top = -height / 2
    for (const node of layer) {
      positions[2 * node] = left + width / 2
      positions[2 * node + 1] = top + sizes[2 * node + 1]! / 2
      top += sizes[2 * node + 1]! + nodeGap
    }
    left += width + layerGap
  }
}

interface Alignment {
  readonly request: LayerLayoutRequest
  readonly positions: Float64Array
}

function alignLayer(layer: readonly number[], graph: Graph, alignment: Alignment): void {
  const { request, positions } = alignment
  /** Distance of each from the first when all stand close. */
  const offsets = new Float64Array(layer.length)
  const wishes = layer.map((node, index) => {
    if (index > 0) {
      const heights = request.sizes[2 * node + 1]! + request.sizes[2 * layer[index - 1]! + 1]!
      offsets[index] = offsets[index - 1]! + heights / 2 + request.nodeGap
    }
    const near = [...graph.before[node]!, ...graph.after[node]!]
    const own = positions[2 * node + 1]!
    const middle = near.reduce((sum, other) => sum + positions[2 * other + 1]!, 0) / near.length
    return (near.length === 0 ? own : middle) - offsets[index]!
  })
  const starts = increasing(wishes)
  for (const [index, node] of layer.entries()) {
    positions[2 * node + 1] = starts[index]! + offsets[index]!
  }
}

/** The nearest values, by least squares, of which none is smaller than the one before. */
export function increasing(values: readonly number[]): readonly number[] {
  const blocks: { sum: number; count: number }[] = []
  for (const value of values) {
    let block = { sum: value, count: 1 }
    while (true) {
      const last = blocks.at(-1)
      if (last === undefined || last.sum / last.count <= block.sum / block.count) break
      blocks.pop()
      block = { sum: last.sum + block.sum, count: last.count + block.count }
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count))
}
