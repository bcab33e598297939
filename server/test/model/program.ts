/**
 * One random program: upserts, deletes, rebuilds, restarts and pinned readers, made from a seed,
 * run on the engine through its services and on the model beside it.
 */
import { GraphEngine } from '#graph/engine.ts'
import type { PinnedView } from '#graph/view.ts'
import { isDbError } from '#kernel/errors.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { EdgeService } from '#services/edges/edge-service.ts'
import { indexLookup } from '#services/indexes/index-lookup.ts'
import { IndexUsage } from '#services/indexes/index-usage.ts'
import { UpsertService } from '#services/upsert/upsert-service.ts'
import { VertexService } from '#services/vertices/vertex-service.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { realClock, realScheduler } from '../fixtures/engine.ts'
import { dump } from './dump.ts'
import { idsByType, payloadText, pick, randomEdge, randomVertex } from './entries.ts'
import type { Flags } from './entry-types.ts'
import { linesOf } from './lines.ts'
import { Model } from './model.ts'
import { modelCatalog } from './model-schema.ts'

const place = { graph: 'g', url: '/graph/g' }
const typeNames = Object.keys(idsByType)
const edgeNames = modelCatalog.edgeTypes.flatMap(({ name, reverseName }) =>
  reverseName === null ? [name] : [name, reverseName],
)

/** @throws Error, where engine and model part, with the steps up to there */
export async function runProgram(seed: number, stepCount: number): Promise<void> {
  const program = new Program(seed)
  try {
    await program.run(stepCount)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`seed ${seed}: ${message}\nafter:\n${program.steps.join('\n')}`, {
      cause: error,
    })
  }
}

class Program {
  readonly steps: string[] = []
  readonly #random: Random
  readonly #mergesInWorker: boolean
  readonly #image = createMemoryImage()
  readonly #model = new Model(modelCatalog)
  #store = new MemoryStore(this.#image)
  #engine!: GraphEngine
  #pins: { readonly pin: PinnedView; readonly lines: readonly string[] }[] = []
  #rebuild: Promise<unknown> | null = null

  constructor(seed: number) {
    this.#random = createRandom(seed)
    this.#mergesInWorker = seed % 50 === 0
  }

  async run(stepCount: number): Promise<void> {
    await this.#open()
    await this.#engine.changeCatalog(() => modelCatalog)
    for (let step = 0; step < stepCount; step++) {
      await this.#step()
      if (this.#random.below(6) === 0) this.#check()
    }
    await this.#rebuild
    await this.#checkReads()
    this.#check()
    await this.#restart()
    this.#check()
    await this.#close()
  }

  #step(): Promise<void> | void {
    const dice = this.#random.below(100)
    if (dice < 62) return this.#upsert()
    if (dice < 70) return this.#deleteVertex()
    if (dice < 78) return this.#deleteEdges()
    if (dice < 80) return this.#deleteType()
    if (dice < 83) return this.#deleteByFilter()
    if (dice < 89) return this.#startRebuild()
    if (dice < 92) return this.#restart()
    if (dice < 97) return this.#pin()
    return this.#checkReads()
  }

