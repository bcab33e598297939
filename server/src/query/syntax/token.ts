/** Tokens of GSQL. Keywords are names: which names are words of the grammar depends on the place. */

export type TokenKind =
  /** `[A-Za-z_]…`, and POST-ACCUM, which is one token. */
  | 'name'
  /** `@x`; `text` without the `@`. */
  | 'vertexAccum'
  /** `@@x`; `text` without the `@@`. */
  | 'globalAccum'
  | 'int'
  | 'real'
  /** `text` is the unescaped content. */
  | 'string'
  /** `$0`, `$name`, `$"a":"b"`, as written. */
  | 'column'
  /** Operators and punctuation; `'` directly after an accumulator is one of them. */
  | 'symbol'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Upper case of a name, for keyword tests; the text itself for all others. */
  readonly upper: string
  readonly start: number
  readonly end: number
  /** Of a text: what is wrong with one of its escapes, which GSQL takes as it is written. */
  readonly badEscape?: string
}
