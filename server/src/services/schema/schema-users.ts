/** What follows a change of the schema beside the catalogue. */
import type { TypeRenames } from '#catalog/types.ts'

/** What the schema must know of queries; the query service gives it. */
export interface QueryUsers {
  namesOf(graph: string): readonly string[]
  /** The text of each query of a graph, to find the names it uses. */
  textsOf(graph: string): readonly { readonly name: string; readonly text: string }[]
  dropAllOf(graph: string): Promise<void>
}

/** What the schema must know of jobs. */
export interface JobUsers {
  of(graph: string): readonly { readonly name: string }[]
  dropAllOf(graph: string): Promise<void>
}

/** What the schema must know of users. */
export interface GraphUsers {
  /** Takes away rights on a graph that is dropped: one that gets its name later starts bare. */
  forgetGraph(graph: string): Promise<void>
  /** Rights on types go by names: those of renamed ones follow. Done already: nothing happens. */
  followRenames(renames: TypeRenames): Promise<void>
}
