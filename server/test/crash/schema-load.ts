/**
 * Schema changes that can be checked afterwards. Several clients change vertex types of their own, each
 * with one change under way: they add types and attributes, rename, choose a wider type, drop. There are
 * so many types that a log entry holds what has changed, and not the whole catalogue
 * (docs/decisions/0142).
 */

import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { WHOLE_CATALOG_PARTS_MAX } from '#graph/catalog-entry.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { Acknowledged } from './acknowledged.ts'

/** Null: no answer came. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read many shapes of answers.
  readonly body: any
} | null>

const CLIENT_COUNT = 4
/** Types that nobody changes. */
const FIXED_COUNT = WHOLE_CATALOG_PARTS_MAX + 4
const TYPES_MAX = 8
const CHANGE = '/gsql/v1/schema/change?graph=g'
const VALUE = 7

interface Type {
  /** The types of its attributes by their names. */
  readonly attributes: Readonly<Record<string, string>>
  /** Has a vertex, whose first attribute holds VALUE. */
  readonly isFilled: boolean
}
type Types = Map<string, Type>

interface Change {
  readonly body: object
  readonly applyTo: (types: Types) => void
}

interface Client {
  readonly name: string
  types: Types
  /** Sent, and its outcome is not known. */
  pending: Change | null
}

export class SchemaLoad {
  readonly #random: Random
  readonly #clients: readonly Client[] = Array.from({ length: CLIENT_COUNT }, (_, at) => ({
    name: `client${at}`,
    types: new Map(),
    pending: null,
  }))
  #nextNumber = 0
  readonly acknowledged = new Acknowledged()
  #isOver = false
  /** Called when so many changes are acknowledged. */

  constructor(seed: number) {
    this.#random = createRandom(seed)
  }

  async createGraph(send: Send): Promise<void> {
    await expectDone(send, '/gsql/v1/schema/graphs?graphName=g', {})
    const names = Array.from({ length: FIXED_COUNT }, (_, at) => `fixed${at}`)
    await expectDone(send, CHANGE, { addVertexTypes: names.map((name) => typeForm(name)) })
  }

  /** Runs the clients, in turn at these servers, until `stop`; each ends when an outcome is not known. */
  run(sends: readonly Send[]): Promise<unknown> {
    this.#isOver = false
    const clients = Promise.all(
      this.#clients.map((client, at) => this.#runClient(sends[at % sends.length]!, client)),
    )
    // Awaited only after the kill: until then a failure is nobody's.
    clients.catch(() => undefined)
    return clients
  }

  stop(): void {
    this.#isOver = true
  }

  /**
   * Compares the schema and the values, and takes what it finds of changes under way as certain.
   * Writes a vertex of each type that has none.
   */
  async check(send: Send, at: string): Promise<void> {
    const found = await typesOf(send)
    for (const client of this.#clients) this.#checkClient(client, found, at)
    const count = this.#clients.reduce((sum, { types }) => sum + types.size, FIXED_COUNT)
    expect(Object.keys(found), `${at}: the types`).toHaveLength(count)
    for (const { types } of this.#clients) {
      for (const [name, type] of types) {
        if (type.isFilled) await checkValue(send, name, type, at)
        else {
          const vertex = { 1: { a: { value: storedValue(type) } } }
          await expectDone(send, '/restpp/graph/g', { vertices: { [name]: vertex } })
          types.set(name, { ...type, isFilled: true })
        }
      }
    }
  }

  #checkClient(client: Client, found: Awaited<ReturnType<typeof typesOf>>, at: string): void {
    const { name, pending, types } = client
    const own = Object.entries(found).filter(([type]) => type.startsWith(`${name}_`))
    const shown = Object.fromEntries(own)
    const after = new Map(types)
    pending?.applyTo(after)
    if (pending !== null && isDeepStrictEqual(shown, visible(after))) client.types = after
    const what = pending === null ? '' : `, under way: ${JSON.stringify(pending.body)}`
    expect(shown, `${at}, ${name}${what}`).toEqual(visible(client.types))
    client.pending = null
  }

  async #runClient(send: Send, client: Client): Promise<void> {
    while (!this.#isOver) {
      const change = this.#choose(client)
      client.pending = change
      const answer = await send('POST', CHANGE, change.body)
      if (answer === null || answer.status >= 500) return
      const what = JSON.stringify(change.body)
      expect(answer, what).toMatchObject({ status: 200, body: { error: false } })
      change.applyTo(client.types)
      client.pending = null
      this.acknowledged.add()
    }
  }

  #choose({ name: client, types }: Client): Change {
    const dice = this.#random.below(100)
    const number = this.#nextNumber++
    const fresh = `${client}_${number}`
    if (types.size === 0 || (dice < 35 && types.size < TYPES_MAX)) return addition(fresh)
    const name = [...types.keys()][this.#random.below(types.size)]!
    if (dice < 50 && types.size > 2) return drop(name)
    const { attributes } = types.get(name)!
    if (dice < 65) return retype(name, fresh, {}, { newName: fresh })
    const narrow = Object.keys(attributes).find((one) => attributes[one] === 'INT')
    if (dice < 80 && narrow !== undefined) {
      const change = { name: narrow, AttributeType: { Name: 'STRING' } }
      return retype(name, name, { [narrow]: 'STRING' }, { changeAttributes: [change] })
    }
    const added = `b${number}`
    return retype(name, name, { [added]: 'INT' }, { addAttributes: [attributeForm(added)] })
  }
}

