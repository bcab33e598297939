/**
 * One HNSW graph: the only file that knows the library.
 *
 * Every vector gets a serial number as its key, and a vertex points at its newest: a replaced or
 * removed vector stays as a stale node that searches pass through and leave out of their answer. The
 * library can remove, too, but its count of nodes then goes astray; whoever fills the graph makes a
 * new one when too much is stale. One thread inserts in the order given, so that the same changes
 * make the same graph.
 *
 * COSINE is the inner product of vectors scaled to length 1, whose numbers half precision holds well:
 * what the graph measures orders candidates only, and distances are worked out from the columns.
 */
import { Index, MetricKind, ScalarKind } from 'usearch'
import type { VectorMetric } from '#catalog/types.ts'
import type { GraphSpec } from './protocol.ts'

/** Neighbours of a node; twice as many on the lowest level. */
const CONNECTIVITY = 32
/** Candidates that are held while a node's neighbours are chosen. */
const EXPANSION_ADD = 128
const NONE = -1

export class HnswGraph {
  readonly #index: Index
  readonly #metric: VectorMetric
  readonly #scaled: Float32Array
  /** By ordinal: the serial number of the newest vector + 1; 0: it has none. */
  #serials = new Uint32Array(1_024)
  /** By serial number: whose vector it is, or NONE. */
  #ordinals = new Float64Array(1_024)
  #nodeCount = 0
  liveCount = 0

  constructor({ dimension, metric }: GraphSpec) {
    this.#metric = metric
    this.#scaled = new Float32Array(dimension)
    this.#index = new Index({
      dimensions: dimension,
      metric: metric === 'L2' ? MetricKind.L2sq : MetricKind.IP,
      quantization: metric === 'COSINE' ? ScalarKind.F16 : ScalarKind.F32,
      connectivity: CONNECTIVITY,
      expansion_add: EXPANSION_ADD,
      expansion_search: 0,
      multi: false,
    })
  }

  get staleCount(): number {
    return this.#nodeCount - this.liveCount
  }

  put(ordinal: number, vector: Float32Array): void {
    this.remove(ordinal)
    const serial = this.#nodeCount
    this.#makeRoom(ordinal, serial)
    this.#index.add(BigInt(serial), this.#prepared(vector), 1)
    this.#serials[ordinal] = serial + 1
    this.#ordinals[serial] = ordinal
    this.#nodeCount += 1
    this.liveCount += 1
  }

  remove(ordinal: number): void {
    const next = this.#serials[ordinal] ?? 0
    if (next === 0) return
    this.#ordinals[next - 1] = NONE
    this.#serials[ordinal] = 0
    this.liveCount -= 1
  }

  /** @returns up to `count` ordinals, nearest first; the search holds so many candidates */
  search(vector: Float32Array, count: number): Float64Array {
    if (this.liveCount === 0) return new Float64Array(0)
    const staleAmong = Math.ceil((count * this.staleCount) / this.liveCount)
    const wanted = Math.min(this.#nodeCount, count + staleAmong)
    const { keys } = this.#index.search(this.#prepared(vector), wanted, 1)
    const found = new Float64Array(Math.min(count, keys.length))
    let length = 0
    for (let i = 0; i < keys.length && length < count; i++) {
      const ordinal = this.#ordinals[Number(keys[i])]!
      if (ordinal !== NONE) found[length++] = ordinal
    }
    return found.slice(0, length)
  }

  #prepared(vector: Float32Array): Float32Array {
    if (this.#metric !== 'COSINE') return vector
    let squares = 0
    for (const value of vector) squares += value * value
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
    for (let i = 0; i < vector.length; i++) this.#scaled[i] = vector[i]! * scale
    return this.#scaled
  }

  #makeRoom(ordinal: number, serial: number): void {
    if (ordinal >= this.#serials.length) {
      const serials = new Uint32Array(Math.max(ordinal + 1, this.#serials.length * 2))
      serials.set(this.#serials)
      this.#serials = serials
    }
    if (serial >= this.#ordinals.length) {
      const ordinals = new Float64Array(this.#ordinals.length * 2)
      ordinals.set(this.#ordinals)
      this.#ordinals = ordinals
    }
  }
}
