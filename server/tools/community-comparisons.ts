/** Communities, cores, independent sets and colours: partitions, or properties that every good answer has. */
import {
  type Comparison,
  cids,
  columns,
  leastMembers,
  onTies,
  type Session,
} from './comparison-kit.ts'
import { modularity, VERTICES } from './generated-network.ts'

export function communityComparisons(session: Session): readonly Comparison[] {
  return [...communities(session), ...components(session), ...properties(session)]
}

function communities(session: Session): readonly Comparison[] {
  const { network, reference, run } = session
  const labelled = async (type: string) => {
    const given = { v_type_set: ['Node'], e_type_set: [type], maximum_iteration: 50 }
    const rest = { print_limit: VERTICES, result_attribute: 'cid' }
    await run('tg_label_prop', { ...given, ...rest })
    return leastMembers(await cids(session))
  }
  const louvain = async (type: string) => {
    const given = { v_type_set: ['Node'], e_type_set: [type], weight_attribute: 'weight' }
    await run('tg_louvain', { ...given, result_attribute: 'cid' })
    return leastMembers(await cids(session))
  }
  return [
    {
      name: 'tg_label_prop',
      of: 'cliques as label_propagation_communities finds them',
      found: () => labelled('Clique'),
      expected: reference.cliqueLabels,
      tolerance: 0,
    },
    {
      name: 'tg_label_prop',
      of: 'modularity of clubs, of label_propagation_communities',
      found: async () => {
        const pairs = network.clubs.map(([a, b]) => [a, b])
        return [modularity(pairs, await labelled('Club'))]
      },
      expected: [reference.clubLabelModularity],
      tolerance: 0.02,
    },
    {
      name: 'tg_label_prop',
      of: 'clubs: its text, round by round',
      found: () => labelled('Club'),
      expected: reference.clubLabelsAsWritten,
      tolerance: 0,
    },
    {
      name: 'tg_louvain',
      of: 'cliques as louvain_communities finds them',
      found: () => louvain('Clique'),
      expected: reference.cliqueLouvain,
      tolerance: 0,
    },
    {
      name: 'tg_louvain',
      of: 'clubs: its text, move by move',
      found: () => louvain('Club'),
      expected: reference.clubLouvainAsWritten,
      tolerance: 0,
    },
    {
      name: 'tg_louvain',
      of: 'ties: its text, move by move',
      found: () => louvain('Tie'),
      expected: reference.tieLouvainAsWritten,
      tolerance: 0,
    },
    {
      name: 'tg_kcore',
      of: 'core_number of cliques',
      found: async () => {
        const given = { v_type: 'Node', e_type: 'Clique', result_attribute: 'cid' }
        await run('tg_kcore', { ...given, print_results: false })
        return cids(session)
      },
      expected: reference.cliqueCores,
      tolerance: 0,
    },
  ]
}

const sizes = (map: Record<string, number>) => Object.values(map).sort((a, b) => b - a)

function components({ reference, run }: Session): readonly Comparison[] {
  const given = { v_type: 'Node', print_results: true, threshold: 4 }
  return [
    {
      name: 'tg_wcc_small_world',
      found: async () =>
        sizes((await run('tg_wcc_small_world', { ...given, e_type: 'Part' }))[0]['@@CC_count_map']),
      expected: reference.componentSizes,
      tolerance: 0,
    },
    {
      name: 'tg_scc_small_world',
      found: async () => {
        const types = { e_type: 'Link', reverse_e_type: 'reverse_Link' }
        const results = await run('tg_scc_small_world', { ...given, ...types })
        return sizes(results[0]['@@CC_count_map'])
      },
      expected: reference.strongSizes,
      tolerance: 0,
    },
    {
      name: 'tg_cycle_component',
      of: 'k_core of 2',
      found: async () => {
        const results = await run('tg_cycle_component', { v_type: 'Node', e_type: 'Part' })
        return vertexNumbers(results[0].Start)
      },
      expected: reference.twoCore,
      tolerance: 0,
    },
  ]
}

const vertexNumbers = (set: readonly { v_id: string }[]) =>
  set.map(({ v_id }) => Number(v_id)).sort((a, b) => a - b)

function properties({ network, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_maximal_indep_set',
      of: 'neighbours inside, and vertices with none inside: none',
      found: async () => {
        const results = await run('tg_maximal_indep_set', { v_type: 'Node', e_type: 'Tie' })
        return independenceFaults(network.ties, vertexNumbers(results[0].Start))
      },
      expected: [0, 0],
      tolerance: 0,
    },
    {
      name: 'tg_maximal_indep_set_random',
      of: 'neighbours inside, and vertices with none inside: none',
      found: async () => {
        const results = await run('tg_maximal_indep_set_random', onTies)
        const { Results } = results.find((one) => 'Results' in one)
        return independenceFaults(network.ties, vertexNumbers(Results))
      },
      expected: [0, 0],
      tolerance: 0,
    },
    {
      name: 'tg_greedy_graph_coloring',
      of: 'neighbours of one colour, and vertices without a colour: none',
      found: async () => {
        const results = await run('tg_greedy_graph_coloring', onTies)
        const { start } = results.find((one) => 'start' in one)
        const colours = columns(start, 'start.@sum_color_vertex', 0)
        const same = network.ties.filter(([a, b]) => colours[a] === colours[b])
        return [same.length, colours.filter((colour) => colour < 1).length]
      },
      expected: [0, 0],
      tolerance: 0,
    },
  ]
}

function independenceFaults(edges: readonly (readonly number[])[], chosen: readonly number[]) {
  const inside = new Set(chosen)
  const covered = new Set(chosen)
  let conflicts = 0
  for (const [a, b] of edges) {
    if (inside.has(a!) && inside.has(b!)) conflicts += 1
    if (inside.has(a!)) covered.add(b!)
    if (inside.has(b!)) covered.add(a!)
  }
  return [conflicts, VERTICES - covered.size]
}
