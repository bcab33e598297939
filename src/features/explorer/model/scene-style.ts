/**
 * How elements of a type look beyond their type's colour: label, colour and size by attribute.
 *
 * Numbers and dates are coloured in five bands that hold about as many elements each; any other
 * value has a colour of its own, given in the order in which values came onto the canvas, so that
 * an expansion never recolours what is there. Bands are what the legend shows.
 */
import { formatCount } from '#lib/format.ts'
import type { Scene, SceneEdge, SceneVertex, TypeStyle } from './scene.ts'

export const plainStyle: TypeStyle = { label: null, color: null, size: null }

/** In the place of an attribute: how many edges of the vertex are on the canvas. */
export const BY_EDGES = '#edges'

export interface Look {
  readonly label?: string
  /** A custom property of the page. */
  readonly color?: string
  readonly dashed?: boolean
  /** 0 to 1 between the smallest and the largest of the type. */
  readonly share?: number
}

export interface Band {
  readonly label: string
  /** A custom property of the page. */
  readonly color: string
  readonly dashed?: boolean
  readonly keys: readonly string[]
}

export interface Looks {
  readonly of: ReadonlyMap<string, Look>
  /** By type; a type without a colour rule has none. */
  readonly bands: ReadonlyMap<string, readonly Band[]>
}

export const noLooks: Looks = { of: new Map(), bands: new Map() }

const RANGE_BANDS = 5
/** Of values without an order, first solid, then dashed: never a colour of a type. */
const valueColors = ['--q-v2', '--q-d1', '--q-v4', '--q-d2', '--q-v5', '--q-d4'] as const
const VALUE_BANDS_MAX = 2 * valueColors.length
const NEUTRAL = '--q-field'

type Element = SceneVertex | SceneEdge

type Note = (key: string, look: Look) => void

export function looksOf(scene: Scene): Looks {
  if (scene.styles.size === 0) return noLooks
  const of = new Map<string, Look>()
  const bands = new Map<string, readonly Band[]>()
  const note: Note = (key, look) => of.set(key, { ...of.get(key), ...look })
  for (const [type, { label, color, size }] of scene.styles) {
    const elements = [...elementsOf(scene, type)]
    if (label !== null) noteLabels(elements, label, note)
    if (color !== null) bands.set(type, notedBands(elements, color, note))
    if (size !== null) {
      const edgeCounts = size === BY_EDGES ? countEdges(scene) : new Map<string, number>()
      for (const [key, share] of sharesOf(elements, size, edgeCounts)) note(key, { share })
    }
  }
  return { of, bands }
}

function notedBands(elements: readonly Element[], attribute: string, note: Note): readonly Band[] {
  const bands = bandsOf(elements, attribute)
  for (const { color, dashed = false, keys } of bands) {
    for (const key of keys) note(key, { color, dashed })
  }
  return bands
}

function noteLabels(elements: readonly Element[], attribute: string, note: Note): void {
  for (const { key, attributes } of elements) {
    const value = attributes?.[attribute]
    if (value !== undefined) note(key, { label: valueText(value) })
  }
}

function* elementsOf({ vertices, edges }: Scene, type: string): Generator<Element> {
  for (const vertex of vertices.values()) if (vertex.type === type) yield vertex
  for (const edge of edges.values()) if (edge.type === type) yield edge
}

function countEdges({ edges }: Scene): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { from, to } of edges.values()) {
    count(from)
    if (to !== from) count(to)
  }
  return counts
}

