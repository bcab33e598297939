/**
 * Holds a history against what is promised (docs/decisions/0130):
 *
 * - an acknowledged write is there exactly once, a refused one not at all, an unknown one at most once;
 *   the acknowledged ones of a writer are in its order
 * - all servers hold the same
 * - a read never shows what is gone later
 * - an answer at a position shows every write that was acknowledged at that position or before
 * - a reader who hands on positions never goes back
 * - a read shows every write that was acknowledged before it was sent less the staleness that it tells;
 *   one of the latest state every write that was acknowledged before it was sent
 */
import type { Final, History, Read, Write } from './history.ts'

/** No more of a kind: a broken round would fill the screen. */
const LINES_PER_RULE_MAX = 5

/** @returns what is broken, in words; empty: nothing */
export function check(history: History, finals: readonly Final[]): readonly string[] {
  const first = finals[0]
  if (first === undefined) return ['no server was read at the end']
  return [
    ...history.oddities,
    ...checkEqual(first, finals),
    ...checkLists(history.writes, first),
    ...checkReads(history, first),
  ].filter(firstOfEachRule())
}

function checkEqual(first: Final, finals: readonly Final[]): readonly string[] {
  return finals
    .filter(({ dump }) => dump !== first.dump)
    .map(({ server, dump }) => {
      const [here, there] = [first.dump.split('\n'), dump.split('\n')]
      const line = here.findIndex((text, index) => text !== there[index])
      const at = line === -1 ? here.length : line
      return `equal: ${first.server} and ${server} differ: ${cut(here[at])} and ${cut(there[at])}`
    })
}

function checkLists(writes: readonly Write[], { lists, values }: Final): readonly string[] {
  const broken: string[] = []
  for (const [writer, own] of byWriter(writes)) {
    const list = lists.get(writer) ?? []
    const value = values.get(writer) ?? 0
    if (value !== list.length) broken.push(`once: ${writer} counts ${value} of ${list.length}`)
    const counts = new Map<number, number>()
    for (const number of list) counts.set(number, (counts.get(number) ?? 0) + 1)
    for (const { number, outcome } of own) {
      const count = counts.get(number) ?? 0
      counts.delete(number)
      if (count > 1) broken.push(`once: ${writer} ${number} is there ${count} times`)
      if (outcome === 'acknowledged' && count === 0) broken.push(`lost: ${writer} ${number}`)
      if (outcome === 'refused' && count > 0) broken.push(`refused: ${writer} ${number} is there`)
    }
    for (const number of counts.keys()) broken.push(`sent: ${writer} ${number} was never sent`)
    broken.push(...checkOrder(writer, own, list))
  }
  return broken
}

function checkOrder(
  writer: string,
  own: readonly Write[],
  list: readonly number[],
): readonly string[] {
  const isAcknowledged = new Set(own.filter(acknowledged).map(({ number }) => number))
  const acknowledgedList = list.filter((number) => isAcknowledged.has(number))
  const wrong = acknowledgedList.findIndex((number, index) => number < acknowledgedList[index - 1]!)
  if (wrong === -1) return []
  return [`order: ${writer} ${acknowledgedList[wrong]} after ${acknowledgedList[wrong - 1]}`]
}

function checkReads({ writes, reads }: History, final: Final): readonly string[] {
  const needs = [...byWriter(writes)].map(([writer, own]) => new Needs(writer, own, final))
  const newest = new Map<string, Map<string, number>>()
  return reads.flatMap((read) => [
    ...checkPositions(read),
    ...needs.flatMap((need) => checkNeeds(read, need)),
    ...needs.flatMap((need) => need.checkPrefix(read)),
    ...checkMonotonic(read, newest),
  ])
}

function checkPositions(read: Read): readonly string[] {
  const { after, position } = read
  if (typeof after !== 'number' || position >= after) return []
  return [`position: ${who(read)} waited for ${after} and read at ${position}`]
}

