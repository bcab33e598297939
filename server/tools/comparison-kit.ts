/** What the comparisons of the library's algorithms share: a session with a server, and readers of results. */
import { type Network, VERTICES } from './generated-network.ts'

// biome-ignore lint/suspicious/noExplicitAny: results of every shape are looked into
export type Results = any[]

export interface Session {
  readonly network: Network
  /** What networkx-reference.py has written. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the reference
  readonly reference: any
  readonly ask: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Results>
  /** Installs the library's file of that name where it is not yet, and runs it. */
  readonly run: (name: string, parameters: object) => Promise<Results>
}

export interface Comparison {
  readonly name: string
  /** What is compared, where the name does not say it. */
  readonly of?: string
  readonly found: () => Promise<readonly number[]>
  readonly expected: readonly number[]
  readonly tolerance: number
}

/** A value per vertex from a heap of (vertex, score) tuples. */
export function scores(tuples: readonly { Vertex_ID: string; score: number }[]): number[] {
  const found = new Array<number>(VERTICES).fill(0)
  for (const { Vertex_ID, score } of tuples) found[Number(Vertex_ID)] = score
  return found
}

/** A value per vertex from a printed set; `missing` where it is not printed. */
export function columns(
  set: readonly { v_id: string; attributes: Record<string, number> }[],
  column: string,
  missing = Number.NaN,
): number[] {
  const found = new Array<number>(VERTICES).fill(missing)
  for (const { v_id, attributes } of set) found[Number(v_id)] = attributes[column] ?? missing
  return found
}

/** Labels as the least vertex that has the same one: equal partitions give equal lists. */
export function leastMembers(labels: readonly number[]): number[] {
  const least = new Map<number, number>()
  labels.forEach((label, v) => {
    if (!least.has(label)) least.set(label, v)
  })
  return labels.map((label) => least.get(label)!)
}

export function perVertex(found: Readonly<Record<string, number>>): number[] {
  return Array.from({ length: VERTICES }, (_, v) => found[`${v}`] ?? 0)
}

export const node = { id: '0', type: 'Node' }
export const all = { top_k: VERTICES, print_results: true }
export const onTies = { v_type_set: ['Node'], e_type_set: ['Tie'] }
export const single = { v_type: 'Node', e_type: 'Tie' }

/** The attribute in which algorithms with `result_attribute: 'cid'` have left a number. */
export async function cids({ ask }: Session): Promise<number[]> {
  return columns(await ask('GET', '/restpp/graph/nets/vertices/Node?limit=1000'), 'cid')
}

export const vertex = (v: number) => ({ id: `${v}`, type: 'Node' })

export function largestDifference(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY
  return expected.reduce((largest, value, i) => {
    const difference = Math.abs(found[i]! - value)
    return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(largest, difference)
  }, 0)
}
