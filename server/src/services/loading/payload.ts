/** Gathers what rows add until it is sent as one upsert; repeated ids stay repeated, in order. */
import type { End } from './targets.ts'

export class Batch {
  readonly #vertices = new Map<string, Members>()
  readonly #edges = new Map<string, Members>()
  /** Names of types as JSON: a job has few of them. */
  readonly #names = new Map<string, string>()
  count = 0

  addVertex(type: string, id: string, attributes: string): void {
    membersOf(this.#vertices, type).add(`${JSON.stringify(id)}:${attributes}`)
    this.count++
  }

  addEdge(edgeType: string, from: End, to: End, attributes: string): void {
    const target = `{${this.#nameOf(to.type)}:{${JSON.stringify(to.id)}:${attributes}}}`
    const text = `${JSON.stringify(from.id)}:{${this.#nameOf(edgeType)}:${target}}`
    membersOf(this.#edges, from.type).add(text)
    this.count++
  }

  #nameOf(type: string): string {
    const known = this.#names.get(type)
    if (known !== undefined) return known
    const text = JSON.stringify(type)
    this.#names.set(type, text)
    return text
  }

  /** The payload of docs/reference/rest.md; the batch is empty afterwards. */
  take(): Uint8Array {
    const parts = [
      Buffer.from('{"vertices":{'),
      ...sectionOf(this.#vertices),
      Buffer.from('},"edges":{'),
      ...sectionOf(this.#edges),
      Buffer.from('}}'),
    ]
    const payload = Buffer.concat(parts)
    for (const members of [...this.#vertices.values(), ...this.#edges.values()]) members.clear()
    this.count = 0
    return payload
  }
}

const FIRST_SIZE_BYTES = 4_096
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const BYTES_PER_UNIT_MAX = 3

/**
 * The members of an object, as bytes. Texts that wait for thousands of others to be joined would be
 * moved by the garbage collector again and again (measured: a third of a load's time).
 */
class Members {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE_BYTES)
  #length = 0

  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  add(text: string): void {
    const lengthMax = this.#length + 1 + text.length * BYTES_PER_UNIT_MAX
    if (lengthMax > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(lengthMax, this.#bytes.length * 2))
      larger.set(this.written)
      this.#bytes = larger
    }
    if (this.#length > 0) this.#bytes[this.#length++] = 0x2c
    this.#length += this.#bytes.write(text, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}

function membersOf(section: Map<string, Members>, type: string): Members {
  const known = section.get(type)
  if (known !== undefined) return known
  const members = new Members()
  section.set(type, members)
  return members
}

function* sectionOf(section: ReadonlyMap<string, Members>): Iterable<Buffer> {
  let separator = ''
  for (const [type, { written }] of section) {
    if (written.length === 0) continue
    yield Buffer.from(`${separator}${JSON.stringify(type)}:{`)
    yield written
    yield Buffer.from('}')
    separator = ','
  }
}
