/** The edges of one type, as the writer holds them: one adjacency per pair of vertex types. */
import type { AttributeType, EdgeType, TupleType } from '#catalog/types.ts'
import type { EdgeTableView } from '#graph/view.ts'
import { Adjacency } from '../adjacency/adjacency.ts'
import type { Memory } from '../columns/column.ts'
import { type MadeBefore, nothingMade } from '../columns/made-columns.ts'
import { attributeTypeOf } from './attribute-type.ts'

export class EdgeTable {
  type: EdgeType
  adjacencies: Adjacency[]
  readonly #memory: Memory
  #view: EdgeTableView | null = null

  constructor(
    type: EdgeType,
    tuples: readonly TupleType[],
    memory: Memory,
    adjacencies: readonly Adjacency[] = [],
  ) {
    this.type = type
    this.#memory = memory
    this.adjacencies = [...adjacencies]
    this.setType(type, tuples)
  }

  get liveCount(): number {
    return this.adjacencies.reduce((sum, adjacency) => sum + adjacency.liveCount, 0)
  }

  get sizeBytes(): number {
    return this.adjacencies.reduce((sum, adjacency) => sum + adjacency.sizeBytes, 0)
  }

  /** Follows a changed definition: pairs and attributes come and go by their ids. */
  setType(type: EdgeType, tuples: readonly TupleType[], made: MadeBefore = nothingMade): void {
    const old = this.adjacencies
    this.type = type
    this.adjacencies = type.pairs.map(
      (pair) =>
        old.find((one) => one.fromTypeId === pair.fromTypeId && one.toTypeId === pair.toTypeId) ??
        new Adjacency(type, pair, this.#memory),
    )
    for (const one of old) if (!this.adjacencies.includes(one)) one.release()
    for (const one of this.adjacencies) one.setColumns(type.attributes, tuples, made)
    this.#view = null
  }

  /** Puts a rebuilt adjacency in the place of the old one, whose strings it goes on with. */
  replace(old: Adjacency, next: Adjacency): void {
    this.adjacencies = this.adjacencies.map((one) => (one === old ? next : one))
    next.columns.forEach((column, index) => {
      column.inherit(old.columns[index]!)
    })
    old.releaseRows()
    this.#view = null
  }

  find(fromTypeId: number, toTypeId: number): Adjacency | undefined {
    return this.adjacencies.find(
      (one) => one.fromTypeId === fromTypeId && one.toTypeId === toTypeId,
    )
  }

  /** @throws DbError CORRUPT_LOG for an attribute the type does not have. */
  attributeType(attributeId: number): AttributeType {
    return attributeTypeOf(this.type.name, this.type.attributes, attributeId)
  }

  changed(): void {
    this.#view = null
  }

  view(): EdgeTableView {
    this.#view ??= {
      typeId: this.type.id,
      typeName: this.type.name,
      directed: this.type.directed,
      reverseName: this.type.reverseName,
      adjacencies: this.adjacencies.map((adjacency) => adjacency.view()),
    }
    return this.#view
  }

  release(): void {
    for (const adjacency of this.adjacencies) adjacency.release()
  }
}
