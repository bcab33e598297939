/** A file that one page chose and the next one works with: it waits in memory, for one graph. */

let waiting: { readonly graph: string; readonly file: File } | null = null

export const handover = {
  give(graph: string, file: File): void {
    waiting = { graph, file }
  },
  of: (graph: string): File | null => (waiting?.graph === graph ? waiting.file : null),
  clear(): void {
    waiting = null
  },
}
