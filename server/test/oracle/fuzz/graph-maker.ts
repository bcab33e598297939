/** Random schemas and graphs. */
import type { AttributeValue } from '#catalog/types.ts'
import type { Dice } from './dice.ts'
import {
  type EdgeRow,
  type EdgeSpec,
  endsOf,
  type GraphSpec,
  type Operation,
  type Values,
  type VertexRow,
  type VertexSpec,
} from './graph-spec.ts'

/** One type for a name, so that an alias of several vertex types reads one type of value. */
const vertexAttributes: Readonly<Record<string, string>> = {
  i: 'INT',
  j: 'INT',
  u: 'UINT',
  f: 'FLOAT',
  d: 'DOUBLE',
  b: 'BOOL',
  s: 'STRING',
  t: 'DATETIME',
  li: 'LIST<INT>',
  ls: 'LIST<STRING>',
  ss: 'SET<STRING>',
  si: 'SET<INT>',
  m: 'MAP<STRING,INT>',
}

/** Of these conditions are answered by an index. */
const indexable = ['i', 'j', 'u', 's', 't']

const edgeAttributes: Readonly<Record<string, string>> = {
  w: 'INT',
  x: 'DOUBLE',
  y: 'STRING',
  z: 'BOOL',
  at: 'DATETIME',
}

const discriminators: Readonly<Record<string, string>> = { k: 'INT', q: 'STRING' }

const vertexNames = ['A', 'B', 'C']
const edgeNames = ['E', 'F', 'G', 'H']

export function randomGraph(dice: Dice): GraphSpec {
  const vertices = vertexNames
    .slice(0, dice.pick([1, 2, 2, 3, 3]))
    .map((name) => randomVertexType(dice, name))
  const edges = edgeNames
    .slice(0, dice.between(1, 4))
    .map((name) => randomEdgeType(dice, name, vertices))
  return { vertices, edges, operations: randomOperations(dice, vertices, edges) }
}

function randomVertexType(dice: Dice, name: string): VertexSpec {
  const attributes = { i: 'INT', ...picked(dice, vertexAttributes, 55) }
  const mayIndex = Object.keys(attributes).filter((one) => indexable.includes(one))
  return {
    name,
    id: dice.pick(['STRING', 'STRING', 'INT', 'UINT'] as const),
    idReads: dice.chance(20),
    attributes,
    indexes: dice.some(mayIndex, 40),
  }
}

function picked(dice: Dice, all: Readonly<Record<string, string>>, percent: number) {
  return Object.fromEntries(dice.some(Object.entries(all), percent))
}

function randomEdgeType(dice: Dice, name: string, vertices: readonly VertexSpec[]): EdgeSpec {
  const directed = dice.chance(65)
  const pair = () => `${dice.pick(vertices).name}>${dice.pick(vertices).name}`
  const pairs = [...new Set(dice.times(1, dice.pick([1, 1, 2, 3]), pair))]
  const told = dice.chance(25) ? Object.entries(discriminators).slice(0, dice.between(1, 2)) : []
  // An undirected type has a pair of two types once only.
  const distinct = directed
    ? pairs
    : [...new Map(pairs.map((one) => [endsOf(one).toSorted().join(), one])).values()]
  return {
    name,
    directed,
    pairs: distinct,
    attributes: { ...Object.fromEntries(told), ...picked(dice, edgeAttributes, 45) },
    discriminators: told.length,
    reverse: directed && dice.chance(40) ? `rev_${name}` : null,
  }
}

/** Puts, then some changes and deletes, with or without a rebuild before, between and behind. */
function randomOperations(
  dice: Dice,
  vertices: readonly VertexSpec[],
  edges: readonly EdgeSpec[],
): Operation[] {
  const sizes = [3, 6, 6, 10, 10, 10, 20, 20, 40, 120]
  const most = dice.pick(sizes)
  const rows = vertices.flatMap((type) =>
    dice.times(dice.chance(5) ? 0 : 1, most, (n) => vertexRow(dice, type, n)),
  )
  const edgeRows = dice.times(most, most * 3, () => edgeRow(dice, edges, rows)).filter(isThere)
  const operations: Operation[] = [...rows, ...edgeRows].map((row) => ({ kind: 'put', row }))
  const rebuild: Operation = { kind: 'rebuild' }
  if (dice.chance(50)) operations.push(rebuild)
  if (dice.chance(60)) operations.push(...laterChanges(dice, { vertices, edges, rows, edgeRows }))
  if (dice.chance(20)) operations.push(rebuild)
  return operations
}

