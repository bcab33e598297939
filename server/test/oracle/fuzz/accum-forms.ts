/** The accumulators that random queries declare. */

export interface AccumForm {
  /** The declared type. */
  readonly type: string
  /** Behind the name in its declaration: lengths of an array. */
  readonly suffix?: string
  /** Type of value that an expression reads. */
  readonly reads: string
  /** What `+=` takes: a type of value, or a form of its own. */
  readonly takes: Takes
  /** The result depends on the order in which values are folded in. */
  readonly isOrdered?: true
}

export type Takes =
  /** A value of this type. */
  | { readonly kind: 'value'; readonly type: string }
  /** An element, or several. */
  | { readonly kind: 'elements'; readonly type: string }
  /** `(key -> value)`. */
  | { readonly kind: 'pair'; readonly key: string; readonly value: Takes }
  /** `T(a, b)`. */
  | { readonly kind: 'tuple' }
  /** `(key -> value, value)`. */
  | { readonly kind: 'group' }
  /** An element by its index. */
  | { readonly kind: 'index' }

/** The tuple type that heaps hold. */
export const tupleType = 'TYPEDEF TUPLE<INT a, STRING b> T;'

export const ARRAY_LENGTH = 3

function scalar(type: string, reads: string, takes = reads): AccumForm {
  return { type, reads, takes: { kind: 'value', type: takes } }
}

function elements(kind: 'List' | 'Set' | 'Bag', type: string): AccumForm {
  const form = {
    type: `${kind}Accum<${type}>`,
    reads: `${kind.toUpperCase()}<${type}>`,
    takes: { kind: 'elements', type },
  } as const
  return kind === 'List' ? { ...form, isOrdered: true } : form
}

const int: Takes = { kind: 'value', type: 'INT' }

function map(key: string, value: string, takes: Takes): AccumForm {
  return {
    type: `MapAccum<${key}, ${value}>`,
    reads: `MAP<${key},${value}>`,
    takes: { kind: 'pair', key, value: takes },
  }
}

export const accumForms: readonly AccumForm[] = [
  scalar('SumAccum<INT>', 'INT'),
  scalar('SumAccum<INT>', 'INT'),
  scalar('SumAccum<DOUBLE>', 'DOUBLE'),
  scalar('SumAccum<FLOAT>', 'FLOAT'),
  scalar('SumAccum<UINT>', 'UINT'),
  { ...scalar('SumAccum<STRING>', 'STRING'), isOrdered: true },
  scalar('MinAccum<INT>', 'INT'),
  scalar('MaxAccum<INT>', 'INT'),
  scalar('MinAccum<DOUBLE>', 'DOUBLE'),
  scalar('MaxAccum<STRING>', 'STRING'),
  scalar('MinAccum<DATETIME>', 'DATETIME'),
  scalar('MaxAccum<VERTEX>', 'VERTEX'),
  scalar('AvgAccum', 'DOUBLE', 'INT'),
  scalar('OrAccum', 'BOOL'),
  scalar('AndAccum', 'BOOL'),
  scalar('BitwiseOrAccum', 'INT'),
  scalar('BitwiseAndAccum', 'INT'),
  scalar('PercentileContAccum<50>', 'DOUBLE', 'INT'),
  elements('List', 'INT'),
  elements('List', 'STRING'),
  elements('List', 'VERTEX'),
  elements('Set', 'INT'),
  elements('Set', 'STRING'),
  elements('Set', 'VERTEX'),
  elements('Bag', 'INT'),
  map('INT', 'INT', int),
  map('STRING', 'INT', int),
  map('STRING', 'DOUBLE', { kind: 'value', type: 'DOUBLE' }),
  { ...map('INT', 'STRING', { kind: 'value', type: 'STRING' }), isOrdered: true },
  { ...map('INT', 'BOOL', { kind: 'value', type: 'BOOL' }), isOrdered: true },
  map('VERTEX', 'SumAccum<INT>', int),
  map('INT', 'SetAccum<STRING>', { kind: 'elements', type: 'STRING' }),
  { ...map('STRING', 'ListAccum<INT>', { kind: 'elements', type: 'INT' }), isOrdered: true },
  map('STRING', 'MaxAccum<INT>', int),
  map('STRING', 'AvgAccum', int),
  map('INT', 'MapAccum<STRING, SumAccum<INT>>', { kind: 'pair', key: 'STRING', value: int }),
  {
    type: 'ArrayAccum<SumAccum<INT>>',
    suffix: `[${ARRAY_LENGTH}]`,
    reads: 'ARRAY<INT>',
    takes: { kind: 'index' },
  },
  {
    type: 'HeapAccum<T>(2, a DESC, b ASC)',
    reads: 'HEAP<T>',
    takes: { kind: 'tuple' },
  },
  {
    type: 'HeapAccum<T>(3, a ASC)',
    reads: 'HEAP<T>',
    takes: { kind: 'tuple' },
    isOrdered: true,
  },
  {
    type: 'GroupByAccum<STRING k, SumAccum<INT> n, MaxAccum<INT> m>',
    reads: 'GROUPS',
    takes: { kind: 'group' },
  },
]

export interface Accum {
  /** With its `@` or `@@`. */
  readonly name: string
  readonly form: AccumForm
}

export function declarationOf({ name, form }: Accum): string {
  return `${form.type} ${name}${form.suffix ?? ''}`
}

/** Element type of a LIST, SET or BAG; null: the type is another one. */
export function elementOf(type: string): string | null {
  return /^(?:LIST|SET|BAG)<(\w+)>$/.exec(type)?.[1] ?? null
}
