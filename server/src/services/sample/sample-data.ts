/**
 * Our own sample graph: accounts, cards, merchants and devices, with payments and transfers as
 * multi-edges by time. Deterministic; skewed as such graphs are: a few merchants take most
 * payments (one is a supernode), and some accounts share devices and send money in rings.
 */
import { createRandom, type Random } from '#kernel/prng.ts'

export const SAMPLE_COUNTS = {
  Account: 8_000,
  Card: 7_000,
  Merchant: 2_000,
  Device: 3_000,
  Has_Card: 7_000,
  Uses: 12_000,
  Pays: 41_000,
  Transfer: 40_000,
} as const

const SEED = 20_261_121
const ENTRIES_PER_PAYLOAD = 4_000
/** 2026-01-01 00:00:00 UTC; every payment and transfer lies within the year before. */
const END_SECONDS = 1_767_225_600
const YEAR_SECONDS = 31_536_000
const RING_SIZE = 8
const RING_COUNT = 25

const countries = ['AT', 'BR', 'CH', 'DE', 'ES', 'FR', 'GB', 'IN', 'JP', 'NG', 'US', 'ZA']
const given = ['Ada', 'Ben', 'Chidi', 'Dana', 'Emil', 'Fatima', 'Goro', 'Hana', 'Ivo', 'Jun']
const family = ['Adler', 'Bauer', 'Costa', 'Diallo', 'Egger', 'Fischer', 'Gupta', 'Haas', 'Ito']
const networks = ['Alpine', 'Borealis', 'Meridian']
const categories = ['books', 'fuel', 'groceries', 'hotels', 'music', 'pharmacy', 'travel']
const cities = ['Berlin', 'Kyoto', 'Lagos', 'Lima', 'Lyon', 'Mumbai', 'Oslo', 'Porto', 'Wien']
const systems = ['android', 'ios', 'linux', 'macos', 'windows']

/** Upsert bodies in loading order, vertices first. */
export function* samplePayloads(): Generator<string> {
  const random = createRandom(SEED)
  yield* vertexPayloads('Account', (i) => accountAttributes(random, i))
  yield* vertexPayloads('Card', () => ({
    network: pick(random, networks),
    expires: datetime(END_SECONDS + random.below(3 * YEAR_SECONDS)),
  }))
  yield* vertexPayloads('Merchant', (i) => ({
    name: `${pick(random, cities)} ${pick(random, categories)} ${i}`,
    category: pick(random, categories),
    city: pick(random, cities),
  }))
  yield* vertexPayloads('Device', () => ({
    system: pick(random, systems),
    first_seen: datetime(END_SECONDS - random.below(3 * YEAR_SECONDS)),
  }))
  yield* edgePayloads('Account', 'Has_Card', 'Card', cardOwners(random))
  yield* edgePayloads('Account', 'Uses', 'Device', deviceUsers(random))
  yield* edgePayloads('Card', 'Pays', 'Merchant', payments(random))
  yield* edgePayloads('Account', 'Transfer', 'Account', transfers(random))
}

interface SampleEdge {
  readonly from: string
  readonly to: string
  readonly attributes: Readonly<Record<string, number | string>>
}

function accountAttributes(random: Random, i: number): Record<string, number | string> {
  return {
    name: `${pick(random, given)} ${pick(random, family)}`,
    country: pick(random, countries),
    opened: datetime(END_SECONDS - random.below(10 * YEAR_SECONDS)),
    balance: Math.round(random.next() ** 3 * 5_000_000) / 100,
    risk: i < RING_SIZE * RING_COUNT ? 60 + random.below(40) : random.below(60),
  }
}

function* cardOwners(random: Random): Generator<SampleEdge> {
  for (let card = 0; card < SAMPLE_COUNTS.Has_Card; card++) {
    const from = id('Account', random.below(SAMPLE_COUNTS.Account))
    yield { from, to: id('Card', card), attributes: {} }
  }
}

