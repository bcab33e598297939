/** Reads back everything of one client, in the form in which its state is expected. */
import type { Answer, Call } from './caller.ts'
import { type Item, OwnerState, pairOf } from './owner-state.ts'
import { GRAPH } from './schema.ts'

/** Sends a request; null when it failed, which the sender has recorded. */
export type Send = (call: Call) => Promise<Answer | null>

interface VertexRow {
  readonly v_id: string
  readonly attributes: Item
}

interface EdgeRow {
  readonly e_type: string
  readonly from_id: string
  readonly to_id: string
  readonly attributes: {
    readonly weight: number
    readonly day: number
    readonly times: number
    readonly strength: number
  }
}

export interface ReadPlace {
  readonly client: number
  readonly largeIds: readonly string[]
}

/** @returns null when a request failed */
export async function readState(send: Send, place: ReadPlace): Promise<OwnerState | null> {
  const state = new OwnerState()
  const parts = [readItems, readEdges, readKnows, readLarge]
  for (const part of parts) {
    if (!(await part(send, place, state))) return null
  }
  return state
}

type Part = (send: Send, place: ReadPlace, state: OwnerState) => Promise<boolean>

const readItems: Part = async (send, { client }, state) => {
  const rows = await resultsOf<VertexRow>(send, `vertices/Item?filter=owner=${client}`)
  for (const { v_id, attributes } of rows ?? []) state.items.set(v_id, attributes)
  return rows !== null
}

const readEdges: Part = async (send, { client }, state) => {
  const rows = await resultsOf<EdgeRow>(send, `edges/Owner/${client}`)
  for (const { e_type, to_id, attributes } of rows ?? []) {
    if (e_type === 'Owns') state.owns.set(to_id, attributes.weight)
    else state.visits.set(`${to_id}|${attributes.day}`, attributes.times)
  }
  return rows !== null
}

const readKnows: Part = async (send, { client }, state) => {
  const path = `/restpp/query/${GRAPH}/own_knows?o=${client}`
  const answer = await send({ method: 'GET', path })
  const edges = valueAt(answer?.body, 'results.0.@@edges') as EdgeRow[] | undefined
  for (const { from_id, to_id, attributes } of edges ?? []) {
    state.knows.set(pairOf(from_id, to_id), attributes.strength)
  }
  return edges !== undefined
}

const readLarge: Part = async (send, { largeIds }, state) => {
  for (const id of largeIds) {
    const path = `/restpp/graph/${GRAPH}/vertices/Large/${id}`
    const answer = await send({ method: 'GET', path })
    if (answer === null) return false
    const text = valueAt(answer.body, 'results.0.attributes.content')
    if (typeof text === 'string') state.large.set(id, text)
  }
  return true
}

async function resultsOf<Row>(send: Send, path: string): Promise<readonly Row[] | null> {
  const answer = await send({ method: 'GET', path: `/restpp/graph/${GRAPH}/${path}` })
  const rows = valueAt(answer?.body, 'results')
  return Array.isArray(rows) ? (rows as Row[]) : null
}

/** Follows a path such as `results.0.count`; undefined where it ends. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
