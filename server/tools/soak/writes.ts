/**
 * Writes of one client: the request, what it does to the state of the client, and what the server
 * must answer.
 */
import type { Random } from '#kernel/prng.ts'
import type { Call } from './caller.ts'
import type { OwnerState } from './owner-state.ts'
import { randomEdges, randomItem, type WriterPlace } from './random-entries.ts'
import { GRAPH } from './schema.ts'
import {
  type EdgeEntry,
  edgesJson,
  type ItemEntry,
  itemsJson,
  writeEdges,
  writeItem,
} from './upserts.ts'

export interface Write {
  readonly call: Call
  /** An atomic write has its whole effect or none, also when the server is killed meanwhile. */
  readonly isAtomic: boolean
  readonly apply: (state: OwnerState) => void
  /** Parts of the answer, by their path, that follow from the state before the write. */
  readonly expected: (before: OwnerState) => Readonly<Record<string, unknown>>
}

const graphPath = `/restpp/graph/${GRAPH}`
const LARGE_PER_CLIENT = 2
/** Sizes at which the server's own blocks and buffers end. */
const BOUNDARIES_BYTES = [4 * 1024, 24 * 1024, 64 * 1024, 1024 * 1024, 4 * 1024 * 1024]
const LARGE_SIZE_BYTES_MAX = 6 * 1024 * 1024
const DAYS = 6

/** From one vertex to most of the client's, with edges in half of the requests. */
export function upsert(random: Random, place: WriterPlace, countMax: number): Write {
  const count = 1 + random.below(countMax)
  const items = new Map<string, ItemEntry>()
  for (let index = 0; index < count; index++) {
    const entry = randomItem(random, place)
    items.set(entry.id, entry)
  }
  const withEdges = random.below(2) === 0
  const edges = withEdges ? randomEdges(random, place, [...items.keys()]) : []
  return upsertOf([...items.values()], edges, random.below(2) === 0)
}

function upsertOf(
  items: readonly ItemEntry[],
  edges: readonly EdgeEntry[],
  isAtomic: boolean,
): Write {
  return {
    call: {
      method: 'POST',
      path: graphPath,
      body: { vertices: { Item: itemsJson(items) }, ...(edges.length > 0 && edgesJson(edges)) },
      headers: isAtomic ? { 'gsql-atomic-level': 'atomic' } : {},
    },
    isAtomic,
    apply: (state) => {
      for (const item of items) writeItem(state, item)
      writeEdges(state, edges)
    },
    expected: () => ({
      'results.0.accepted_vertices': items.length,
      'results.0.accepted_edges': edges.length,
    }),
  }
}

/** Vertices that exist, or that do not exist, are left alone and reported. */
export function flaggedUpsert(random: Random, place: WriterPlace): Write {
  const isNewOnly = random.below(2) === 0
  const items = new Map(
    Array.from({ length: 1 + random.below(8) }, () => {
      const entry = randomItem(random, place)
      return [entry.id, entry] as const
    }),
  )
  const isAccepted = (state: OwnerState, id: string) => state.items.has(id) !== isNewOnly
  const flag = isNewOnly ? 'new_vertex_only' : 'update_vertex_only'
  return {
    call: {
      method: 'POST',
      path: `${graphPath}?${flag}=true`,
      body: { vertices: { Item: itemsJson([...items.values()]) } },
    },
    isAtomic: false,
    apply: (state) => {
      const accepted = [...items.values()].filter(({ id }) => isAccepted(state, id))
      for (const item of accepted) writeItem(state, item)
    },
    expected: (before) => {
      const accepted = [...items.keys()].filter((id) => isAccepted(before, id)).length
      return {
        'results.0.accepted_vertices': accepted,
        'results.0.skipped_vertices': items.size - accepted,
      }
    },
  }
}

/** Several parallel edges to one vertex, told apart by their day. */
export function multiEdges(random: Random, place: WriterPlace): Write {
  const item = randomItem(random, place)
  const days = Array.from({ length: DAYS }, (_, day) => day).filter(() => random.below(2) === 0)
  const edges = days.map(
    (day): EdgeEntry => ({
      kind: 'visit',
      owner: place.client,
      item: item.id,
      day,
      times: 1 + random.below(9),
      isSum: random.below(2) === 0,
    }),
  )
  return upsertOf([item], edges, random.below(2) === 0)
}

/** One large text: from a byte to several megabytes, often at the edge of a block. */
export function largeUpsert(random: Random, place: WriterPlace, sizeMin = 1): Write {
  const id = `large-${place.client}-${random.below(LARGE_PER_CLIENT)}`
  const size = Math.max(sizeMin + random.below(sizeMin), largeSize(random))
  const letter = String.fromCharCode(97 + random.below(26))
  const text = `${random.below(1e9)}`.padEnd(size, letter).slice(0, size)
  return {
    call: {
      method: 'POST',
      path: graphPath,
      body: { vertices: { Large: { [id]: { content: { value: text } } } } },
    },
    isAtomic: true,
    apply: (state) => void state.large.set(id, text),
    expected: () => ({ 'results.0.accepted_vertices': 1 }),
  }
}

