/** Statistics of graphs as documents: one per graph, kept whole in memory, changed in turns. */
import type { Pair, Statistics } from '#query/explain/estimates.ts'
import type { Histogram } from '#query/explain/histogram.ts'
import type { Collection, Documents } from '#storage/documents.ts'
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

const COLLECTION = 'planner-statistics'
const nothing: KeptStatistics = { counts: {}, histograms: {} }

export class StatisticsDocuments {
  readonly #documents: Collection
  readonly #kept = new Map<string, KeptStatistics>()
  readonly #turns = new Turns()

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (graph, bytes) => this.#take(graph, bytes))
  }

  static async open(documents: Documents): Promise<StatisticsDocuments> {
    const statistics = new StatisticsDocuments(documents)
    for (const { key, bytes } of await statistics.#documents.list()) statistics.#take(key, bytes)
    return statistics
  }

  #take(graph: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#kept.delete(graph)
    else {
      const kept = JSON.parse(Buffer.from(bytes).toString(), withIntegers) as KeptStatistics
      this.#kept.set(graph, kept)
    }
  }

  of(graph: string): KeptStatistics {
    return this.#kept.get(graph) ?? nothing
  }

  /** Durable before it counts. */
  change(graph: string, change: (kept: KeptStatistics) => KeptStatistics): Promise<void> {
    return this.#turns.run(async () => {
      const next = change(this.of(graph))
      const bytes = Buffer.from(JSON.stringify(next, asText))
      await this.#documents.put(graph, bytes)
      this.#kept.set(graph, next)
    })
  }

  forget(graph: string): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#kept.has(graph)) return
      await this.#documents.delete(graph)
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
