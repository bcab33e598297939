/**
 * What the graph holds of one client. Only this client writes it, one request at a time, so every
 * answer about it can be foretold exactly.
 */
export interface Item {
  readonly n: number
  readonly total: number
  readonly peak: number
  readonly low: number
  readonly first: number
  readonly flag: boolean
  readonly score: number
  readonly note: string
  readonly tags: readonly string[]
}

export const newItem: Item = {
  n: 0,
  total: 0,
  peak: 0,
  low: 0,
  first: 0,
  flag: false,
  score: 0,
  note: '',
  tags: [],
}

export class OwnerState {
  readonly items: Map<string, Item>
  /** Weight by item. */
  readonly owns: Map<string, number>
  /** Strength by both ends, in order: `a|b`. */
  readonly knows: Map<string, number>
  /** Times by item and day: `a|3`. */
  readonly visits: Map<string, number>
  /** Large texts by id. */
  readonly large: Map<string, string>

  constructor(source?: OwnerState) {
    this.items = new Map(source?.items)
    this.owns = new Map(source?.owns)
    this.knows = new Map(source?.knows)
    this.visits = new Map(source?.visits)
    this.large = new Map(source?.large)
  }

  /** A vertex takes its edges with it. */
  deleteItem(id: string): void {
    this.items.delete(id)
    this.owns.delete(id)
    for (const pair of [...this.knows.keys()]) {
      if (pair.split('|').includes(id)) this.knows.delete(pair)
    }
    this.deleteVisits(id)
  }

  deleteVisits(id: string): void {
    for (const visit of [...this.visits.keys()]) {
      if (visit.startsWith(`${id}|`)) this.visits.delete(visit)
    }
  }

  visitsOf(id: string): number {
    return [...this.visits.keys()].filter((visit) => visit.startsWith(`${id}|`)).length
  }

  knownOf(id: string): string[] {
    return [...this.knows.keys()].filter((pair) => pair.split('|').includes(id))
  }

  /** Each element with its whole value as one text, so that two states can be compared. */
  elements(): Map<string, string> {
    const elements = new Map<string, string>()
    for (const [id, item] of this.items) elements.set(`item ${id}`, itemText(item))
    for (const [id, weight] of this.owns) elements.set(`owns ${id}`, String(weight))
    for (const [pair, strength] of this.knows) elements.set(`knows ${pair}`, String(strength))
    for (const [visit, times] of this.visits) elements.set(`visit ${visit}`, String(times))
    for (const [id, text] of this.large) elements.set(`large ${id}`, text)
    return elements
  }
}

export function itemText(item: Item): string {
  const { n, total, peak, low, first, flag, score, note, tags } = item
  return JSON.stringify([n, total, peak, low, first, flag, score, note, tags.toSorted()])
}

export function pairOf(left: string, right: string): string {
  return left < right ? `${left}|${right}` : `${right}|${left}`
}

/** The elements in which two states differ, each as one line. */
export function differences(found: OwnerState, expected: OwnerState): string[] {
  return elementDifferences(found.elements(), [expected.elements()])
}

/**
 * After a request without an answer each element may be as before or as after it; after an atomic
 * request all of them are the one or the other.
 */
export function unsettledDifferences(
  found: OwnerState,
  [before, after]: readonly [OwnerState, OwnerState],
  isAtomic: boolean,
): string[] {
  const elements = found.elements()
  if (!isAtomic) return elementDifferences(elements, [before.elements(), after.elements()])
  const fromBefore = elementDifferences(elements, [before.elements()])
  if (fromBefore.length === 0) return []
  const fromAfter = elementDifferences(elements, [after.elements()])
  return fromAfter.length === 0 ? [] : fromBefore
}

function elementDifferences(
  found: ReadonlyMap<string, string>,
  allowed: readonly ReadonlyMap<string, string>[],
): string[] {
  const keys = new Set([...found.keys(), ...allowed.flatMap((elements) => [...elements.keys()])])
  const lines: string[] = []
  for (const key of keys) {
    const value = found.get(key)
    if (allowed.some((elements) => elements.get(key) === value)) continue
    const expected = allowed.map((elements) => brief(elements.get(key))).join(' or ')
    lines.push(`${key} is ${brief(value)}, expected ${expected}`)
  }
  return lines
}

function brief(value: string | undefined): string {
  if (value === undefined) return 'absent'
  return value.length <= 200 ? value : `${value.slice(0, 160)}… (${value.length} characters)`
}