interface Made {
  readonly vertices: readonly VertexSpec[]
  readonly edges: readonly EdgeSpec[]
  readonly rows: readonly VertexRow[]
  readonly edgeRows: readonly EdgeRow[]
}

function laterChanges(dice: Dice, { vertices, edges, rows, edgeRows }: Made): Operation[] {
  const deleted = dice.some(rows, 10)
  const isLeft = ([type, id]: VertexRow) => !deleted.some((one) => one[0] === type && one[1] === id)
  const left = rows.filter(isLeft)
  const added = vertices.flatMap((type) =>
    dice.times(0, 3, (n) => vertexRow(dice, type, rows.length + n)),
  )
  const changed = dice.some(left, 15).map(([type, id]): VertexRow => {
    const spec = vertices.find(({ name }) => name === type)!
    return [type, id, valuesOf(dice, spec.attributes, 30)]
  })
  const put = (row: VertexRow | EdgeRow): Operation => ({ kind: 'put', row })
  const remove = (row: EdgeRow | readonly [string, string]): Operation => ({ kind: 'delete', row })
  return [
    ...dice.some(edgeRows, 12).map(remove),
    ...deleted.map(([type, id]) => remove([type, id])),
    ...[...added, ...changed].map(put),
    ...dice
      .times(0, Math.ceil(edgeRows.length / 3), () => edgeRow(dice, edges, [...left, ...added]))
      .filter(isThere)
      .map(put),
  ]
}

function isThere<T>(one: T | null): one is T {
  return one !== null
}

function vertexRow(dice: Dice, { name, id, attributes }: VertexSpec, n: number): VertexRow {
  const text =
    id === 'STRING' ? `${name.toLowerCase()}${n}` : String(n * 3 + (id === 'INT' ? -6 : 0))
  return [name, text, valuesOf(dice, attributes, 85)]
}

function edgeRow(
  dice: Dice,
  edges: readonly EdgeSpec[],
  rows: readonly VertexRow[],
): EdgeRow | null {
  const type = dice.pick(edges)
  const [fromType, toType] = endsOf(dice.pick(type.pairs))
  const sources = rows.filter(([name]) => name === fromType)
  const targets = rows.filter(([name]) => name === toType)
  if (sources.length === 0 || targets.length === 0) return null
  // Some vertices have many edges.
  const hub = dice.chance(20) ? 0 : null
  const source = sources[hub ?? dice.below(sources.length)]!
  const target = dice.chance(8) && fromType === toType ? source : dice.pick(targets)
  const fixed = Object.fromEntries(Object.entries(type.attributes).slice(0, type.discriminators))
  const values = { ...valuesOf(dice, type.attributes, 80), ...valuesOf(dice, fixed, 100) }
  return [type.name, fromType, source[1], toType, target[1], values]
}

function valuesOf(
  dice: Dice,
  attributes: Readonly<Record<string, string>>,
  percent: number,
): Values {
  return Object.fromEntries(
    dice
      .some(Object.entries(attributes), percent)
      .map(([name, type]) => [name, randomValue(dice, type)]),
  )
}

const words = ['', 'x', 'y', 'z', 'xy', 'Zoë', 'a b', '10']

/**
 * Real numbers are quarters: sums of them have the same bits in every order, so that no condition
 * depends on it.
 */
export function randomValue(dice: Dice, type: string): AttributeValue {
  switch (type) {
    case 'INT':
      return dice.chance(3)
        ? dice.pick([2n ** 53n + 1n, -(2n ** 63n), 2n ** 31n])
        : dice.between(-3, 9)
    case 'UINT':
      return dice.chance(3) ? 2n ** 64n - 1n : dice.between(0, 9)
    case 'FLOAT':
    case 'DOUBLE':
      return dice.between(-8, 24) / 4
    case 'BOOL':
      return dice.chance(50)
    case 'STRING':
      return dice.pick(words)
    case 'DATETIME':
      return 1_577_836_800 + dice.between(-3, 9) * 86_400
    case 'LIST<INT>':
    case 'SET<INT>':
      return dice.times(0, 3, () => dice.between(0, 4))
    case 'LIST<STRING>':
    case 'SET<STRING>':
      return dice.times(0, 3, () => dice.pick(words))
    default:
      return dice.times(0, 3, () => [dice.pick(words), dice.between(0, 4)])
  }
}