/** Every ring shares one device; everyone else uses one or two, each pair once. */
function* deviceUsers(random: Random): Generator<SampleEdge> {
  const seen = new Set<string>()
  for (let i = 0; seen.size < SAMPLE_COUNTS.Uses; i++) {
    const inRing = i < RING_SIZE * RING_COUNT
    const account = i < SAMPLE_COUNTS.Account ? i : random.below(SAMPLE_COUNTS.Account)
    const device = inRing ? Math.floor(i / RING_SIZE) : random.below(SAMPLE_COUNTS.Device)
    const key = `${account}:${device}`
    if (seen.has(key)) continue
    seen.add(key)
    const attributes = { logins: 1 + random.below(400) }
    yield { from: id('Account', account), to: id('Device', device), attributes }
  }
}

/** Merchants by a power law: the first takes about a fifth of all payments. */
function* payments(random: Random): Generator<SampleEdge> {
  for (let i = 0; i < SAMPLE_COUNTS.Pays; i++) {
    const merchant = random.next() < 0.2 ? 0 : skewed(random, SAMPLE_COUNTS.Merchant)
    const amount = Math.round(random.next() ** 2 * 30_000) / 100
    const attributes = { at: moment(i, SAMPLE_COUNTS.Pays), amount }
    const from = id('Card', random.below(SAMPLE_COUNTS.Card))
    yield { from, to: id('Merchant', merchant), attributes }
  }
}

/** A tenth of the transfers goes round the rings, each member to the next. */
function* transfers(random: Random): Generator<SampleEdge> {
  for (let i = 0; i < SAMPLE_COUNTS.Transfer; i++) {
    const ring = random.below(RING_COUNT) * RING_SIZE
    const member = random.below(RING_SIZE)
    const inRing = random.next() < 0.1
    const from = inRing ? ring + member : random.below(SAMPLE_COUNTS.Account)
    const to = inRing ? ring + ((member + 1) % RING_SIZE) : skewed(random, SAMPLE_COUNTS.Account)
    const amount = Math.round((10 + random.next() ** 4 * 20_000) * 100) / 100
    const attributes = { at: moment(i, SAMPLE_COUNTS.Transfer), amount }
    yield { from: id('Account', from), to: id('Account', to), attributes }
  }
}

function* vertexPayloads(
  type: 'Account' | 'Card' | 'Merchant' | 'Device',
  attributesOf: (i: number) => Readonly<Record<string, number | string>>,
): Generator<string> {
  let entries: string[] = []
  for (let i = 0; i < SAMPLE_COUNTS[type]; i++) {
    entries.push(`"${id(type, i)}":${attributeJson(attributesOf(i))}`)
    if (entries.length === ENTRIES_PER_PAYLOAD || i === SAMPLE_COUNTS[type] - 1) {
      yield `{"vertices":{"${type}":{${entries.join(',')}}}}`
      entries = []
    }
  }
}

function* edgePayloads(
  fromType: string,
  type: string,
  toType: string,
  edges: Iterable<SampleEdge>,
): Generator<string> {
  let entries: string[] = []
  for (const edge of edges) {
    const target = `{"${edge.to}":${attributeJson(edge.attributes)}}`
    entries.push(`"${edge.from}":{"${type}":{"${toType}":${target}}}`)
    if (entries.length === ENTRIES_PER_PAYLOAD) {
      yield `{"edges":{"${fromType}":{${entries.join(',')}}}}`
      entries = []
    }
  }
  if (entries.length > 0) yield `{"edges":{"${fromType}":{${entries.join(',')}}}}`
}

function attributeJson(attributes: Readonly<Record<string, number | string>>): string {
  const members = Object.entries(attributes).map(
    ([name, value]) => `"${name}":{"value":${JSON.stringify(value)}}`,
  )
  return `{${members.join(',')}}`
}

/** Strictly ascending over the year, so that no two edges share a discriminator. */
function moment(i: number, count: number): string {
  return datetime(END_SECONDS - YEAR_SECONDS + Math.floor((i * YEAR_SECONDS) / count))
}

function datetime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

function skewed(random: Random, count: number): number {
  return Math.floor(random.next() ** 3 * count)
}

function id(type: string, i: number): string {
  return `${type.toLowerCase()}-${i.toString().padStart(5, '0')}`
}

function pick(random: Random, list: readonly string[]): string {
  return list[random.below(list.length)] as string
}
