/**
 * Loads the sample graph through the public interface, as any client would, then asks it questions
 * for a few seconds so that the statistics have something to show.
 */
import { SAMPLE_GRAPH, SAMPLE_TRAFFIC_SECONDS } from '#contract/sample.ts'
import { DbError } from '#kernel/errors.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { SAMPLE_COUNTS, samplePayloads } from './sample-data.ts'
import { sampleEdges, sampleQueries, sampleVertices } from './sample-schema.ts'

const TRAFFIC_MS = SAMPLE_TRAFFIC_SECONDS * 1_000
const TRAFFIC_INTERVAL_MS = 40
const TRAFFIC_SEED = 7

export interface SampleRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
}

export interface SampleOptions {
  /** Calls `work` every `intervalMs` for `durationMs`; returns at once. */
  repeat(work: () => void, intervalMs: number, durationMs: number): void
}

export interface SampleOutcome {
  readonly graph: string
  readonly created: boolean
  readonly vertices: number
  readonly edges: number
  readonly queries: string[]
}

/** Sends one request as the caller and answers with the text of the response body. */
export type Send = (request: SampleRequest) => Promise<string>

interface Answer {
  readonly error?: boolean
  readonly message?: string
  readonly results?: unknown
  readonly graphs?: readonly { readonly graphName: string }[]
}

export class SampleService {
  readonly #options: SampleOptions

  constructor(options: SampleOptions) {
    this.#options = options
  }

  /** @throws DbError SCHEMA_RULE with the message of whichever request was refused. */
  async load(send: Send): Promise<SampleOutcome> {
    const created = !(await graphExists(send))
    if (created) {
      await createSchema(send)
      await upsertAll(send)
    }
    const queries = await installQueries(send)
    this.#startTraffic(send)
    const { Account, Card, Merchant, Device, ...edges } = SAMPLE_COUNTS
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
    return {
      graph: SAMPLE_GRAPH,
      created,
      vertices: sum([Account, Card, Merchant, Device]),
      edges: sum(Object.values(edges)),
      queries,
    }
  }

  /** The traffic is a courtesy: a request that fails ends nothing. */
  #startTraffic(send: Send): void {
    const random = createRandom(TRAFFIC_SEED)
    const work = () => void send(trafficRequest(random)).catch(() => undefined)
    this.#options.repeat(work, TRAFFIC_INTERVAL_MS, TRAFFIC_MS)
  }
}

async function graphExists(send: Send): Promise<boolean> {
  const { graphs = [] } = await ask(send, { method: 'GET', url: '/gsql/v1/schema/graphs' })
  return graphs.some(({ graphName }) => graphName === SAMPLE_GRAPH)
}

async function createSchema(send: Send): Promise<void> {
  await ask(send, {
    method: 'POST',
    url: `/gsql/v1/schema/graphs?graphName=${SAMPLE_GRAPH}`,
    body: JSON.stringify({ VertexTypes: [], EdgeTypes: [] }),
  })
  await ask(send, {
    method: 'POST',
    url: `/gsql/v1/schema/change?graph=${SAMPLE_GRAPH}`,
    body: JSON.stringify({ addVertexTypes: sampleVertices, addEdgeTypes: sampleEdges }),
  })
}

async function upsertAll(send: Send): Promise<void> {
  for (const body of samplePayloads()) {
    await ask(send, { method: 'POST', url: `/restpp/graph/${SAMPLE_GRAPH}`, body })
  }
}

/** Those that are missing: a query that was changed since stays as it is. */
async function installQueries(send: Send): Promise<string[]> {
  const url = `/gsql/v1/queries?graph=${SAMPLE_GRAPH}`
  const list = async () => (await ask(send, { method: 'GET', url })).results as string[]
  const there = await list()
  const missing = sampleQueries.filter((text) => !there.includes(nameOf(text)))
  if (missing.length === 0) return there
  await ask(send, { method: 'POST', url, body: missing.join('\n\n') })
  return await list()
}

const nameOf = (query: string): string => /QUERY (\w+)/.exec(query)?.[1] ?? ''

async function ask(send: Send, request: SampleRequest): Promise<Answer> {
  const answer = JSON.parse(await send(request)) as Answer
  if (answer.error !== true) return answer
  throw new DbError('SCHEMA_RULE', `The sample graph could not be made: ${answer.message}`)
}

/** Mostly point reads, some neighbourhoods, now and then a query. */
function trafficRequest(random: Random): SampleRequest {
  const account = `account-${String(random.below(SAMPLE_COUNTS.Account)).padStart(5, '0')}`
  const graph = `/restpp/graph/${SAMPLE_GRAPH}`
  const query = `/restpp/query/${SAMPLE_GRAPH}`
  const choices: readonly [share: number, url: string][] = [
    [0.45, `${graph}/vertices/Account/${account}`],
    [0.7, `${graph}/edges/Account/${account}/Transfer`],
    [0.8, `${graph}/vertices/Account?filter=risk%3E90&limit=20`],
    [0.97, `${query}/top_counterparties?account=${account}`],
    [0.99, `${query}/shared_devices`],
    [1, `${query}/transfer_rank?iterations=3`],
  ]
  const draw = random.next()
  const [, url] = choices.find(([share]) => draw < share) as [number, string]
  return { method: 'GET', url }
}
