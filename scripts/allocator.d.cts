/** Environment variables by name. */
export const allocatorSettings: Readonly<Record<string, string>>
/** Options of `node`. */
export const heapOptions: readonly string[]
