/** A file that one page chose and the next one works with: it waits in memory, for one graph. */

/** How a file was read for what it is to fill, and what its columns were made to be. */
export interface HandedReading {
  readonly delimiter: string
  readonly hasHeader: boolean
  readonly nullText: string
  readonly typeName: string
  /** The id or attribute that each column feeds, in the order of the file; null: none. */
  readonly targets: readonly (string | null)[]
}

interface Handed {
  readonly file: File
  readonly reading: HandedReading
}

let waiting: (Handed & { readonly graph: string }) | null = null

export const handover = {
  give(graph: string, handed: Handed): void {
    waiting = { graph, ...handed }
  },
  of: (graph: string): Handed | null => (waiting?.graph === graph ? waiting : null),
  clear(): void {
    waiting = null
  },
}
