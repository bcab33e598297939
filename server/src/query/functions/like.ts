/**
 * GSQL's LIKE: `%` any run, `_` one character, `[a-z]`, `[^…]` and `[!…]` classes.
 *
 * Matching goes back at most to the last `%`, so that its time is bounded by the product of both
 * lengths whatever the pattern: a regular expression may take for ever.
 */

const RUN = 'run'
const ANY = 'any'

interface CharacterClass {
  readonly negated: boolean
  /** Pairs of code points, both inclusive. */
  readonly ranges: readonly (readonly [number, number])[]
}

/** A code point is itself. */
type Part = typeof RUN | typeof ANY | number | CharacterClass

const compiled = new Map<string, readonly Part[]>()
const KEPT_MAX = 100
/** A longer pattern is compiled anew each time. */
const KEPT_CHARS_MAX = 1_000

export function matchesLike(value: string, pattern: string, mark: string): boolean {
  return matches(value, partsOf(pattern, mark))
}

function partsOf(pattern: string, mark: string): readonly Part[] {
  const key = `${mark} ${pattern}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const parts = parse([...pattern], mark)
  if (pattern.length > KEPT_CHARS_MAX) return parts
  if (compiled.size >= KEPT_MAX) compiled.clear()
  compiled.set(key, parts)
  return parts
}

function matches(value: string, parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  // Where the last run stands in the pattern, and from where in the value to go on after it.
  let run = -1
  let from = 0
  while (at < value.length) {
    const code = value.codePointAt(at)!
    const wanted = parts[part]
    if (wanted === RUN) {
      run = part++
      from = at
    } else if (wanted !== undefined && accepts(wanted, code)) {
      part++
      at += width(code)
    } else if (run >= 0) {
      from += width(value.codePointAt(from)!)
      at = from
      part = run + 1
    } else return false
  }
  while (parts[part] === RUN) part++
  return part === parts.length
}

function width(code: number): number {
  return code > 0xffff ? 2 : 1
}

function accepts(part: Exclude<Part, typeof RUN>, code: number): boolean {
  if (typeof part === 'number') return part === code
  if (part === ANY) return true
  return part.ranges.some(([low, high]) => code >= low && code <= high) !== part.negated
}

function parse(characters: readonly string[], mark: string): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < characters.length; ) {
    const { part, length } = partAt(characters, i, mark)
    i += length
    // A run next to another is one.
    if (part !== null && !(part === RUN && parts.at(-1) === RUN)) parts.push(part)
  }
  return parts
}

interface ParsedPart {
  /** Null: the escape mark at the very end stands for nothing. */
  readonly part: Part | null
  readonly length: number
}

function partAt(characters: readonly string[], at: number, mark: string): ParsedPart {
  const character = characters[at]!
  if (character === mark && mark !== '') {
    const escaped = characters[at + 1]
    return { part: escaped === undefined ? null : codeOf(escaped), length: 2 }
  }
  if (character === '%') return { part: RUN, length: 1 }
  if (character === '_') return { part: ANY, length: 1 }
  const end = character === '[' ? classEnd(characters, at) : -1
  if (end < 0) return { part: codeOf(character), length: 1 }
  return { part: classOf(characters.slice(at + 1, end)), length: end - at + 1 }
}

function codeOf(character: string): number {
  return character.codePointAt(0)!
}

function classEnd(characters: readonly string[], start: number): number {
  for (let i = start + 1; i < characters.length; i++) {
    if (characters[i] === '\\') i++
    else if (characters[i] === ']' && i > start + 1) return i
  }
  return -1
}

/** Inside a class `\` escapes; a `-` between two characters is a range. */
function classOf(inside: readonly string[]): CharacterClass {
  const negated = inside[0] === '^' || inside[0] === '!'
  const members: { readonly code: number; readonly dash: boolean }[] = []
  for (let i = negated ? 1 : 0; i < inside.length; i++) {
    const escaped = inside[i] === '\\' && i + 1 < inside.length
    if (escaped) i++
    members.push({ code: codeOf(inside[i]!), dash: !escaped && inside[i] === '-' })
  }
  const ranges: [number, number][] = []
  for (let i = 0; i < members.length; i++) {
    const [low, dash, high] = members.slice(i, i + 3)
    if (dash?.dash && high !== undefined) {
      ranges.push([low!.code, high.code])
      i += 2
    } else ranges.push([low!.code, low!.code])
  }
  return { negated, ranges }
}