/** As a point on a line; undefined: it has no place there. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const time = Date.parse(`${value.slice(0, 19).replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? undefined : time
}

function valueText(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value)) return formatCount(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

interface Valued {
  readonly key: string
  readonly value: unknown
}

function bandsOf(elements: readonly Element[], attribute: string): readonly Band[] {
  const valued: Valued[] = []
  const without: string[] = []
  for (const { key, attributes } of elements) {
    const value = attributes?.[attribute]
    if (value === undefined || value === null) without.push(key)
    else valued.push({ key, value })
  }
  const isRange = valued.length > 0 && valued.every(({ value }) => numberOf(value) !== undefined)
  const bands = isRange ? rangeBands(valued) : valueBands(valued)
  return without.length === 0
    ? bands
    : [...bands, { label: 'no value', color: NEUTRAL, keys: without }]
}

function rangeBands(valued: readonly Valued[]): readonly Band[] {
  const sorted = valued
    .map((one) => ({ ...one, at: numberOf(one.value) as number }))
    .sort((a, b) => a.at - b.at)
  const groups: (typeof sorted)[] = []
  let last: number | undefined
  for (const [place, one] of sorted.entries()) {
    const group = groups.at(-1)
    const wanted = Math.floor((place * RANGE_BANDS) / sorted.length)
    // Equal values stand in one band, whatever that does to its size.
    if (group === undefined || (wanted >= groups.length && one.at !== last)) groups.push([one])
    else group.push(one)
    last = one.at
  }
  return groups.map((group, place) => {
    const [first = '', last = ''] = [group[0], group.at(-1)].map((one) => valueText(one?.value))
    const [from, to] = shortDates(first, last)
    const step = groups.length === 1 ? 2 : Math.round((place * 4) / (groups.length - 1))
    return {
      label: from === to ? `${from}` : `${from} – ${to}`,
      color: `--q-v${step + 1}`,
      keys: group.map(({ key }) => key),
    }
  })
}

/** Without the time of day where the days differ already. */
function shortDates(from: string, to: string): readonly [string, string] {
  const [first, last] = [from, to].map((text) => /^(\d{4}-\d\d-\d\d) /.exec(text)?.[1])
  return first === undefined || last === undefined || first === last ? [from, to] : [first, last]
}

function valueBands(valued: readonly Valued[]): readonly Band[] {
  const byValue = new Map<string, string[]>()
  const others: string[] = []
  for (const { key, value } of valued) {
    const text = valueText(value)
    const keys = byValue.get(text)
    if (keys !== undefined) keys.push(key)
    else if (byValue.size < VALUE_BANDS_MAX) byValue.set(text, [key])
    else others.push(key)
  }
  const bands = [...byValue].map(([label, keys], place) => ({
    label: label === '' ? '""' : label,
    color: valueColors[place % valueColors.length] ?? NEUTRAL,
    ...(place >= valueColors.length && { dashed: true }),
    keys,
  }))
  return others.length === 0
    ? bands
    : [...bands, { label: 'other values', color: NEUTRAL, keys: others }]
}

function sharesOf(
  elements: readonly Element[],
  attribute: string,
  edgeCounts: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const { key, attributes } of elements) {
    const number =
      attribute === BY_EDGES ? (edgeCounts.get(key) ?? 0) : numberOf(attributes?.[attribute])
    if (number !== undefined) numbers.set(key, number)
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers.values()) {
    least = Math.min(least, number)
    most = Math.max(most, number)
  }
  const span = most - least
  return new Map(
    [...numbers].map(([key, number]) => [key, span === 0 ? 0.5 : (number - least) / span]),
  )
}

/** What a type's elements may be styled by, from what is known of them. */
export interface StyleChoices {
  readonly attributes: readonly string[]
  /** Of those, the ones that are numbers or dates. */
  readonly numeric: readonly string[]
}

export function choicesOf(scene: Scene, type: string): StyleChoices {
  for (const { attributes } of elementsOf(scene, type)) {
    if (attributes === null) continue
    const names = Object.keys(attributes)
    return {
      attributes: names,
      numeric: names.filter((name) => numberOf(attributes[name]) !== undefined),
    }
  }
  return { attributes: [], numeric: [] }
}

export function withStyle(scene: Scene, type: string, change: Partial<TypeStyle>): Scene {
  const styles = new Map(scene.styles)
  const next = { ...(styles.get(type) ?? plainStyle), ...change }
  if (next.label === null && next.color === null && next.size === null) styles.delete(type)
  else styles.set(type, next)
  return { ...scene, styles }
}
