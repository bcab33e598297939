import { describe, expect, it } from 'vitest'
import { type SampleRequest, SampleService } from './sample-service.ts'

function fakeServer(graphs: readonly string[], refuse?: string, queries = ['q']) {
  const seen: SampleRequest[] = []
  const send = async (request: SampleRequest) => {
    seen.push(request)
    if (refuse !== undefined && request.url.includes(refuse)) {
      return JSON.stringify({ error: true, message: 'no room' })
    }
    if (request.url === '/gsql/v1/schema/graphs') {
      return JSON.stringify({ error: false, graphs: graphs.map((graphName) => ({ graphName })) })
    }
    return JSON.stringify({ error: false, results: queries })
  }
  return { seen, send }
}

const upserts = (seen: readonly SampleRequest[]) =>
  seen.filter(({ url }) => url === '/restpp/graph/sample').length

describe('SampleService', () => {
  it('makes the graph, loads it, installs the queries and starts traffic', async () => {
    const { seen, send } = fakeServer([])
    const ticks: (() => void)[] = []
    const service = new SampleService({ repeat: (work) => void ticks.push(work) })
    const outcome = await service.load(send)
    expect(outcome).toMatchObject({ created: true, vertices: 20_000, edges: 100_000 })
    expect(upserts(seen)).toBeGreaterThan(20)
    const before = seen.length
    ticks[0]?.()
    expect(seen[before]).toMatchObject({ method: 'GET' })
  })

  it('leaves a graph that is there alone', async () => {
    const { seen, send } = fakeServer(['sample'])
    const outcome = await new SampleService({ repeat: () => undefined }).load(send)
    expect(outcome.created).toBe(false)
    expect(upserts(seen)).toBe(0)
  })

  it('installs the queries that are missing, and leaves those that were changed alone', async () => {
    const installed = async (queries: string[]) => {
      const { seen, send } = fakeServer(['sample'], undefined, queries)
      await new SampleService({ repeat: () => undefined }).load(send)
      const texts = seen.filter(({ method }) => method === 'POST').map(({ body }) => body ?? '')
      return texts.flatMap((text) => [...text.matchAll(/QUERY (\w+)/g)].map(([, name]) => name))
    }
    const all = ['top_counterparties', 'shared_devices', 'transfer_rank']
    expect(await installed([])).toEqual(all)
    expect(await installed(['shared_devices', 'mine'])).toEqual([all[0], all[2]])
    expect(await installed(all)).toEqual([])
  })

  it('tells which refusal stopped it', async () => {
    const { send } = fakeServer([], '/restpp/graph/')
    await expect(new SampleService({ repeat: () => undefined }).load(send)).rejects.toMatchObject({
      code: 'SCHEMA_RULE',
      message: expect.stringContaining('no room'),
    })
  })
})
