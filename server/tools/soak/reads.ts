/** Reads of one client, each checked against what the client knows of its own data. */
import type { Ledger } from './ledger.ts'
import { type Item, itemText, newItem } from './owner-state.ts'
import { readState, valueAt } from './read-state.ts'
import { FIXED_COUNT, GRAPH } from './schema.ts'
import { pause, type SoakClient } from './soak-client.ts'

const graphPath = `/restpp/graph/${GRAPH}`
const POLL_EVERY_MS = 50
const POLLS_MAX = 1_000

export type Task = (client: SoakClient, ledger: Ledger) => Promise<void>

export const pointRead: Task = async (client, ledger) => {
  const { random, place, state } = client
  const id = place.itemId(random.below(place.itemCount))
  const path = `${graphPath}/vertices/Item/${id}`
  const answer = await client.send('point-read', { method: 'GET', path }, ['601'])
  if (answer === null) return
  const found = valueAt(answer.body, 'results.0.attributes') as Item | undefined
  const expected = state.items.get(id)
  ledger.expectEqual('point-read', id, [found && itemText(found), expected && itemText(expected)])
}

/** A vertex that nobody writes. */
export const fixedRead: Task = async (client, ledger) => {
  const number = client.random.below(FIXED_COUNT)
  const path = `${graphPath}/vertices/Fixed/fixed-${number}`
  const answer = await client.send('fixed-read', { method: 'GET', path })
  const found = valueAt(answer?.body, 'results.0.attributes.n')
  if (answer !== null) ledger.expectEqual('fixed-read', path, [found, number])
}

export const vertexList: Task = async (client, ledger) => {
  const { random, place, state } = client
  const least = random.below(1_000)
  const filter = `owner=${place.client},n>=${least}`
  const path = `${graphPath}/vertices/Item?filter=${encodeURIComponent(filter)}&select=n&sort=-n&limit=20`
  const answer = await client.send('vertex-list', { method: 'GET', path })
  if (answer === null) return
  const rows = valueAt(answer.body, 'results') as { attributes: { n: number } }[]
  const expected = [...state.items.values()]
    .map(({ n }) => n)
    .filter((n) => n >= least)
    .sort((left, right) => right - left)
    .slice(0, 20)
  ledger.expectEqual('vertex-list', filter, [rows.map(({ attributes }) => attributes.n), expected])
}

/** All vertices of all clients; those of this client are still while it waits. */
export const bigList: Task = async (client, ledger) => {
  const answer = await client.send('big-list', {
    method: 'GET',
    path: `${graphPath}/vertices/Item`,
  })
  if (answer === null) return
  const rows = valueAt(answer.body, 'results') as {
    v_id: string
    attributes: Item & { owner: number }
  }[]
  const found = rows
    .filter(({ attributes }) => attributes.owner === client.place.client)
    .map(({ v_id, attributes }) => `${v_id} ${itemText(attributes)}`)
  const expected = [...client.state.items].map(([id, item]) => `${id} ${itemText(item)}`)
  ledger.expectEqual('big-list', 'own part', [found.toSorted(), expected.toSorted()])
}

export const count: Task = async (client, ledger) => {
  const { place, state } = client
  const path = `${graphPath}/vertices/Item?count_only=true&filter=owner=${place.client}`
  const answer = await client.send('count', { method: 'GET', path })
  if (answer === null) return
  ledger.expectEqual('count', path, [valueAt(answer.body, 'results.0.count'), state.items.size])
}

export const edgeList: Task = async (client, ledger) => {
  const { place, state } = client
  const path = `${graphPath}/edges/Owner/${place.client}/Owns`
  const answer = await client.send('edge-list', { method: 'GET', path })
  if (answer === null) return
  const rows = valueAt(answer.body, 'results') as {
    to_id: string
    attributes: { weight: number }
  }[]
  const found = rows.map(({ to_id, attributes }) => `${to_id} ${attributes.weight}`)
  const expected = [...state.owns].map(([id, weight]) => `${id} ${weight}`)
  ledger.expectEqual('edge-list', path, [found.toSorted(), expected.toSorted()])
}

/** Edges at one vertex of the client, by type; those of reverse types too. */
export const edgeCount: Task = async (client, ledger) => {
  const { random, place, state } = client
  const id = place.itemId(random.below(place.itemCount))
  if (!state.items.has(id)) return
  const path = `${graphPath}/edges/Item/${id}?count_only=true`
  const answer = await client.send('edge-count', { method: 'GET', path })
  if (answer === null) return
  const rows = valueAt(answer.body, 'results') as { e_type: string; count: number }[]
  const found = Object.fromEntries(rows.map((row) => [row.e_type, row.count]))
  const expected = { OwnedBy: state.owns.has(id) ? 1 : 0, Knows: state.knownOf(id).length }
  const part = { OwnedBy: found['OwnedBy'], Knows: found['Knows'] }
  ledger.expectEqual('edge-count', path, [part, expected])
}