function addition(name: string): Change {
  return {
    body: { addVertexTypes: [typeForm(name)] },
    applyTo: (types) => types.set(name, { attributes: { a: 'INT' }, isFilled: false }),
  }
}

function drop(name: string): Change {
  return { body: { dropVertexTypes: [name] }, applyTo: (types) => types.delete(name) }
}

/** @param alteration what leads to the new name and these types of attributes */
function retype(
  name: string,
  newName: string,
  attributes: Type['attributes'],
  alteration: object,
): Change {
  return {
    body: { alterVertexTypes: [{ name, ...alteration }] },
    applyTo: (types) => {
      const type = types.get(name)!
      types.delete(name)
      types.set(newName, { ...type, attributes: { ...type.attributes, ...attributes } })
    },
  }
}

function visible(types: Types): Readonly<Record<string, Type['attributes']>> {
  return Object.fromEntries([...types].map(([name, { attributes }]) => [name, attributes]))
}

/** By name, the types of their attributes. */
async function typesOf(send: Send): Promise<Readonly<Record<string, Type['attributes']>>> {
  const answer = await send('GET', '/gsql/v1/schema/graphs/g')
  expect(answer).toMatchObject({ status: 200, body: { error: false } })
  interface Listed {
    readonly Name: string
    readonly Attributes: readonly ReturnType<typeof attributeForm>[]
  }
  const listed: readonly Listed[] = answer!.body.results.VertexTypes
  const attributesOf = ({ Attributes }: Listed) =>
    Object.fromEntries(Attributes.map((one) => [one.AttributeName, one.AttributeType.Name]))
  return Object.fromEntries(listed.map((type) => [type.Name, attributesOf(type)]))
}

async function checkValue(send: Send, name: string, type: Type, at: string): Promise<void> {
  const answer = await send('GET', `/restpp/graph/g/vertices/${name}`)
  const wanted = storedValue(type)
  expect(answer?.body.results, `${at}: ${name}`).toMatchObject([{ attributes: { a: wanted } }])
}

function storedValue({ attributes }: Type): number | string {
  return attributes['a'] === 'STRING' ? String(VALUE) : VALUE
}

async function expectDone(send: Send, path: string, body: unknown): Promise<void> {
  const answer = await send('POST', path, body)
  expect(answer, path).toMatchObject({ status: 200, body: { error: false } })
}

function typeForm(name: string) {
  return { Name: name, PrimaryId: attributeForm('id'), Attributes: [attributeForm('a')] }
}

function attributeForm(name: string) {
  return { AttributeName: name, AttributeType: { Name: 'INT' } }
}
