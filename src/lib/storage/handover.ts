/** A file that one page chose and the next one works with: it waits in memory, for one graph. */

interface Handed {
  readonly file: File
  /** As it was read for what the file is to fill. */
  readonly hasHeader: boolean
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
