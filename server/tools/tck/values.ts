/** Values as the TCK writes them: `[1, 'a', null]`, `(:A {num: 1})`, `[:T {since: 1.5}]`, `<(:A)-[:T]->(:B)>`. */
export type TckValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly TckValue[] }
  | { readonly kind: 'map'; readonly members: Members }
  | { readonly kind: 'node'; readonly labels: readonly string[]; readonly properties: Members }
  | { readonly kind: 'edge'; readonly type: string; readonly properties: Members }
  | { readonly kind: 'path'; readonly text: string }

export type Members = ReadonlyMap<string, TckValue>

/** @throws Error when the text is no value */
export function parseValue(text: string): TckValue {
  const reader = new Reader(text)
  const value = reader.value()
  reader.end()
  return value
}

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([\w`]+)|(\[:|[()[\]{}:,<]))/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  end(): void {
    if (this.#text.slice(this.#at).trim() !== '') this.#fail()
  }

  value(): TckValue {
    const token = this.#next()
    if (token.startsWith("'")) return { kind: 'string', value: unescaped(token.slice(1, -1)) }
    if (token === '[:') return this.#edge()
    if (token === '[') return { kind: 'list', items: this.#items() }
    if (token === '{') return { kind: 'map', members: this.#members() }
    if (token === '(') return this.#node()
    if (token === '<') {
      this.#at = this.#text.length
      return { kind: 'path', text: this.#text }
    }
    return this.#scalar(token)
  }

  #scalar(token: string): TckValue {
    if (token === 'null') return { kind: 'null' }
    if (token === 'true' || token === 'false') return { kind: 'bool', value: token === 'true' }
    if (token === 'NaN') return { kind: 'float', value: Number.NaN }
    if (/^-?\d+$/.test(token)) return { kind: 'int', value: BigInt(token) }
    if (/^-?\d/.test(token)) return { kind: 'float', value: Number(token) }
    return this.#fail()
  }

  #items(): TckValue[] {
    const items: TckValue[] = []
    if (this.#accept(']')) return items
    do items.push(this.value())
    while (this.#accept(','))
    this.#expect(']')
    return items
  }

  #members(): Members {
    const members = new Map<string, TckValue>()
    if (this.#accept('}')) return members
    do {
      const name = this.#next()
      this.#expect(':')
      members.set(name, this.value())
    } while (this.#accept(','))
    this.#expect('}')
    return members
  }

  #node(): TckValue {
    const labels: string[] = []
    while (this.#accept(':')) labels.push(this.#next())
    const properties = this.#properties()
    this.#expect(')')
    return { kind: 'node', labels, properties }
  }

  #edge(): TckValue {
    const type = this.#next()
    const properties = this.#properties()
    this.#expect(']')
    return { kind: 'edge', type, properties }
  }

  #properties(): Members {
    return this.#accept('{') ? this.#members() : new Map()
  }

  #next(): string {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#text)
    if (found === null) return this.#fail()
    this.#at = TOKEN.lastIndex
    return found[1] ?? found[2] ?? found[3] ?? found[4]!
  }

  #accept(token: string): boolean {
    const before = this.#at
    if (this.#text.slice(before).trim() !== '' && this.#next() === token) return true
    this.#at = before
    return false
  }

  #expect(token: string): void {
    if (!this.#accept(token)) this.#fail()
  }

  #fail(): never {
    throw new Error(`no value of the TCK at ${this.#at}: ${this.#text}`)
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char)
}
