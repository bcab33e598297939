/** Statistics of graphs as documents: one per graph, kept whole in memory, changed in turns. */
import type { Pair, Statistics } from '#query/explain/estimates.ts'
import type { Histogram } from '#query/explain/histogram.ts'
import { Turns } from '../auth/turns.ts'

export interface KeptStatistics {
  /** By type number, or `type:from:to`. */
  readonly counts: Readonly<Record<string, number>>
  /** By `type.attribute`. */
  readonly histograms: Readonly<Record<string, Histogram>>
}

/** As the estimates of plans read them. */
export function statisticsOf({ counts, histograms }: KeptStatistics): Statistics {
  return {
    vertices: (typeId) => counts[String(typeId)] ?? null,
    edges: (typeId, pair) => counts[pairKey(typeId, pair)] ?? null,
    histogram: (typeId, attributeId) => histograms[`${typeId}.${attributeId}`] ?? null,
  }
}

export function pairKey(typeId: number, { fromTypeId, toTypeId }: Pair): string {
  return `${typeId}:${fromTypeId}:${toTypeId}`
}

/** What of the store they need. */
export interface StatisticsStore {
  putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void>
  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]>
  deleteDocument(collection: string, key: string): Promise<void>
}

const COLLECTION = 'planner-statistics'
const nothing: KeptStatistics = { counts: {}, histograms: {} }

export class StatisticsDocuments {
  readonly #store: StatisticsStore
  readonly #kept: Map<string, KeptStatistics>
  readonly #turns = new Turns()

  private constructor(store: StatisticsStore, kept: Map<string, KeptStatistics>) {
    this.#store = store
    this.#kept = kept
  }

  static async open(store: StatisticsStore): Promise<StatisticsDocuments> {
    const stored = await store.listDocuments(COLLECTION)
    const kept = stored.map(({ key, bytes }): [string, KeptStatistics] => [
      key,
      JSON.parse(Buffer.from(bytes).toString(), withIntegers) as KeptStatistics,
    ])
    return new StatisticsDocuments(store, new Map(kept))
  }

  of(graph: string): KeptStatistics {
    return this.#kept.get(graph) ?? nothing
  }

  /** Durable before it counts. */
  change(graph: string, change: (kept: KeptStatistics) => KeptStatistics): Promise<void> {
    return this.#turns.run(async () => {
      const next = change(this.of(graph))
      const bytes = Buffer.from(JSON.stringify(next, asText))
      await this.#store.putDocument(COLLECTION, graph, bytes)
      this.#kept.set(graph, next)
    })
  }

  forget(graph: string): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#kept.has(graph)) return
      await this.#store.deleteDocument(COLLECTION, graph)
      this.#kept.delete(graph)
    })
  }
}

/** Integers beyond 2^53 are exact: `{"integer":"9007199254740993"}`. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { integer: String(value) } : value
}

function withIntegers(_key: string, value: unknown): unknown {
  const { integer } = (value ?? {}) as { readonly integer?: unknown }
  return typeof integer === 'string' ? BigInt(integer) : value
}
