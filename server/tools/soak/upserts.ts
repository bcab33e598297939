/** Entries of an upsert, as JSON for the server and as changes of the state that is expected. */
import { type Item, newItem, type OwnerState, pairOf } from './owner-state.ts'

type Scalar = number | boolean | string

export interface ItemChange {
  readonly attribute: keyof Item
  readonly value: Scalar | readonly string[]
  readonly op?: '+' | '>' | '<' | '~' | '|' | '&'
}

export interface ItemEntry {
  readonly id: string
  readonly client: number
  readonly changes: readonly ItemChange[]
}

export type EdgeEntry =
  | {
      readonly kind: 'owns'
      readonly owner: number
      readonly item: string
      readonly weight: number
      readonly isSum: boolean
    }
  | {
      readonly kind: 'knows'
      readonly item: string
      readonly other: string
      readonly strength: number
    }
  | {
      readonly kind: 'visit'
      readonly owner: number
      readonly item: string
      readonly day: number
      readonly times: number
      readonly isSum: boolean
    }

/** Every entry names its owner, so that a vertex never exists without one. */
export function itemsJson(items: readonly ItemEntry[]): Record<string, object> {
  return Object.fromEntries(
    items.map(({ id, client, changes }) => [
      id,
      {
        owner: { value: client },
        ...Object.fromEntries(
          changes.map(({ attribute, value, op }) => [attribute, op ? { value, op } : { value }]),
        ),
      },
    ]),
  )
}

type EdgeTree = Record<
  string,
  Record<string, Record<string, Record<string, Record<string, object>>>>
>

export function edgesJson(edges: readonly EdgeEntry[]): { readonly edges: EdgeTree } {
  const tree: EdgeTree = {}
  for (const edge of edges) {
    switch (edge.kind) {
      case 'owns':
        put(tree, ['Owner', String(edge.owner), 'Owns', edge.item], {
          weight: withSum(edge.weight, edge.isSum),
        })
        break
      case 'knows':
        put(tree, ['Item', edge.item, 'Knows', edge.other], {
          strength: { value: edge.strength, op: '>' },
        })
        break
      case 'visit':
        addParallel(tree, ['Owner', String(edge.owner), 'Visit', edge.item], {
          day: { value: edge.day },
          times: withSum(edge.times, edge.isSum),
        })
    }
  }
  return { edges: tree }
}

type EdgePlace = readonly [fromType: string, fromId: string, edgeType: string, toId: string]

function targets(tree: EdgeTree, [fromType, fromId, edgeType]: EdgePlace): Record<string, object> {
  tree[fromType] ??= {}
  tree[fromType][fromId] ??= {}
  tree[fromType][fromId][edgeType] ??= {}
  tree[fromType][fromId][edgeType]['Item'] ??= {}
  return tree[fromType][fromId][edgeType]['Item']
}

function put(tree: EdgeTree, place: EdgePlace, value: object): void {
  targets(tree, place)[place[3]] = value
}

function addParallel(tree: EdgeTree, place: EdgePlace, value: object): void {
  const of = targets(tree, place)
  of[place[3]] = [...((of[place[3]] as object[] | undefined) ?? []), value]
}

function withSum(value: number, isSum: boolean): object {
  return isSum ? { value, op: '+' } : { value }
}

export function writeItem(state: OwnerState, { id, changes }: ItemEntry): void {
  const before = state.items.get(id)
  const after: Record<string, unknown> = { ...(before ?? newItem) }
  for (const change of changes) {
    after[change.attribute] =
      before === undefined ? change.value : combined(before[change.attribute], change)
  }
  state.items.set(id, { ...(after as unknown as Item), tags: distinct(after['tags'] as string[]) })
}

function combined(old: Item[keyof Item], { value, op }: ItemChange): unknown {
  switch (op) {
    case undefined:
      return value
    case '~':
      return old
    case '+':
      return Array.isArray(old) ? [...old, ...(value as string[])] : Number(old) + Number(value)
    case '>':
      return Math.max(Number(old), Number(value))
    case '<':
      return Math.min(Number(old), Number(value))
    case '|':
      return Boolean(old) || Boolean(value)
    default:
      return Boolean(old) && Boolean(value)
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}

/** In the order of the request. An operation on a new edge takes the value as it is. */
export function writeEdges(state: OwnerState, edges: readonly EdgeEntry[]): void {
  for (const edge of edges) {
    switch (edge.kind) {
      case 'owns':
        addTo(state.owns, edge.item, edge.weight, edge.isSum)
        break
      case 'visit':
        addTo(state.visits, `${edge.item}|${edge.day}`, edge.times, edge.isSum)
        break
      case 'knows': {
        const pair = pairOf(edge.item, edge.other)
        state.knows.set(pair, Math.max(edge.strength, state.knows.get(pair) ?? 0))
      }
    }
  }
}

function addTo(values: Map<string, number>, key: string, value: number, isSum: boolean): void {
  values.set(key, isSum ? value + (values.get(key) ?? 0) : value)
}
