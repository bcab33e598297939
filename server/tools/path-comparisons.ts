/** Weighted paths, spanning trees, cycles, flow and diameter. */
import { type Comparison, columns, node, onTies, type Session, vertex } from './comparison-kit.ts'
import { VERTICES } from './generated-network.ts'

const byCost = { weight_attribute: 'cost', weight_type: 'INT' }
const FAR = 300

export function pathComparisons(session: Session): readonly Comparison[] {
  return [...paths(session), ...trees(session), ...cycles(session)]
}

function paths({ reference, run }: Session): readonly Comparison[] {
  const weighted = { ...onTies, weight_attribute: 'weight', weight_type: 'INT', source: node }
  return [
    {
      name: 'tg_shortest_ss_pos_wt',
      found: async () =>
        columns((await run('tg_shortest_ss_pos_wt', weighted))[0].component, 'cost'),
      expected: reference.distances,
      tolerance: 0,
    },
    {
      name: 'tg_shortest_ss_pos_wt_tb',
      found: async () => {
        const [{ tmp }] = await run('tg_shortest_ss_pos_wt_tb', weighted)
        return columns(tmp, 'cost').with(0, 0)
      },
      expected: reference.distances,
      tolerance: 0,
    },
    {
      name: 'tg_astar',
      of: 'all in one place, so that its heuristic is 0',
      found: async () => {
        const found: number[] = []
        for (const target of [FAR, 123, 599]) {
          const ends = { source_vertex: node, target_vertex: vertex(target) }
          const places = { latitude: 'latitude', longitude: 'longitude' }
          const given = { ...ends, ...places, ...byCost, e_type_set: ['Tie'] }
          found.push((await run('tg_astar', given))[0]['@@sum_total_dist'])
        }
        return found
      },
      expected: reference.costs,
      tolerance: 0,
    },
    {
      name: 'tg_estimate_diameter',
      found: async () => {
        await run('tg_max_BFS_depth', { source: node, e_type_set: ['Tie'] })
        const given = { ...onTies, seed_set_length: VERTICES }
        return [(await run('tg_estimate_diameter', given))[0].diameter]
      },
      expected: [reference.diameter],
      tolerance: 0,
    },
    {
      name: 'tg_maxflow',
      found: async () => {
        const given = {
          source: node,
          sink: vertex(FAR),
          v_type: ['Node'],
          e_type_set: ['Link'],
          reverse_e_type_set: ['reverse_Link'],
          cap_attr: 'capacity',
          cap_type: 'INT',
        }
        return [(await run('tg_maxflow', given))[0]['@@sum_max_flow']]
      },
      expected: [reference.flow],
      tolerance: 0,
    },
  ]
}

/** Edges as numbers that do not depend on the side from which they are printed. */
function edgeNumbers(edges: readonly { from_id: string; to_id: string }[]): number[] {
  return edges
    .map(({ from_id, to_id }) => [Number(from_id), Number(to_id)])
    .map(([a, b]) => Math.min(a!, b!) * VERTICES + Math.max(a!, b!))
    .sort((a, b) => a - b)
}

function trees({ reference, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_msf',
      found: async () =>
        edgeNumbers((await run('tg_msf', { ...onTies, ...byCost }))[0]['@@result_set']),
      expected: reference.spanningTree,
      tolerance: 0,
    },
    {
      name: 'tg_mst',
      found: async () => {
        const results = await run('tg_mst', { ...onTies, ...byCost, opt_source: node })
        return edgeNumbers(results.find((one) => 'mst' in one).mst)
      },
      expected: reference.spanningTree,
      tolerance: 0,
    },
  ]
}

function cycles({ reference, run }: Session): readonly Comparison[] {
  const onLinks = { v_type_set: ['Node'], e_type_set: ['Link'], depth: 5 }
  const asText = (cycle: readonly number[]) => {
    const first = cycle.indexOf(Math.min(...cycle))
    return [...cycle.slice(first), ...cycle.slice(0, first)].join(' ')
  }
  return [
    {
      name: 'tg_cycle_detection_count',
      of: 'up to 5 long',
      found: async () => [
        (await run('tg_cycle_detection_count', { ...onLinks, batches: 3 }))[0].cycles,
      ],
      expected: [reference.cycles.length],
      tolerance: 0,
    },
    {
      name: 'tg_cycle_detection',
      of: 'up to 5 long: how many, and how many that networkx has not',
      found: async () => {
        const [{ cycles: found }] = await run('tg_cycle_detection', onLinks)
        const known = new Set((reference.cycles as number[][]).map(asText))
        const texts = new Set((found as string[][]).map((one) => asText(one.map(Number))))
        return [texts.size, [...texts].filter((text) => !known.has(text)).length]
      },
      expected: [reference.cycles.length, 0],
      tolerance: 0,
    },
  ]
}
