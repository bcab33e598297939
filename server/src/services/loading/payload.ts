/** Gathers what rows add until it is sent as one upsert; repeated ids stay repeated, in order. */
import type { End } from './targets.ts'

export class Batch {
  readonly #vertices = new Map<string, string[]>()
  readonly #edges = new Map<string, string[]>()
  count = 0

  addVertex(type: string, id: string, attributes: string): void {
    push(this.#vertices, type, `${JSON.stringify(id)}:${attributes}`)
    this.count++
  }

  addEdge(edgeType: string, from: End, to: End, attributes: string): void {
    const target = `{${JSON.stringify(to.type)}:{${JSON.stringify(to.id)}:${attributes}}}`
    const text = `${JSON.stringify(from.id)}:{${JSON.stringify(edgeType)}:${target}}`
    push(this.#edges, from.type, text)
    this.count++
  }

  /** The payload of contract 2.1; the batch is empty afterwards. */
  take(): Uint8Array {
    const text = `{"vertices":${sectionText(this.#vertices)},"edges":${sectionText(this.#edges)}}`
    this.#vertices.clear()
    this.#edges.clear()
    this.count = 0
    return Buffer.from(text)
  }
}

function push(section: Map<string, string[]>, type: string, text: string): void {
  const texts = section.get(type)
  if (texts === undefined) section.set(type, [text])
  else texts.push(text)
}

function sectionText(section: ReadonlyMap<string, readonly string[]>): string {
  const types = [...section].map(([type, texts]) => `${JSON.stringify(type)}:{${texts.join(',')}}`)
  return `{${types.join(',')}}`
}
