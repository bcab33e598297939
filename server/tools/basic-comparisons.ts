/** The algorithms whose numbers networkx gives as they stand. */

import {
  all,
  type Comparison,
  cids,
  columns,
  leastMembers,
  node,
  onTies,
  perVertex,
  type Session,
  scores,
  single,
} from './comparison-kit.ts'
import { coreAsWritten, VERTICES } from './generated-network.ts'

export function basicComparisons(session: Session): readonly Comparison[] {
  return [...structure(session), ...distances(session), ...similarity(session)]
}

function structure(session: Session): readonly Comparison[] {
  const { network, reference, run } = session
  return [
    {
      name: 'tg_pagerank',
      found: async () => {
        const limits = { max_change: 0.000001, maximum_iteration: 200 }
        const [{ '@@top_scores_heap': heap }] = await run('tg_pagerank', {
          ...single,
          ...limits,
          ...all,
        })
        return scores(heap)
      },
      expected: reference.pagerank,
      tolerance: 1e-3,
    },
    {
      name: 'tg_wcc',
      found: async () => {
        const given = { v_type_set: ['Node'], e_type_set: ['Part'], print_limit: -1 }
        const [, , { Start }] = await run('tg_wcc', given)
        return leastMembers(columns(Start, 'Start.@min_cc_id'))
      },
      expected: reference.components,
      tolerance: 0,
    },
    {
      name: 'tg_scc',
      found: async () => {
        const given = {
          v_type_set: ['Node'],
          e_type_set: ['Link'],
          reverse_e_type_set: ['reverse_Link'],
          print_limit: -1,
          result_attribute: 'cid',
        }
        await run('tg_scc', given)
        return leastMembers(await cids(session))
      },
      expected: reference.strong,
      tolerance: 0,
    },
    {
      name: 'tg_tri_count',
      found: async () => [(await run('tg_tri_count', single))[0].num_triangles],
      expected: [reference.triangles],
      tolerance: 0,
    },
    {
      name: 'tg_tri_count_fast',
      found: async () => [(await run('tg_tri_count_fast', single))[0].num_triangles],
      expected: [reference.triangles],
      tolerance: 0,
    },
    {
      name: 'tg_kcore',
      of: 'its text, which is not networkx (see coreAsWritten)',
      found: async () => {
        await run('tg_kcore', { ...single, result_attribute: 'cid', print_results: false })
        return cids(session)
      },
      expected: coreAsWritten(network),
      tolerance: 0,
    },
    {
      name: 'tg_lcc',
      found: async () => scores((await run('tg_lcc', { ...single, ...all }))[0].top_scores),
      expected: reference.clustering,
      tolerance: 1e-6,
    },
  ]
}

function distances({ reference, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_closeness_cent',
      found: async () => {
        const given = { ...onTies, reverse_e_type: ['Tie'], max_hops: VERTICES, ...all }
        return scores((await run('tg_closeness_cent', given))[0].top_scores)
      },
      expected: reference.closeness,
      tolerance: 1e-6,
    },
    {
      name: 'tg_harmonic_cent',
      found: async () => {
        const given = {
          ...onTies,
          reverse_e_type_set: ['Tie'],
          max_hops: VERTICES,
          wf: false,
          ...all,
        }
        return scores((await run('tg_harmonic_cent', given))[0].top_scores)
      },
      expected: reference.harmonic,
      tolerance: 2e-3,
    },
    {
      name: 'tg_bfs',
      found: async () => {
        const given = { ...onTies, v_start: node, max_hops: VERTICES, display_edges: false }
        return columns((await run('tg_bfs', given))[0].Start, 'Start.@sum_step')
      },
      expected: reference.hops,
      tolerance: 0,
    },
    {
      name: 'tg_shortest_ss_no_wt',
      found: async () => {
        const [{ ResultSet }] = await run('tg_shortest_ss_no_wt', { ...onTies, source: node })
        return columns(ResultSet, 'ResultSet.@min_dis')
      },
      expected: reference.hops,
      tolerance: 0,
    },
    {
      name: 'tg_shortest_ss_any_wt',
      found: async () => {
        const given = { ...onTies, source: node, weight_attribute: 'weight', weight_type: 'INT' }
        const results = await run('tg_shortest_ss_any_wt', given)
        const column = 'component.@min_path_heap.top().dist'
        return columns(results.find((one) => 'component' in one).component, column)
      },
      expected: reference.distances,
      tolerance: 0,
    },
  ]
}

function similarity({ reference, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_jaccard_nbor_ss',
      found: async () => {
        const given = { source: node, e_type: 'Tie', reverse_e_type: 'Tie', ...all }
        const [{ Others }] = await run('tg_jaccard_nbor_ss', given)
        return columns(Others, 'Others.@sum_similarity', 0)
      },
      expected: perVertex(reference.jaccard),
      tolerance: 1e-6,
    },
    {
      name: 'tg_cosine_nbor_ss',
      found: async () => {
        const given = {
          source: node,
          e_type_set: ['Tie'],
          reverse_e_type_set: ['Tie'],
          weight_attribute: 'weight',
          print_limit: VERTICES,
          ...all,
        }
        const [{ neighbours }] = await run('tg_cosine_nbor_ss', given)
        return columns(neighbours, 'neighbours.@sum_similarity', 0)
      },
      expected: perVertex(reference.cosine),
      tolerance: 1e-5,
    },
  ]
}
