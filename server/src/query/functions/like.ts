/** GSQL's LIKE: `%` any run, `_` one character, `[a-z]`, `[^…]` and `[!…]` classes. */

const compiled = new Map<string, RegExp>()
const KEPT_MAX = 100

export function matchesLike(value: string, pattern: string, mark: string): boolean {
  return expressionOf(pattern, mark).test(value)
}

function expressionOf(pattern: string, mark: string): RegExp {
  const key = `${mark} ${pattern}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const expression = new RegExp(`^${translate(pattern, mark)}$`, 'su')
  if (compiled.size >= KEPT_MAX) compiled.clear()
  compiled.set(key, expression)
  return expression
}

function translate(pattern: string, mark: string): string {
  const characters = [...pattern]
  let text = ''
  for (let i = 0; i < characters.length; ) {
    const part = partAt(characters, i, mark)
    text += part.text
    i += part.length
  }
  // A run of any length next to another is one: keeps matching from going exponential.
  return text.replace(/(?:\.\*)+/g, '.*')
}

interface Part {
  readonly text: string
  readonly length: number
}

function partAt(characters: readonly string[], at: number, mark: string): Part {
  const character = characters[at]!
  if (character === mark && mark !== '') {
    return { text: literal(characters[at + 1] ?? ''), length: 2 }
  }
  if (character === '%') return { text: '.*', length: 1 }
  if (character === '_') return { text: '.', length: 1 }
  const end = character === '[' ? classEnd(characters, at) : -1
  if (end < 0) return { text: literal(character), length: 1 }
  return { text: classText(characters.slice(at + 1, end)), length: end - at + 1 }
}

function classEnd(characters: readonly string[], start: number): number {
  for (let i = start + 2; i < characters.length; i++) {
    if (characters[i] === ']' && characters[i - 1] !== '\\') return i
  }
  return -1
}

function classText(inside: readonly string[]): string {
  const negated = inside[0] === '^' || inside[0] === '!'
  const members = (negated ? inside.slice(1) : inside)
    .filter((character) => character !== '\\')
    .map((character) => (character === '-' ? '-' : literal(character)))
  return `[${negated ? '^' : ''}${members.join('')}]`
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character
}