  async #upsert(): Promise<void> {
    const random = this.#random
    const many = random.below(12) === 0 ? 60 : 6
    const vertices = Array.from({ length: random.below(many) }, () => randomVertex(random))
    const edges = Array.from({ length: random.below(many) }, () => randomEdge(random))
    const flags = randomFlags(random)
    const text = payloadText(random, vertices, edges)
    this.steps.push(`upsert ${JSON.stringify(flags)} ${text}`)
    const expected = this.#model.upsert(vertices, edges, flags)
    const actual = await this.#answer(text, flags)
    if (expected.rejected || typeof actual === 'string') {
      same(actual, expected.rejected ? 'EDGE_ENDPOINT_MISSING' : 'accepted', 'atomic verdict')
      return
    }
    same(actual.accepted_vertices, expected.acceptedVertices, 'accepted vertices')
    same(actual.accepted_edges, expected.acceptedEdges, 'accepted edges')
    const skipped = actual.vertices_already_exist ?? actual.vertices_not_exist ?? []
    same(skipped.map(nameOf).join(), expected.skippedVertices.join(), 'skipped vertices')
    const skippedCount = expected.skippedVertices.length + expected.retiredEntries
    same(actual.skipped_vertices ?? 0, skippedCount, 'number of skipped vertices')
    same(actual.skipped_edges ?? 0, expected.skippedEdges, 'skipped edges')
    const retired = actual.vertices_deleted_permanently ?? []
    same(retired.map(nameOf).join(), expected.retired.join(), 'permanently deleted vertices')
    const missing = actual.edge_vertices_not_exist ?? []
    same(missing.map(nameOf).join(), expected.missing.join(), 'missing endpoints')
  }

  async #answer(text: string, flags: Flags) {
    const isBoth = flags.sourceMustExist && flags.targetMustExist
    try {
      const service = new UpsertService(this.#engine, realClock)
      const { result } = await service.upsert('g', Buffer.from(text), {
        ...flags,
        vertexMustExist: isBoth,
        sourceVertexMustExist: flags.sourceMustExist && !isBoth,
        targetVertexMustExist: flags.targetMustExist && !isBoth,
        ack: 'all',
      })
      return result
    } catch (error) {
      if (isDbError(error, 'EDGE_ENDPOINT_MISSING')) return error.code
      throw error
    }
  }

  async #deleteVertex(): Promise<void> {
    const type = pick(this.#random, typeNames)
    const id = pick(this.#random, idsByType[type]!)
    const permanent = this.#random.below(5) === 0
    this.steps.push(`delete ${type} ${id}${permanent ? ' for ever' : ''}`)
    const expected = this.#model.deleteVertex(type, id, permanent) ? 1 : 0
    const { deleted_vertices } = await this.#vertices().deleteOne(place, type, id, { permanent })
    same(deleted_vertices, expected, 'deleted vertices')
  }

  async #deleteType(): Promise<void> {
    const type = pick(this.#random, typeNames)
    const permanent = this.#random.below(20) === 0
    this.steps.push(`delete every ${type}${permanent ? ' for ever' : ''}`)
    const ids = this.#model.idsOf(type)
    for (const id of ids) this.#model.deleteVertex(type, id, permanent)
    const { deleted_vertices } = await this.#vertices().deleteAll(place, type, { permanent })
    same(deleted_vertices, ids.length, 'deleted vertices of a type')
  }

  async #deleteByFilter(): Promise<void> {
    this.steps.push('delete A where i>0')
    const ids = this.#model
      .idsOf('A')
      .filter((id) => (this.#model.vertices.get(`A|${id}`)!.get('i') as bigint) > 0n)
    for (const id of ids) this.#model.deleteVertex('A', id)
    const answer = await this.#vertices().deleteMany(place, 'A', { filter: 'i>0' })
    same(answer.deleted_vertices, ids.length, 'vertices deleted by filter')
  }

  async #deleteEdges(): Promise<void> {
    const source = this.#someVertex()
    if (source === null) return
    const [sourceType, sourceId] = source
    const name = pick(this.#random, edgeNames)
    this.steps.push(`delete edges of ${sourceType} ${sourceId} ${name}`)
    const keys = this.#model.edgesOf(sourceType, sourceId, name).map(({ key }) => key)
    for (const key of keys) this.#model.edges.delete(key)
    const path = { sourceType, sourceId, edgeType: name }
    const answer = await new EdgeService(this.#engine, realClock).delete(place, path)
    same(
      answer.map(({ deleted_edges }) => deleted_edges).join(),
      String(keys.length),
      'deleted edges',
    )
  }

  /** Sometimes waited for, sometimes going on beside the next steps. */
  async #startRebuild(): Promise<void> {
    await this.#rebuild
    this.steps.push('rebuild')
    this.#rebuild = this.#engine.rebuild()
    if (this.#random.below(2) === 0) await this.#rebuild
  }

  async #restart(): Promise<void> {
    this.steps.push('restart')
    await this.#close()
    await this.#open()
  }

  /** A reader that holds what it saw over the next steps. */
  #pin(): void {
    if (this.#pins.length >= 2) this.#releaseOne()
    this.steps.push('pin')
    this.#pins.push({ pin: this.#engine.pin(), lines: linesOf(this.#model) })
  }

  #releaseOne(): void {
    const held = this.#pins.shift()
    if (held === undefined) return
    this.steps.push('look at the pinned version and release it')
    sameLines(dump(held.pin.view, modelCatalog), held.lines, 'pinned version')
    held.pin.release()
  }

  #check(): void {
    this.steps.push('check')
    sameLines(dump(this.#engine.view(), modelCatalog), linesOf(this.#model), 'graph')
  }

  /** The reads of the services, with index and without, against the model. */
  async #checkReads(): Promise<void> {
    this.steps.push('check reads')
    const value = pick(this.#random, ['0', '7', '-300', '9007199254740993'])
    const operator = pick(this.#random, ['=', '>', '>=', '<', '<=', '!='])
    const lookUp = indexLookup(this.#engine, new IndexUsage(realClock))
    for (const service of [this.#vertices(), new VertexService(this.#engine, realClock, lookUp)]) {
      const bytes = await service.list(place, 'A', { filter: `i${operator}${value}` })
      const ids = (parse(bytes) as { v_id: string }[]).map(({ v_id }) => v_id)
      const expected = this.#model.idsOf('A').filter((id) => {
        const actual = this.#model.vertices.get(`A|${id}`)!.get('i') as bigint
        return holds(actual, operator, BigInt(value))
      })
      sameLines(ids.sort(), expected.sort(), `rows with i${operator}${value}`)
    }
    await this.#checkEdgeReads()
  }

  async #checkEdgeReads(): Promise<void> {
    const source = this.#someVertex()
    if (source === null) return
    const [sourceType, sourceId] = source
    const service = new EdgeService(this.#engine, realClock)
    const path = { sourceType, sourceId }
    const counts = parse(await service.list(place, path, { countOnly: true })) as {
      e_type: string
      count: number
    }[]
    const rows = parse(await service.list(place, path)) as {
      e_type: string
      to_type: string
      to_id: string
    }[]
    for (const [index, name] of edgeNames.entries()) {
      const expected = this.#model.edgesOf(sourceType, sourceId, name)
      same(counts[index]!.e_type, name, 'order of counts')
      same(counts[index]!.count, expected.length, `count of ${name}`)
      sameLines(
        rows
          .filter((row) => row.e_type === name)
          .map((row) => `${row.to_type}|${row.to_id}`)
          .sort(),
        expected.map(({ otherType, other }) => `${otherType}|${other}`).sort(),
        `edges ${name} of ${sourceType} ${sourceId}`,
      )
    }
  }

  #someVertex(): [type: string, id: string] | null {
    const keys = [...this.#model.vertices.keys()].filter((key) => /^[AB]/.test(key))
    if (keys.length === 0) return null
    const key = pick(this.#random, keys)
    return [key.slice(0, 1), key.slice(2)]
  }

  #vertices(): VertexService {
    return new VertexService(this.#engine, realClock)
  }

  async #open(): Promise<void> {
    this.#store = new MemoryStore(this.#image)
    this.#engine = await GraphEngine.open({
      store: this.#store,
      clock: realClock,
      scheduler: realScheduler,
      memoryLimitBytes: 2 ** 32,
      // Some programs merge in a worker, as large graphs do.
      ...(this.#mergesInWorker && { inlineMergeSizeMax: 0 }),
    })
  }

  async #close(): Promise<void> {
    while (this.#pins.length > 0) this.#releaseOne()
    await this.#rebuild
    this.#rebuild = null
    await this.#engine.close()
    await this.#store.close()
  }
}

function randomFlags(random: Random): Flags {
  const isFlagged = random.below(3) === 0
  const vertexFlag = isFlagged ? random.below(4) : 0
  return {
    newVertexOnly: vertexFlag === 1,
    updateVertexOnly: vertexFlag === 2,
    sourceMustExist: isFlagged && random.below(3) === 0,
    targetMustExist: isFlagged && random.below(3) === 0,
    atomic: random.below(5) === 0,
  }
}

function nameOf({ v_type, v_id }: { readonly v_type: string; readonly v_id: string }): string {
  return `${v_type}|${v_id}`
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString())
}

function holds(left: bigint, operator: string, right: bigint): boolean {
  if (operator === '=') return left === right
  if (operator === '!=') return left !== right
  if (operator === '>') return left > right
  if (operator === '>=') return left >= right
  return operator === '<' ? left < right : left <= right
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return
  throw new Error(`${what}: engine ${String(actual)}, model ${String(expected)}`)
}

function sameLines(actual: readonly string[], expected: readonly string[], what: string): void {
  if (actual.join('\n') === expected.join('\n')) return
  const extra = actual.filter((line) => !expected.includes(line))
  const lacking = expected.filter((line) => !actual.includes(line))
  throw new Error(
    `${what} differs (${actual.length} lines, model ${expected.length})\nonly engine:\n${extra.join('\n')}\nonly model:\n${lacking.join('\n')}`,
  )
}
