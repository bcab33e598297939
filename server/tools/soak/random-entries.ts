/** Random contents of upserts, within the bounded key space of one client. */
import type { Random } from '#kernel/prng.ts'
import type { EdgeEntry, ItemChange, ItemEntry } from './upserts.ts'

/** Where one client writes. */
export interface WriterPlace {
  readonly client: number
  readonly itemCount: number
  readonly itemId: (index: number) => string
}

const NOTE_CHARS_MAX = 2_000
const TAGS = ['red', 'green', 'blue', 'größe', '漢字', 'a b', '']

const changes: readonly ((random: Random) => ItemChange)[] = [
  (random) => ({ attribute: 'n', value: random.below(1_000) }),
  (random) => ({ attribute: 'total', value: random.below(100), op: '+' }),
  (random) => ({ attribute: 'peak', value: random.below(10_000), op: '>' }),
  (random) => ({ attribute: 'low', value: -random.below(10_000), op: '<' }),
  (random) => ({ attribute: 'first', value: random.below(1_000), op: '~' }),
  (random) => ({ attribute: 'flag', value: random.below(2) === 0, op: '|' }),
  (random) => ({ attribute: 'flag', value: random.below(2) === 0, op: '&' }),
  (random) => ({ attribute: 'score', value: (random.below(4_000) - 2_000) / 4, op: '+' }),
  (random) => ({ attribute: 'score', value: random.below(4_000) / 4 }),
  (random) => ({ attribute: 'note', value: randomNote(random) }),
  (random) => ({ attribute: 'tags', value: randomTags(random), op: '+' }),
  (random) => ({ attribute: 'tags', value: randomTags(random) }),
]

export function randomItem(random: Random, place: WriterPlace): ItemEntry {
  const chosen = new Map<string, ItemChange>()
  const count = random.below(5)
  for (let index = 0; index < count; index++) {
    const change = changes[random.below(changes.length)]!(random)
    chosen.set(change.attribute, change)
  }
  return {
    id: place.itemId(random.below(place.itemCount)),
    client: place.client,
    changes: [...chosen.values()],
  }
}

/** Edges between the client and these vertices, and among them. */
export function randomEdges(
  random: Random,
  { client: owner }: WriterPlace,
  ids: readonly string[],
): EdgeEntry[] {
  return ids.flatMap((item): EdgeEntry[] => {
    const other = ids[random.below(ids.length)]!
    const isSum = random.below(2) === 0
    switch (random.below(3)) {
      case 0:
        return [{ kind: 'owns', owner, item, weight: random.below(100), isSum }]
      case 1:
        return [{ kind: 'knows', item, other, strength: random.below(100) }]
      default:
        return [{ kind: 'visit', owner, item, day: random.below(6), times: 1, isSum }]
    }
  })
}

/** Mostly short: lengths from nothing to some thousand characters, evenly by their logarithm. */
function randomNote(random: Random): string {
  const length = Math.floor(NOTE_CHARS_MAX ** random.next()) - 1
  return `${random.below(1e9)} äß漢 `.repeat(Math.ceil(length / 8)).slice(0, length)
}

function randomTags(random: Random): string[] {
  return TAGS.filter(() => random.below(4) === 0)
}