function checkNeeds(read: Read, need: Needs): readonly string[] {
  const value = read.seen.get(need.writer)?.value ?? 0
  const byBound = need.before(read.sentAt - read.stalenessMs)
  const byPosition = need.at(read.position)
  const byLatest = read.after === 'latest' ? need.before(read.sentAt) : 0
  return [
    ...missing(`bound: ${who(read)}, ${read.stalenessMs} ms old,`, need.writer, value, byBound),
    ...missing(`position: ${who(read)} at ${read.position}`, need.writer, value, byPosition),
    ...missing(`latest: ${who(read)}`, need.writer, value, byLatest),
  ]
}

function missing(what: string, writer: string, value: number, needed: number): readonly string[] {
  return value >= needed ? [] : [`${what} saw ${value} of ${needed} writes of ${writer}`]
}

/** Of the readers who hand on positions: whoever reads anywhere may go back. */
function checkMonotonic(read: Read, newest: Map<string, Map<string, number>>): readonly string[] {
  if (read.after === null) return []
  const known = newest.get(read.reader) ?? new Map<string, number>()
  newest.set(read.reader, known)
  const broken: string[] = []
  for (const [writer, { value }] of read.seen) {
    const before = known.get(writer) ?? 0
    if (value < before) broken.push(`back: ${who(read)} saw ${value} of ${writer} after ${before}`)
    known.set(writer, Math.max(before, value))
  }
  return broken
}

/** How much of a writer's list must be seen, by time and by position: applied writes are a prefix of the list. */
class Needs {
  readonly writer: string
  readonly #list: readonly number[]
  readonly #byTime: readonly Step[]
  readonly #byPosition: readonly Step[]

  constructor(writer: string, writes: readonly Write[], { lists }: Final) {
    this.writer = writer
    this.#list = lists.get(writer) ?? []
    const places = new Map<number, number>()
    // One that is there twice is broken already: its first place keeps the rest readable.
    for (const [index, number] of this.#list.entries()) {
      if (!places.has(number)) places.set(number, index + 1)
    }
    const done = writes.filter(acknowledged)
    const length = (write: Write) => places.get(write.number) ?? 0
    this.#byTime = steps(done.map((write) => ({ from: write.endedAt, length: length(write) })))
    this.#byPosition = steps(
      done.flatMap((write) =>
        write.position === null ? [] : [{ from: write.position, length: length(write) }],
      ),
    )
  }

  /** Acknowledged at that time or before. */
  before(time: number): number {
    return lengthAt(this.#byTime, time)
  }

  at(position: number): number {
    return lengthAt(this.#byPosition, position)
  }

  checkPrefix(read: Read): readonly string[] {
    const seen = read.seen.get(this.writer)
    if (seen === undefined) return []
    const there = seen.value === 0 ? null : (this.#list[seen.value - 1] ?? 'nothing')
    if (there === seen.last) return []
    const what = `${seen.value} of ${this.writer} up to ${seen.last}`
    return [`vanished: ${who(read)} saw ${what}, the list has ${there} there`]
  }
}

interface Step {
  readonly from: number
  readonly length: number
}

/** Ascending in both. */
function steps(unordered: readonly Step[]): readonly Step[] {
  let length = 0
  return unordered
    .toSorted((a, b) => a.from - b.from)
    .map((step) => {
      length = Math.max(length, step.length)
      return { from: step.from, length }
    })
}

function lengthAt(ascending: readonly Step[], at: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]!.from <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : ascending[low - 1]!.length
}

function byWriter(writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> {
  return Map.groupBy(writes, ({ writer }) => writer)
}

function acknowledged({ outcome }: Write): boolean {
  return outcome === 'acknowledged'
}

function who({ reader, server }: Read): string {
  return `${reader} on ${server}`
}

/** A filter that lets the first lines of each rule through: the word before the colon. */
function firstOfEachRule(): (line: string) => boolean {
  const counts = new Map<string, number>()
  return (line) => {
    const rule = line.slice(0, line.indexOf(':'))
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    return count <= LINES_PER_RULE_MAX
  }
}

function cut(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.slice(0, 200)
}
