/**
 * A GSQL value as generated code and the runtime pass it: INT and UINT a double (a bigint in wide
 * queries), FLOAT, DOUBLE and DATETIME a double, BOOL a boolean, STRING its code, VERTEX its number
 * (-1: unknown), EDGE its handle (-1: none), a tuple an array in field order, a collection its
 * block in the arena.
 */
export type Value = number | bigint | boolean | readonly Value[]

/** Where values print to: the runtime's JSON writer and what it knows of the graph. */
export interface Printer {
  /** Digits, `true`, `"inf"`: ASCII that is JSON already. */
  raw(json: string): void
  /** JSON of any characters. */
  utf8(json: string): void
  string(code: number): void
  key(utf8: Uint8Array): void
  open(bracket: '{' | '['): void
  close(bracket: '}' | ']'): void
  vertexId(vertex: number): void
  vertexIdBytes(vertex: number): Uint8Array
  edge(handle: number): void
  stringBytes(code: number): Uint8Array
}
