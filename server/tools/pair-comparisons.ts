/** Numbers of pairs of vertices: link prediction, and similarity of all pairs. */
import { type Comparison, type Session, vertex } from './comparison-kit.ts'
import { VERTICES } from './generated-network.ts'

export function pairComparisons(session: Session): readonly Comparison[] {
  return [...predictions(session), ...similarities(session)]
}

function predictions({ reference, run }: Session): readonly Comparison[] {
  const pairs = reference.pairs as readonly (readonly [number, number])[]
  const each = (name: string, result: string, expected: readonly number[]): Comparison => ({
    name,
    of: `${pairs.length} pairs`,
    found: async () => {
      const found: number[] = []
      for (const [a, b] of pairs) {
        const given = { v_source: vertex(a), v_target: vertex(b), e_type_set: ['Tie'] }
        found.push((await run(name, given))[0][result])
      }
      return found
    },
    expected,
    // log10 is FLOAT, single precision; the library's own recorded results show it.
    tolerance: name === 'tg_adamic_adar' ? 1e-6 : 1e-9,
  })
  // Its logarithm has base 10, that of networkx is the natural one.
  const adamicAdar = (reference.adamicAdar as number[]).map((value) => value * Math.LN10)
  return [
    each('tg_adamic_adar', '@@sum_closeness', adamicAdar),
    each('tg_resource_allocation', '@@sum_closeness', reference.resourceAllocation),
    each('tg_common_neighbors', 'closeness', reference.commonNeighbours),
    each('tg_preferential_attachment', 'closeness', reference.preferential),
    each('tg_total_neighbors', 'closeness', reference.totalNeighbours),
  ]
}

interface Similar {
  readonly v_id: string
  readonly attributes: Readonly<Record<string, readonly { ver: string; val: number }[]>>
}

/** A value per pair, in rows of the first vertex. */
function matrix(sets: readonly (readonly Similar[])[], column: string): number[] {
  const found = new Array<number>(VERTICES * VERTICES).fill(0)
  for (const { v_id, attributes } of sets.flat()) {
    for (const { ver, val } of attributes[column]!)
      found[Number(v_id) * VERTICES + Number(ver)] = val
  }
  return found
}

function filled(entries: readonly (readonly [number, number, number])[]): number[] {
  const values = new Array<number>(VERTICES * VERTICES).fill(0)
  for (const [a, b, value] of entries) values[a * VERTICES + b] = value
  return values
}

function similarities({ reference, run }: Session): readonly Comparison[] {
  return [
    {
      name: 'tg_jaccard_nbor_ap_batch',
      found: async () => {
        const types = { v_type_set: ['Node'], feat_v_type: ['Tag'], e_type_set: ['Likes'] }
        const batches = { src_batch_num: 4, nbor_batch_num: 3, print_limit: -1, top_k: VERTICES }
        const given = { ...types, ...batches, reverse_e_type_set: ['Likes'], similarity_edge: '' }
        const results = await run('tg_jaccard_nbor_ap_batch', given)
        return matrix(
          results.map(({ src_batch }) => src_batch),
          'src_batch.@sim_heap',
        )
      },
      expected: filled(reference.jaccardOfPairs),
      tolerance: 1e-6,
    },
    {
      name: 'tg_cosine_nbor_ap_batch',
      found: async () => {
        const given = { v_type: 'Node', e_type: 'Likes', edge_attribute: 'weight', top_k: VERTICES }
        const texts = { file_path: '', similarity_edge: '' }
        const [{ start }] = await run('tg_cosine_nbor_ap_batch', { ...given, ...texts })
        return matrix([start], 'start.@heap')
      },
      expected: filled(reference.cosineOfPairs),
      tolerance: 1e-5,
    },
  ]
}
