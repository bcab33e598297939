/** Gathers what rows add until it is sent as one upsert; repeated ids stay repeated, in order. */
import type { End } from './targets.ts'

export class Batch {
  readonly #vertices = new Map<string, Members>()
  readonly #edges = new Map<string, Members>()
  /** Names of types as JSON: a job has few of them. */
  readonly #names = new Map<string, string>()
  count = 0
  /** Of the payload, about. */
  sizeBytes = 0
  /** Of the longest object. */
  longestBytes = 0

  addVertex(type: string, id: string, attributes: string): void {
    this.#add(membersOf(this.#vertices, type), `${JSON.stringify(id)}:${attributes}`)
  }

  addEdge(edgeType: string, from: End, to: End, attributes: string): void {
    const target = `{${this.#nameOf(to.type)}:{${JSON.stringify(to.id)}:${attributes}}}`
    const text = `${JSON.stringify(from.id)}:{${this.#nameOf(edgeType)}:${target}}`
    this.#add(membersOf(this.#edges, from.type), text)
  }

  #add(members: Members, text: string): void {
    const added = members.add(text)
    this.sizeBytes += added
    if (added > this.longestBytes) this.longestBytes = added
    this.count++
  }

  /** Without what was added. */
  clear(): void {
    for (const members of [...this.#vertices.values(), ...this.#edges.values()]) members.clear()
    this.count = 0
    this.sizeBytes = 0
    this.longestBytes = 0
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
    // In memory of its own, so that it can be handed to another thread.
    const payload = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      payload.set(part, at)
      at += part.length
    }
    this.clear()
    return payload
  }
}

const FIRST_SIZE_BYTES = 4_096
const SIZE_KEPT_BYTES_MAX = 8 * 1024 * 1024
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

  /** @returns by how many bytes it grew */
  add(text: string): number {
    const before = this.#length
    const lengthMax = this.#length + 1 + text.length * BYTES_PER_UNIT_MAX
    if (lengthMax > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(lengthMax, this.#bytes.length * 2))
      larger.set(this.written)
      this.#bytes = larger
    }
    if (this.#length > 0) this.#bytes[this.#length++] = 0x2c
    this.#length += this.#bytes.write(text, this.#length)
    return this.#length - before
  }

  clear(): void {
    // What one long object took is not held for all that follow.
    if (this.#bytes.length > SIZE_KEPT_BYTES_MAX) this.#bytes = Buffer.allocUnsafe(FIRST_SIZE_BYTES)
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