/** Everything of the client, element by element. */
export const audit: Task = async (client, ledger) => {
  const { place, largeIds, state } = client
  const send = (call: Parameters<SoakClient['send']>[1]) => client.send('audit', call, ['601'])
  const wanted = state.large.size > 0 ? largeIds : []
  const found = await readState(send, { client: place.client, largeIds: wanted })
  if (found === null) return
  const elements = [found.elements(), state.elements()].map((map) => [...map].toSorted())
  ledger.expectEqual('audit', `client ${place.client}`, [elements[0], elements[1]])
}

function expectSums(client: SoakClient, ledger: Ledger, [kind, body]: readonly [string, unknown]) {
  const { owns, items } = client.state
  const expected = { '@@n': 0, '@@total': 0, '@@weight': 0, '@@count': 0, '@@back': 0 }
  for (const [id, weight] of owns) {
    const { n, total } = items.get(id) ?? newItem
    expected['@@n'] += n
    expected['@@total'] += total
    expected['@@weight'] += weight
    expected['@@back'] += weight
    expected['@@count']++
  }
  ledger.expectEqual(kind, `sums of client ${client.place.client}`, [
    valueAt(body, 'results.0'),
    expected,
  ])
}

export const installedQuery: Task = async (client, ledger) => {
  const path = `/restpp/query/${GRAPH}/own_sums?o=${client.place.client}`
  const answer = await client.send('installed-query', { method: 'GET', path })
  if (answer !== null) expectSums(client, ledger, ['installed-query', answer.body])
}

export const interpretedQuery: Task = async (client, ledger) => {
  const { place, random, state } = client
  const least = random.below(1_000)
  const body = `INTERPRET QUERY () FOR GRAPH ${GRAPH} {
    SumAccum<INT> @@count; S = {Item.*};
    T = SELECT s FROM S:s WHERE s.owner == ${place.client} AND s.n >= ${least} ACCUM @@count += 1;
    PRINT @@count; }`
  const call = { method: 'POST', path: '/gsql/v1/queries/interpret', body } as const
  const answer = await client.send('interpreted-query', call)
  if (answer === null) return
  const expected = [...state.items.values()].filter(({ n }) => n >= least).length
  const found = valueAt(answer.body, 'results.0.@@count')
  ledger.expectEqual('interpreted-query', `count of client ${place.client}`, [found, expected])
}

export const detachedQuery: Task = async (client, ledger) => {
  const path = `/restpp/query/${GRAPH}/own_sums?o=${client.place.client}`
  const headers = { 'GSQL-ASYNC': 'true' }
  const start = await client.send('detached-query', { method: 'GET', path, headers })
  if (start === null) return
  const id = String(valueAt(start.body, 'request_id'))
  const status = `/restpp/query_status?graph_name=${GRAPH}&requestid=${id}`
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const answer = await client.send('detached-status', { method: 'GET', path: status })
    const found = valueAt(answer?.body, 'results.0.status')
    if (answer === null || found === 'success') break
    await pause(POLL_EVERY_MS)
  }
  const result = { method: 'GET', path: `/restpp/query_result?requestid=${id}` } as const
  const answer = await client.send('detached-result', result)
  if (answer !== null) expectSums(client, ledger, ['detached-query', answer.body])
}

export const rankingQuery: Task = async (client, ledger) => {
  const path = `/restpp/query/${GRAPH}/ranking?rounds=${1 + client.random.below(6)}`
  const answer = await client.send('ranking-query', { method: 'GET', path })
  if (answer === null) return
  const found = Number(valueAt(answer.body, 'results.0.@@count'))
  ledger.expectEqual('ranking-query', 'at least the own vertices', [
    found >= client.state.items.size,
    true,
  ])
}

/** What monitoring and the console ask for. */
export const statistics: Task = async (client) => {
  const paths = [
    '/informant/metrics',
    `/restpp/statistics/${GRAPH}?seconds=60`,
    '/gsql/v1/queries/running',
    `/quiver/v1/statistics/${GRAPH}/history`,
    `/quiver/v1/queries/slow?graph=${GRAPH}`,
    `/gsql/v1/schema/graphs/${GRAPH}`,
    `/restpp/endpoints/${GRAPH}`,
  ]
  const path = paths[client.random.below(paths.length)]!
  await client.send('statistics', { method: 'GET', path })
}
