import { beforeEach, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { engineWith, realClock } from '../../../test/fixtures/engine.ts'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { VertexService } from '../vertices/vertex-service.ts'
import { makePayload, type PayloadOptions, readPayload } from './made-payload.ts'
import type { UpsertFlags } from './upsert-flags.ts'
import { type UpsertEngine, UpsertService } from './upsert-service.ts'

const noFlags: UpsertFlags = {
  newVertexOnly: false,
  updateVertexOnly: false,
  vertexMustExist: false,
  sourceVertexMustExist: false,
  targetVertexMustExist: false,
  atomic: false,
  ack: 'all',
}

let engine: GraphEngine
let service: UpsertService

beforeEach(async () => {
  engine = await engineWith(payloadCatalog)
  service = new UpsertService(engine, realClock)
})

async function upsert(payload: unknown, flags: Partial<UpsertFlags> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const { result, code } = await service.upsert('acme', Buffer.from(body), { ...noFlags, ...flags })
  return { ...result, code }
}

async function failure(payload: unknown, flags: Partial<UpsertFlags> = {}) {
  const sequence = engine.sequence
  try {
    await upsert(payload, flags)
  } catch (error) {
    expect(engine.sequence, 'something was written').toBe(sequence)
    if (isDbError(error)) return error
    throw error
  }
  throw new Error('it did not fail')
}

function liveCounts(): Record<string, number> {
  const { vertexTables, edgeTables } = engine.view()
  const edges = edgeTables.map(
    (table) =>
      [table.typeName, table.adjacencies.reduce((sum, pair) => sum + pair.liveCount, 0)] as const,
  )
  const vertices = vertexTables.map((table) => [table.typeName, table.liveCount] as const)
  return Object.fromEntries([...vertices, ...edges].filter(([, count]) => count > 0))
}

const knows = (from: string, ...to: string[]) => ({
  edges: {
    Person: { [from]: { Knows: { Person: Object.fromEntries(to.map((id) => [id, {}])) } } },
  },
})

describe('UpsertService', () => {
  it('counts entries and names the code of what the payload had', async () => {
    expect(await upsert({})).toEqual({ accepted_vertices: 0, accepted_edges: 0, code: 'REST-0004' })
    expect(await upsert({ vertices: { Person: { 1: {} } } })).toEqual({
      accepted_vertices: 1,
      accepted_edges: 0,
      code: 'REST-0001',
    })
    expect(await upsert(knows('1', '2', '3'))).toEqual({
      accepted_vertices: 0,
      accepted_edges: 2,
      code: 'REST-0002',
    })
    expect(liveCounts()).toEqual({ Person: 3, Knows: 2 })
  })

  it('lists what new_vertex_only and update_vertex_only skip', async () => {
    await upsert({ vertices: { Person: { 1: {} } } })
    const payload = { vertices: { Person: { 1: {}, 2: {} } } }
    expect(await upsert(payload, { updateVertexOnly: true })).toMatchObject({
      accepted_vertices: 1,
      skipped_vertices: 1,
      vertices_not_exist: [{ v_type: 'Person', v_id: '2' }],
    })
    expect(await upsert(payload, { newVertexOnly: true })).toMatchObject({
      accepted_vertices: 1,
      skipped_vertices: 1,
      vertices_already_exist: [{ v_type: 'Person', v_id: '1' }],
    })
  })

  it('lists missing endpoints once, and shows both keys when nothing was missing', async () => {
    await upsert({ vertices: { Person: { 1: {} } } })
    expect(await upsert(knows('1', '8', '9', '1'), { vertexMustExist: true })).toEqual({
      accepted_vertices: 0,
      accepted_edges: 1,
      skipped_edges: 2,
      edge_vertices_not_exist: [
        { v_type: 'Person', v_id: '8' },
        { v_type: 'Person', v_id: '9' },
      ],
      code: 'REST-0002',
    })
    expect(await upsert(knows('1', '1'), { sourceVertexMustExist: true })).toMatchObject({
      skipped_edges: 0,
      edge_vertices_not_exist: [],
    })
    expect(liveCounts()).toEqual({ Person: 1, Knows: 1 })
  })

  it.each([false, true])('judges the ends as the request names them, atomic %j', async (atomic) => {
    await upsert({ vertices: { Person: { 1: {} } } })
    const employs = (company: string, person: string) => ({
      edges: { Company: { [company]: { Employs: { Person: { [person]: {} } } } } },
    })
    expect(await upsert(employs('new', '1'), { targetVertexMustExist: true, atomic })).toEqual({
      accepted_vertices: 0,
      accepted_edges: 1,
      skipped_edges: 0,
      edge_vertices_not_exist: [],
      code: 'REST-0002',
    })
    const refused = upsert(employs('other', '1'), { sourceVertexMustExist: true, atomic })
    if (atomic) await expect(refused).rejects.toThrow("Company 'other'")
    else {
      expect(await refused).toMatchObject({
        skipped_edges: 1,
        edge_vertices_not_exist: [{ v_type: 'Company', v_id: 'other' }],
      })
      expect(await upsert(employs('third', '7'), { vertexMustExist: true })).toMatchObject({
        edge_vertices_not_exist: [
          { v_type: 'Company', v_id: 'third' },
          { v_type: 'Person', v_id: '7' },
        ],
      })
    }
  })

  it('skips and lists ids that were deleted permanently', async () => {
    await upsert({ vertices: { Person: { 1: {}, 2: {} } } })
    const vertices = new VertexService(engine, realClock)
    const place = { graph: 'acme', url: '/graph/acme' }
    await vertices.deleteOne(place, 'Person', '1', { permanent: true })
    const payload = { vertices: { Person: { 1: {}, 2: {} } }, ...knows('2', '1', '3') }
    expect(await upsert(payload)).toEqual({
      accepted_vertices: 1,
      accepted_edges: 1,
      skipped_vertices: 1,
      skipped_edges: 1,
      vertices_deleted_permanently: [{ v_type: 'Person', v_id: '1' }],
      code: 'REST-0003',
    })
    const refusal = "Vertices that were deleted permanently: Person '1'."
    expect((await upsert(payload, { atomic: true }).catch(String)) as string).toContain(refusal)
    expect(liveCounts()).toEqual({ Person: 2, Knows: 1 })
  })

  it('rejects an atomic request whole and says which vertices are missing', async () => {
    const payload = { ...knows('1', '2'), vertices: { Person: { 1: {} } } }
    const error = await service
      .upsert('acme', Buffer.from(JSON.stringify(payload)), {
        ...noFlags,
        vertexMustExist: true,
        atomic: true,
      })
      .catch((reason: unknown) => reason)
    expect(isDbError(error, 'EDGE_ENDPOINT_MISSING') && error.message).toContain("Person '2'")
    expect(liveCounts()).toEqual({})
  })

  it.each<Partial<UpsertFlags>>([
    { newVertexOnly: true, updateVertexOnly: true },
    { vertexMustExist: true, sourceVertexMustExist: true },
    { vertexMustExist: true, targetVertexMustExist: true },
  ])('refuses the contradiction %j', async (flags) => {
    expect((await failure(knows('1', '2'), flags)).code).toBe('INVALID_PAYLOAD')
  })

  it('writes nothing of a payload that is wrong at its very end', async () => {
    const vertices = Object.fromEntries(Array.from({ length: 50_000 }, (_, id) => [id, {}]))
    const good = JSON.stringify({ vertices: { Person: vertices } })
    expect(good.length).toBeGreaterThan(300_000)
    expect((await failure(good.slice(0, -2))).code).toBe('INVALID_JSON')
    const bad = `${good.slice(0, -3)},"x":{}}}}`
    expect((await failure(bad)).code).toBe('INVALID_PAYLOAD')
    expect(liveCounts()).toEqual({})
  })

  it('commits a long payload in chunks, an atomic one at once', async () => {
    const sources = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, id) => [
        id,
        { Knows: { Person: { [id + 1]: { weight: { value: 1 } } } } },
      ]),
    )
    const before = engine.sequence
    const answer = await upsert({ edges: { Person: sources } }, { atomic: true })
    expect(answer).toMatchObject({ accepted_edges: 60_000 })
    expect(engine.sequence).toBe(before + 1)
    expect(await upsert({ edges: { Person: sources } })).toMatchObject({ accepted_edges: 60_000 })
    expect(engine.sequence).toBeGreaterThan(before + 5)
    expect(liveCounts()).toEqual({ Person: 60_001, Knows: 60_000 })
  })

  it('commits what an import brings in small chunks: each holds the event loop for itself', async () => {
    const sizes: number[] = []
    const counting = {
      get catalog() {
        return engine.catalog
      },
      commit: (frame: Uint8Array) => {
        sizes.push(frame.length)
        return engine.commit(frame)
      },
    }
    const ids = Array.from({ length: 20_000 }, (_, id) => [id, {}])
    const body = Buffer.from(JSON.stringify({ vertices: { Person: Object.fromEntries(ids) } }))
    const imports = new UpsertService(counting, realClock)
    await imports.upsert('acme', body, { ...noFlags, isExport: true })
    expect(liveCounts()).toEqual({ Person: 20_000 })
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThan(25 * 1_024)
  })

  it('leaves the event loop to others while it reads a long body', async () => {
    const entries = Array.from({ length: 200_000 }, (_, id) => `"${id}":{"age":{"value":${id}}}`)
    const body = Buffer.from(`{"vertices":{"Person":{${entries.join(',')}}}}`)
    let turnsOfOthers = 0
    const timer = setInterval(() => {
      turnsOfOthers++
    }, 1)
    await service.upsert('acme', body, noFlags)
    clearInterval(timer)
    expect(liveCounts()).toEqual({ Person: 200_000 })
    // Slices of 5 ms: the slower the machine, the more of them.
    expect(turnsOfOthers).toBeGreaterThan(5)
  })

  it('commits what a thread has read of a body, and reads the body itself under another catalogue', async () => {
    const bytes = (ids: readonly number[]) =>
      Buffer.from(
        JSON.stringify({ vertices: { Person: Object.fromEntries(ids.map((id) => [id, {}])) } }),
      )
    const made = makePayload(bytes([1, 2, 3]), {
      ...{ catalog: engine.catalog, graph: 'acme' },
      ...{ flags: noFlags, isOneCommit: true },
    })
    const first = await service.upsert('acme', bytes([]), { ...noFlags, made })
    expect(first).toMatchObject({ code: 'REST-0001', result: { accepted_vertices: 3 } })
    expect(liveCounts()).toEqual({ Person: 3 })

    const other = { ...made, catalogVersion: made.catalogVersion + 1 }
    const second = await service.upsert('acme', bytes([4]), { ...noFlags, made: other })
    expect(second).toMatchObject({ result: { accepted_vertices: 1 } })
    expect(liveCounts()).toEqual({ Person: 4 })
  })

  it('has a thread read a body with an object above 128 KiB, and reads any other itself', async () => {
    const requested: PayloadOptions[] = []
    const threads = {
      readPayload: async (body: Uint8Array, options: PayloadOptions) => {
        requested.push(options)
        return readPayload(body, options)
      },
    }
    const beside = new UpsertService(engine, realClock, threads)
    const send = (parts: readonly string[], flags: Partial<UpsertFlags> = {}) =>
      beside.upsert('acme', Buffer.from(`{"vertices":{"Company":{${parts.join(',')}}}}`), {
        ...noFlags,
        ...flags,
      })
    const filler = Array.from(
      { length: 3_000 },
      (_, at) => `"${at}":{"sector":{"value":"n ${at}"}}`,
    )
    const long = (id: string, chars: number) =>
      `"${id}":{"sector":{"value":"${'y'.repeat(chars)}"}}`
    // Any number of short objects, and one up to the limit, wherever it lies.
    await send(filler)
    for (const at of [0, 1_000, 2_999]) await send(filler.toSpliced(at, 0, long('a', 100_000)))
    expect(requested).toEqual([])

    const given: string[] = []
    const checkTypes: UpsertFlags['checkTypes'] = ({ vertices }) => given.push(...vertices)
    const { result } = await send([...filler, long('b', 300_000)], { checkTypes, atomic: true })
    expect(result).toEqual({ accepted_vertices: 3_001, accepted_edges: 0 })
    expect(given).toEqual(['Company'])
    expect(requested).toMatchObject([{ graph: 'acme', chunkSizeBytes: 0, wantsNames: true }])
    const wrong = send([...filler, long('c', 300_000), '"d":{"nope":{"value":1}}'])
    await expect(wrong).rejects.toThrow('Unknown vertex attribute or vector name: nope')
    expect(requested).toHaveLength(2)
    const escaped = `"e":{"sector":{"value":"${'\\n'.repeat(200_000)}`
    await expect(send([escaped])).rejects.toThrow('not valid JSON')
    expect(requested).toHaveLength(3)
  })

  it('answers ack=none with the same counts', async () => {
    expect(await upsert(knows('1', '2'), { ack: 'none' })).toMatchObject({ accepted_edges: 1 })
    await engine.settled()
    expect(liveCounts()).toEqual({ Person: 2, Knows: 1 })
  })

  it('does not know other graphs', async () => {
    const answer = service.upsert('nope', Buffer.from('{}'), noFlags)
    await expect(answer).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' })
  })
})