function largeSize(random: Random): number {
  if (random.below(3) > 0) return Math.floor(LARGE_SIZE_BYTES_MAX ** random.next())
  const boundary = BOUNDARIES_BYTES[random.below(BOUNDARIES_BYTES.length)]!
  return boundary - 64 + random.below(128)
}

export function deleteItem(random: Random, place: WriterPlace): Write {
  const id = place.itemId(random.below(place.itemCount))
  return {
    call: { method: 'DELETE', path: `${graphPath}/vertices/Item/${id}` },
    isAtomic: true,
    apply: (state) => state.deleteItem(id),
    expected: (before) => ({ 'results.deleted_vertices': before.items.has(id) ? 1 : 0 }),
  }
}

export function deleteByFilter(random: Random, place: WriterPlace): Write {
  const least = 800 + random.below(200)
  const filter = encodeURIComponent(`owner=${place.client},n>=${least}`)
  const chosen = (state: OwnerState) =>
    [...state.items].filter(([, { n }]) => n >= least).map(([id]) => id)
  return {
    call: { method: 'DELETE', path: `${graphPath}/vertices/Item?filter=${filter}` },
    isAtomic: false,
    apply: (state) => {
      for (const id of chosen(state)) state.deleteItem(id)
    },
    expected: (before) => ({ 'results.deleted_vertices': chosen(before).length }),
  }
}

/** Edges of the client to one of its vertices: all of a type, or the parallel one of a day. */
export function deleteEdges(random: Random, place: WriterPlace, state: OwnerState): Write | null {
  const ids = [...state.items.keys()]
  if (ids.length === 0) return null
  const id = ids[random.below(ids.length)]!
  const day = random.below(DAYS)
  const choices = [ownedEdge(place, id), visits(place, id), visitOfDay(place, id, day), known(id)]
  const { path, apply, count } = choices[random.below(choices.length)]!
  return {
    call: { method: 'DELETE', path: `${graphPath}/edges/${path}` },
    isAtomic: false,
    apply,
    expected: (before) => ({ 'results.0.deleted_edges': count(before) }),
  }
}

interface EdgeDelete {
  readonly path: string
  readonly apply: (state: OwnerState) => void
  readonly count: (before: OwnerState) => number
}

function ownedEdge({ client }: WriterPlace, id: string): EdgeDelete {
  return {
    path: `Owner/${client}/Owns/Item/${id}`,
    apply: (state) => void state.owns.delete(id),
    count: (before) => (before.owns.has(id) ? 1 : 0),
  }
}

function visits({ client }: WriterPlace, id: string): EdgeDelete {
  return {
    path: `Owner/${client}/Visit/Item/${id}`,
    apply: (state) => state.deleteVisits(id),
    count: (before) => before.visitsOf(id),
  }
}

function visitOfDay({ client }: WriterPlace, id: string, day: number): EdgeDelete {
  return {
    path: `Owner/${client}/Visit/Item/${id}/${day}`,
    apply: (state) => void state.visits.delete(`${id}|${day}`),
    count: (before) => (before.visits.has(`${id}|${day}`) ? 1 : 0),
  }
}

function known(id: string): EdgeDelete {
  return {
    path: `Item/${id}/Knows`,
    apply: (state) => {
      for (const pair of state.knownOf(id)) state.knows.delete(pair)
    },
    count: (before) => before.knownOf(id).length,
  }
}

/** An installed query that changes all vertices and edges of the client in one commit. */
export function changingQuery(random: Random, place: WriterPlace): Write {
  const by = 1 + random.below(5)
  return {
    call: { method: 'GET', path: `/restpp/query/${GRAPH}/raise_own?o=${place.client}&by=${by}` },
    isAtomic: true,
    apply: (state) => {
      for (const [id, weight] of state.owns) {
        const item = state.items.get(id)!
        state.items.set(id, { ...item, total: item.total + by })
        state.owns.set(id, weight + by)
      }
    },
    expected: (before) => ({ 'results.0.@@raised': before.owns.size }),
  }
}

/** Lines of a loading job in the body of the request. Columns that are not named stay. */
export function loadLines(random: Random, place: WriterPlace): Write {
  const rows = new Map(
    Array.from({ length: 1 + random.below(60) }, () => {
      const id = place.itemId(random.below(place.itemCount))
      return [id, { n: random.below(1_000), weight: random.below(100) }] as const
    }),
  )
  const lines = [...rows].map(([id, { n, weight }]) => `${id},${place.client},${n},${weight}\n`)
  return {
    call: {
      method: 'POST',
      path: `/restpp/ddl/${GRAPH}?tag=load_items&filename=f`,
      body: lines.join(''),
    },
    isAtomic: false,
    apply: (state) => {
      for (const [id, { n, weight }] of rows) {
        writeItem(state, { id, client: place.client, changes: [{ attribute: 'n', value: n }] })
        state.owns.set(id, weight)
      }
    },
    expected: () => ({
      'results.0.statistics.validLine': rows.size,
      'results.0.statistics.rejectLine': 0,
    }),
  }
}
