/** Ranks and centralities beside the plain ones: degree, weighted and personal PageRank, eigenvector, influence. */
import {
  all,
  type Comparison,
  onTies,
  type Session,
  scores,
  single,
  vertex,
} from './comparison-kit.ts'
import { type Network, neighbourLists, VERTICES } from './generated-network.ts'

const ranking = { max_change: 0.000001, maximum_iteration: 200, ...all }
const SEEDS = 12

export function rankComparisons(session: Session): readonly Comparison[] {
  return [...degrees(session), ...ranks(session), ...influence(session)]
}

function degrees({ reference, run }: Session): readonly Comparison[] {
  const along = { v_type_set: ['Node'], e_type_set: ['Link'], reverse_e_type_set: ['reverse_Link'] }
  return [
    {
      name: 'tg_degree_cent',
      of: 'in, directed',
      found: async () =>
        scores(
          (await run('tg_degree_cent', { ...along, ...all, out_degree: false }))[0].top_scores,
        ),
      expected: reference.inDegree,
      tolerance: 1e-8,
    },
    {
      name: 'tg_degree_cent',
      of: 'in and out, directed',
      found: async () => scores((await run('tg_degree_cent', { ...along, ...all }))[0].top_scores),
      expected: reference.degree,
      tolerance: 1e-8,
    },
    {
      name: 'tg_weighted_degree_cent',
      found: async () => {
        const given = { ...single, reverse_e_type: 'Tie', weight_attribute: 'weight', ...all }
        const results = await run('tg_weighted_degree_cent', { ...given, in_degree: false })
        return scores(results[0].top_scores)
      },
      expected: reference.strength,
      tolerance: 0,
    },
  ]
}

function ranks({ network, reference, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_pagerank',
      of: 'directed; vertices without a link out keep 1 by its text',
      found: async () => {
        const given = { v_type: 'Node', e_type: 'Link', ...ranking }
        return scores((await run('tg_pagerank', given))[0]['@@top_scores_heap'])
      },
      expected: reference.pagerankAsWritten,
      tolerance: 1e-3,
    },
    {
      name: 'tg_pagerank_wt',
      found: async () => {
        const given = { ...single, weight_attribute: 'weight', ...ranking }
        return scores((await run('tg_pagerank_wt', given))[0]['@@top_scores_heap'])
      },
      expected: reference.pagerankWeighted,
      tolerance: 1e-3,
    },
    {
      name: 'tg_pagerank_pers',
      found: async () => {
        const source = [vertex(0), vertex(7)]
        const results = await run('tg_pagerank_pers', { source, e_type: 'Tie', ...ranking })
        return (results[0].top_scores as { vertex_id: string; score: number }[]).reduce(
          (found, { vertex_id, score }) => found.with(Number(vertex_id), score),
          new Array<number>(VERTICES).fill(0),
        )
      },
      expected: reference.pagerankPersonal,
      tolerance: 1e-4,
    },
    {
      name: 'tg_article_rank',
      of: 'a linear system, solved by iteration; parts, as it diverges where the mean degree is over 2',
      found: async () => {
        const results = await run('tg_article_rank', { ...single, e_type: 'Part', ...ranking })
        return scores(results[0]['@@top_scores_heap'])
      },
      expected: articleRank(network),
      tolerance: 1e-4,
    },
    {
      name: 'tg_eigenvector_cent',
      found: async () => {
        const given = { ...onTies, maximum_iteration: 2000, conv_limit: 1e-9, ...all }
        return scores((await run('tg_eigenvector_cent', given))[0].top_scores)
      },
      expected: reference.eigenvector,
      tolerance: 1e-4,
    },
    {
      name: 'tg_betweenness_cent',
      of: 'its text, which is not networkx (see networkx-reference.py)',
      found: async () => {
        const given = { ...onTies, reverse_e_type: ['Tie'], max_hops: VERTICES, ...all }
        return scores((await run('tg_betweenness_cent', given))[0].top_scores).map(
          (value, v) => value / Math.max(1, reference.betweennessAsWritten[v]),
        )
      },
      expected: (reference.betweennessAsWritten as number[]).map(
        (value) => value / Math.max(1, value),
      ),
      tolerance: 1e-4,
    },
  ]
}

/** networkx has no article rank: rank = 0.15 + 0.85 m Σ rank / (m + out-degree), m the mean out-degree. */
function articleRank({ parts }: Network): number[] {
  const neighbours = neighbourLists(parts)
  const mean = (2 * parts.length) / VERTICES
  let rank = new Array<number>(VERTICES).fill(0.15)
  for (let round = 0; round < 500; round++) {
    const before = rank
    rank = neighbours.map((list) => {
      const received = list.reduce((sum, u) => sum + before[u]! / (mean + neighbours[u]!.length), 0)
      return 0.15 + 0.85 * mean * received
    })
  }
  return rank
}

/** Greedy choice: each time the vertex with the greatest weight towards vertices not yet reached. */
function influence({ network, run }: Session): readonly Comparison[] {
  const given = { ...single, weight_attribute: 'cost', top_k: SEEDS, print_results: true }
  return ['tg_influence_maximization_greedy', 'tg_influence_maximization_CELF'].map((name) => ({
    name,
    of: 'a greedy choice in plain code',
    found: async () => {
      const [{ '@@res_list': list }] = await run(name, given)
      return (list as { Vertex_ID: string; score: number }[]).flatMap((one) => [
        Number(one.Vertex_ID),
        one.score,
      ])
    },
    expected: greedySeeds(network),
    tolerance: 0,
  }))
}

function greedySeeds({ ties }: Network): number[] {
  const arcs = ties.flatMap(([a, b, , cost]) => [
    { from: a, to: b, cost },
    { from: b, to: a, cost },
  ])
  const reached = new Set<number>()
  const chosen = new Map<number, number>()
  while (chosen.size < SEEDS) {
    const value = new Array<number>(VERTICES).fill(0)
    const open = arcs.filter(({ from, to }) => !reached.has(to) && !chosen.has(from))
    for (const { from, cost } of open) value[from]! += cost
    const best = value.indexOf(Math.max(...value))
    chosen.set(best, value[best]!)
    for (const { from, to } of arcs) if (from === best) reached.add(to)
  }
  return [...chosen].flat()
}