describe('a long payload of which one commit is refused', () => {
  it('says what the others have written', async () => {
    let count = 0
    const full = new DbError('MEMORY_LIMIT', 'There is no memory.', { details: { code: 'x' } })
    const refusing: UpsertEngine = {
      catalog: engine.catalog,
      commit: (frame, options) => {
        count++
        return count === 2 ? Promise.reject(full) : engine.commit(frame, options)
      },
    }
    const type = payloadCatalog.vertexTypes.find(({ primaryId }) => primaryId.type === 'STRING')
    const ids = Array.from({ length: 20_000 }, (_none, at) => [`an id of some length ${at}`, {}])
    const vertices = { [type?.name ?? '']: Object.fromEntries(ids) }
    const body = Buffer.from(JSON.stringify({ vertices }))
    const half = new UpsertService(refusing, realClock)
    const error = await half.upsert('acme', body, noFlags).catch((cause: unknown) => cause)
    expect(count).toBeGreaterThan(2)
    expect(isDbError(error, 'MEMORY_LIMIT')).toBe(true)
    const { message, details } = error as DbError
    expect(details).toEqual({ code: 'x' })
    const [, written = ''] =
      /^There is no memory. Of the request (\d+) vertices and 0 edges/.exec(message) ?? []
    expect(Number(written)).toBeGreaterThan(5_000)
    expect(Number(written)).toBeLessThan(20_000)
  })
})
