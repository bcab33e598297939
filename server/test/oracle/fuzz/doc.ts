/**
 * Texts that know where they can be made smaller, so that a failing query shrinks without a parser.
 *
 * A list loses items, a choice becomes one of its smaller forms. Nothing says that a smaller text
 * still compiles: whoever shrinks tries it.
 */
export type Doc = string | Sequence | List | Choice

interface Sequence {
  readonly kind: 'sequence'
  readonly parts: readonly Doc[]
}

interface List {
  readonly kind: 'list'
  readonly items: readonly Doc[]
  readonly separator: string
  /** Items that have to stay. */
  readonly least: number
}

interface Choice {
  readonly kind: 'choice'
  readonly whole: Doc
  readonly smaller: readonly Doc[]
}

/** `doc` as a template: ``doc`a ${b}` `` is the text with `b` in its place. */
export function doc(texts: TemplateStringsArray, ...parts: readonly Doc[]): Doc {
  const all: Doc[] = []
  for (const [i, text] of texts.entries()) {
    if (text !== '') all.push(text)
    if (i < parts.length) all.push(parts[i]!)
  }
  return { kind: 'sequence', parts: all }
}

/** Items that can be left out one by one, down to `least`. */
export function list(items: readonly Doc[], separator: string, least = 0): Doc {
  return { kind: 'list', items, separator, least }
}

/** A part that can be left out. */
export function optional(part: Doc): Doc {
  return list([part], '')
}

/** A part that can become one of the smaller ones. */
export function choice(whole: Doc, ...smaller: readonly Doc[]): Doc {
  return { kind: 'choice', whole, smaller }
}

export function textOf(part: Doc): string {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'sequence':
      return part.parts.map(textOf).join('')
    case 'list':
      return part.items.map(textOf).join(part.separator)
    case 'choice':
      return textOf(part.whole)
  }
}

/** Every text with one place made smaller, large cuts first. */
export function* smallerDocs(part: Doc): Generator<Doc> {
  if (typeof part === 'string') return
  switch (part.kind) {
    case 'sequence':
      for (const [i, inner] of part.parts.entries()) {
        for (const one of smallerDocs(inner)) yield { ...part, parts: part.parts.with(i, one) }
      }
      return
    case 'list':
      for (const items of fewer(part.items, part.least)) yield { ...part, items }
      for (const [i, inner] of part.items.entries()) {
        for (const one of smallerDocs(inner)) yield { ...part, items: part.items.with(i, one) }
      }
      return
    case 'choice':
      yield* part.smaller
      for (const one of smallerDocs(part.whole)) yield { ...part, whole: one }
  }
}

/** The items without a half, a quarter, … and without each. */
export function* fewer<T>(items: readonly T[], least: number): Generator<readonly T[]> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < items.length; from += size) {
      const left = items.toSpliced(from, size)
      if (left.length >= least) yield left
    }
  }
}
