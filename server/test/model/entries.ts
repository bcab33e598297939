/** Random upsert entries, and the payload that says the same in JSON. */
import type { Attribute, EdgeType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import type { Random } from '#kernel/prng.ts'
import type { EdgeEntry, FieldWrite, VertexEntry } from './entry-types.ts'
import { modelCatalog } from './model-schema.ts'
import type { ModelValue } from './values.ts'

export const idsByType: Readonly<Record<string, readonly string[]>> = {
  A: ['a', 'b', 'c', 'd', 'account-number-12', 'account-number-13', 'é/😀 %', '__proto__'],
  B: ['0', '1', '-2', '3', '1099511627776', '9007199254740993', '-9223372036854775808'],
  K: ['0', '5', '18446744073709551615'],
  C: ['x,1', 'x,2', ',-3'],
}

const words: Readonly<Record<string, string>> = {
  '~': 'ignore_if_exists',
  '+': 'add',
  '&': 'and',
  '|': 'or',
  '>': 'max',
  '<': 'min',
}

const opsOf: Readonly<Record<string, readonly string[]>> = {
  INT: ['', '~', '+', '&', '|', '>', '<'],
  UINT: ['', '~', '+', '&', '|', '>', '<'],
  DOUBLE: ['', '~', '+', '>', '<'],
  FLOAT: ['', '~', '+', '>', '<'],
  BOOL: ['', '~', '&', '|'],
  STRING: ['', '~', '+', '>', '<'],
  DATETIME: ['', '~', '>', '<'],
  LIST: ['', '~', '+'],
  SET: ['', '~', '+'],
  MAP: ['', '~', '+'],
  TUPLE: ['', '~'],
  VECTOR: ['', '~'],
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!
}

export function randomVertex(random: Random): VertexEntry {
  const type = pick(random, ['A', 'A', 'A', 'B', 'B', 'K', 'C'])
  const found = modelCatalog.vertexTypes.find(({ name }) => name === type)!
  const { names } = found.primaryId
  const free = storedAttributes(found).filter(({ name }) => !names.includes(name))
  return { type, id: pick(random, idsByType[type]!), fields: randomFields(random, free) }
}

export function randomEdge(random: Random): EdgeEntry {
  const type = pick(random, modelCatalog.edgeTypes)
  const pair = pick(random, type.pairs)
  const nameOf = (id: number) => modelCatalog.vertexTypes.find((one) => one.id === id)!.name
  const ends = [nameOf(pair.fromTypeId), nameOf(pair.toTypeId)].map((end) => ({
    end,
    id: pick(random, idsByType[end]!),
  }))
  const isTurned = random.below(3) === 0 && (!type.directed || type.reverseName !== null)
  if (isTurned) ends.reverse()
  const [from, to] = ends
  return {
    name: isTurned && type.directed ? type.reverseName! : type.name,
    fromType: from!.end,
    from: from!.id,
    toType: to!.end,
    to: to!.id,
    fields: edgeFields(random, type),
  }
}

function edgeFields(random: Random, type: EdgeType): FieldWrite[] {
  const fixed = type.attributes
    .slice(0, type.discriminatorCount)
    .map(({ name, type: { kind } }) => ({ name, op: '', value: discriminator(random, kind) }))
  const free = randomFields(random, type.attributes.slice(type.discriminatorCount))
  return random.below(4) === 0 ? [...free, ...fixed] : [...fixed, ...free]
}

function discriminator(random: Random, kind: string): ModelValue {
  const choice = random.below(3)
  if (kind === 'STRING') return ['', 'k,1\\', 'k2'][choice]!
  return kind === 'INT' ? [-1n, 0n, 2n ** 40n][choice]! : [-86_400, 0, 1_700_000_000][choice]!
}

/** Mostly a regular choice, so that runs of equal fields come to be, sometimes any. */
function randomFields(random: Random, attributes: readonly Attribute[]): FieldWrite[] {
  const isRegular = random.below(3) > 0
  const chosen = isRegular
    ? attributes.slice(0, random.below(3))
    : attributes.filter(() => random.below(2) === 0)
  return chosen.map(({ name, type: { kind } }) => ({
    name,
    op: isRegular ? '' : pick(random, opsOf[kind]!),
    value: randomValue(random, kind),
  }))
}

const integers = [0n, 1n, -1n, 5n, -300n, 70_000n, 2n ** 31n, -(2n ** 33n), 2n ** 53n + 1n]

function randomValue(random: Random, kind: string): ModelValue {
  switch (kind) {
    case 'INT':
      return random.below(4) === 0 ? pick(random, integers) : BigInt(random.below(9) - 4)
    case 'UINT':
      return random.below(4) === 0 ? pick(random, [0n, 2n ** 32n, 2n ** 64n - 1n]) : 6n
    case 'DOUBLE':
      return pick(random, [0, 1.5, -2.25, 1e-7, 1e300, 0.1])
    case 'FLOAT':
      return Math.fround(pick(random, [0, 1.5, -2.25, 0.1, 3e30]))
    case 'BOOL':
      return random.below(2) === 0
    case 'STRING':
      return pick(random, ['', 'x', 'abc', 'é"\\\n', 'long '.repeat(9)])
    case 'DATETIME':
      return pick(random, [0, -1, 1_700_000_000, -12_219_292_800, 253_402_300_799])
    case 'LIST':
      return Array.from({ length: random.below(4) }, () => BigInt(random.below(3)))
    case 'SET':
      return ['p', 'q', 'r'].filter(() => random.below(2) === 0)
    case 'MAP':
      return ['p', 'q', 'r'].flatMap((key) =>
        random.below(2) === 0 ? [[key, BigInt(random.below(9))]] : [],
      )
    case 'VECTOR':
      return Array.from({ length: 3 }, () =>
        pick(random, [0, 0, 1.5, -0.25, 3e30].map(Math.fround)),
      )
    default:
      return [pick(random, ['', 'elm']), BigInt(random.below(5))]
  }
}

/** Sections in any order; entries that share a source are sometimes one object, sometimes not. */
export function payloadText(
  random: Random,
  vertices: readonly VertexEntry[],
  edges: readonly EdgeEntry[],
): string {
  const vertexText = vertices.map(
    ({ type, id, fields }) => `"${type}":{${quoted(id)}:${fieldsText(random, fields)}}`,
  )
  const sections = [
    `"vertices":{${vertexText.join(',')}}`,
    `"edges":{${edgesText(random, edges).join(', ')}}`,
  ]
  if (random.below(2) === 0) sections.reverse()
  return `{${sections.join(',\n')}}`
}

function edgesText(random: Random, edges: readonly EdgeEntry[]): string[] {
  const parts: string[] = []
  for (let index = 0; index < edges.length; ) {
    const first = edges[index]!
    const group = [first]
    while (isBeside(first, edges[index + group.length]) && random.below(3) > 0) {
      group.push(edges[index + group.length]!)
    }
    const isArray = hasDiscriminator(first.name) && random.below(2) === 0
    const targets = group.map((edge) => {
      const text = fieldsText(random, edge.fields)
      return `${quoted(edge.to)}:${isArray ? `[${text}]` : text}`
    })
    const { fromType, from, name, toType } = first
    parts.push(`"${fromType}":{${quoted(from)}:{"${name}":{"${toType}":{${targets.join(',')}}}}}`)
    index += group.length
  }
  return parts
}

function isBeside(first: EdgeEntry, next: EdgeEntry | undefined): boolean {
  return (
    next !== undefined &&
    next.name === first.name &&
    next.fromType === first.fromType &&
    next.from === first.from &&
    next.toType === first.toType
  )
}

function hasDiscriminator(name: string): boolean {
  return modelCatalog.edgeTypes.some(
    (type) => type.discriminatorCount > 0 && (type.name === name || type.reverseName === name),
  )
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

function fieldsText(random: Random, fields: readonly FieldWrite[]): string {
  const members = fields.map(({ name, op, value }) => {
    const code = random.below(2) === 0 ? op : (words[op] ?? op)
    const opText = op === '' ? '' : `,"op":"${code}"`
    return `"${name}":{"value":${valueText(kindOf(name), value)}${opText}}`
  })
  return `{${members.join(',')}}`
}

/** Of all attributes called alike, DATETIMEs aside, the value itself tells how it is written. */
function kindOf(name: string): string {
  return { m: 'MAP', tu: 'TUPLE', t: 'DATETIME' }[name] ?? ''
}

function valueText(kind: string, value: ModelValue): string {
  if (kind === 'DATETIME') return quoted(formatDatetime(Number(value)))
  if (kind === 'MAP') {
    const pairs = value as readonly [string, bigint][]
    const keys = pairs.map(([key]) => quoted(key))
    return `{"keylist":[${keys.join(',')}],"valuelist":[${pairs.map(([, item]) => item).join(',')}]}`
  }
  if (kind === 'TUPLE') {
    const [x, y] = value as [string, bigint]
    return `{"keylist":["y","x"],"valuelist":[${y},${quoted(x)}]}`
  }
  if (Array.isArray(value)) return `[${value.map((item) => valueText('', item)).join(',')}]`
  return typeof value === 'string' ? quoted(value) : String(value)
}
