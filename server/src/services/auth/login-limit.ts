/**
 * Slows down guessing of passwords and secrets. In memory: a restart forgives.
 *
 * - A user at one address: after five failures in a row the pair waits 10 seconds, and twice as
 *   long after every further one. Attempts that run count as failures until they end, so that many
 *   at once are no more guesses than one after the other.
 * - An address: failures of all names together use up a bucket that refills slowly.
 * - A name: failures from all addresses together use up another one, which is larger and slower.
 *
 * Where a user has signed in before, only the first limit holds: neither guesses from elsewhere nor
 * a flood of other names from the same address keep the user out.
 */
import { hash } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { Bucket, BucketMap, type BucketSize } from './buckets.ts'
import { KnownAddresses } from './known-addresses.ts'

const FREE_FAILURES = 5
const FIRST_WAIT_MS = 10_000
const WAIT_MS_MAX = 3_600_000
const MINUTE_MS = 60_000

const perAddress: BucketSize = { size: 30, refillMs: 2_000 }
const perName: BucketSize = { size: 100, refillMs: MINUTE_MS }
/** Wrong secrets; they are long, and clients repeat one that was revoked. */
const secretsPerAddress: BucketSize = { size: 300, refillMs: 1_000 }

/** Names and addresses that fail are chosen by the caller: their number is limited. */
const TRACKED_MAX = 10_000
/** Addresses of one user that are told apart; failures from further ones count together. */
const ADDRESSES_PER_USER_MAX = 64
/** Stands for every address beyond those that are told apart. */
const OTHER_ADDRESSES = '*'

export interface Attempt {
  readonly name: string
  /** As `addressGroup` has it. */
  readonly address: string
  /** Whether there is such a user. Others are tracked apart: they cannot displace users. */
  readonly exists: boolean
}

interface Failures {
  count: number
  nextAttemptMs: number
  running: number
  lastMs: number
}

type FailuresByAddress = Map<string, Failures>

export class LoginLimit {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #users = new Map<string, FailuresByAddress>()
  readonly #others = new Map<string, FailuresByAddress>()
  readonly #addresses: BucketMap
  readonly #names: BucketMap
  readonly #nameBuckets = new Map<string, Bucket>()
  readonly #secrets: BucketMap
  readonly #known: KnownAddresses

  constructor(clock: Pick<Clock, 'nowMs'>, known: KnownAddresses = new KnownAddresses()) {
    this.#clock = clock
    this.#known = known
    this.#addresses = new BucketMap(perAddress, TRACKED_MAX)
    this.#names = new BucketMap(perName, TRACKED_MAX)
    this.#secrets = new BucketMap(secretsPerAddress, TRACKED_MAX)
  }

  /** Whether the user has signed in from there. */
  isKnown({ name, address }: Pick<Attempt, 'name' | 'address'>): boolean {
    return this.#known.has(name, address)
  }

  /**
   * Begins an attempt unless it has to wait; one that has begun ends by `succeed`, `fail` or
   * `abandon`.
   * @returns milliseconds to wait; 0: the attempt has begun
   */
  begin(attempt: Attempt): number {
    const nowMs = this.#clock.nowMs()
    const failures = this.#failuresOf(attempt)
    if (failures !== undefined && failures.nextAttemptMs > nowMs) {
      return failures.nextAttemptMs - nowMs
    }
    const running = failures?.running ?? 0
    if (running > 0 && running + (failures?.count ?? 0) >= FREE_FAILURES) return 1_000
    if (!this.isKnown(attempt)) {
      const address = this.#addresses.bucket(attempt.address)
      const name = this.#nameBucket(attempt)
      const waitMs = Math.max(address.waitMs(nowMs), name.waitMs(nowMs))
      if (waitMs > 0) return waitMs
      address.take(nowMs)
      name.take(nowMs)
    }
    this.#track(attempt).running++
    return 0
  }

  fail(attempt: Attempt): void {
    const failures = this.#track(attempt)
    failures.running = Math.max(0, failures.running - 1)
    failures.count++
    failures.lastMs = this.#clock.nowMs()
    if (failures.count < FREE_FAILURES) return
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (failures.count - FREE_FAILURES), WAIT_MS_MAX)
    failures.nextAttemptMs = failures.lastMs + waitMs
  }

  succeed(attempt: Attempt): void {
    const known = this.isKnown(attempt)
    this.#forget(attempt)
    if (!known) this.#giveBack(attempt)
    this.noteAddress(attempt)
  }

  /** The attempt ended before its password was checked. */
  abandon(attempt: Attempt): void {
    const failures = this.#failuresOf(attempt)
    if (failures !== undefined) failures.running = Math.max(0, failures.running - 1)
    if (!this.isKnown(attempt)) this.#giveBack(attempt)
  }

  /** A secret or a password of the user was right there. */
  noteAddress({ name, address }: Pick<Attempt, 'name' | 'address'>): void {
    this.#known.note(name, address)
  }

  /** @returns milliseconds to wait before a secret is looked up for an owner who is not known there */
  secretWaitMs(address: string): number {
    return this.#secrets.find(address)?.waitMs(this.#clock.nowMs()) ?? 0
  }

  failSecret(address: string): void {
    this.#secrets.bucket(address).take(this.#clock.nowMs())
  }

  /** The most failures in a row at one address. */
  failureCount(user: string): number {
    const counts = [...(this.#users.get(user)?.values() ?? [])].map(({ count }) => count)
    return Math.max(0, ...counts)
  }

  /** @returns milliseconds until the user may try again at every address; 0: now */
  waitMs(user: string): number {
    const times = [...(this.#users.get(user)?.values() ?? [])].map(
      ({ nextAttemptMs }) => nextAttemptMs,
    )
    return Math.max(0, Math.max(0, ...times) - this.#clock.nowMs())
  }

  /** What is known of a user who was dropped. */
  forgetUser(name: string): void {
    this.#users.delete(name)
    this.#nameBuckets.delete(name)
    this.#known.forget(name)
  }

  #failuresOf({ name, address, exists }: Attempt): Failures | undefined {
    const byAddress = exists ? this.#users.get(name) : this.#others.get(shortKey(name))
    if (byAddress === undefined) return undefined
    const isFull = byAddress.size >= ADDRESSES_PER_USER_MAX
    return byAddress.get(address) ?? (isFull ? byAddress.get(OTHER_ADDRESSES) : undefined)
  }

  #track(attempt: Attempt): Failures {
    const { name, address, exists } = attempt
    const failures = this.#failuresOf(attempt)
    if (failures !== undefined) return failures
    const map = exists ? this.#users : this.#others
    const key = exists ? name : shortKey(name)
    const byAddress = map.get(key) ?? new Map<string, Failures>()
    map.set(key, byAddress)
    // Users are as many as there are; other names are whatever a caller makes up.
    if (!exists && map.size > TRACKED_MAX) deleteFirst(map)
    if (byAddress.size >= ADDRESSES_PER_USER_MAX) forgetOld(byAddress, this.#clock.nowMs())
    const made = { count: 0, nextAttemptMs: 0, running: 0, lastMs: 0 }
    byAddress.set(byAddress.size < ADDRESSES_PER_USER_MAX ? address : OTHER_ADDRESSES, made)
    return made
  }

  #forget(attempt: Attempt): void {
    const failures = this.#failuresOf(attempt)
    if (failures === undefined) return
    failures.running = Math.max(0, failures.running - 1)
    failures.count = 0
    failures.nextAttemptMs = 0
    if (failures.running > 0) return
    const byAddress = this.#users.get(attempt.name)
    byAddress?.delete(attempt.address)
    if (byAddress?.size === 0) this.#users.delete(attempt.name)
  }

  #nameBucket({ name, exists }: Attempt): Bucket {
    if (!exists) return this.#names.bucket(shortKey(name))
    const found = this.#nameBuckets.get(name) ?? new Bucket(perName)
    this.#nameBuckets.set(name, found)
    return found
  }

  #giveBack(attempt: Attempt): void {
    const nowMs = this.#clock.nowMs()
    this.#addresses.bucket(attempt.address).giveBack(nowMs)
    this.#nameBucket(attempt).giveBack(nowMs)
  }
}

/** Failures that no longer make anybody wait. */
function forgetOld(byAddress: FailuresByAddress, nowMs: number): void {
  for (const [address, { running, lastMs }] of byAddress) {
    if (running === 0 && nowMs - lastMs > WAIT_MS_MAX) byAddress.delete(address)
  }
}

/** Of a name that nobody has, which may be as long as a header. */
function shortKey(name: string): string {
  return name.length <= 64 ? name : hash('sha256', name, 'base64')
}

function deleteFirst(of: Map<string, unknown>): void {
  const [first] = of.keys()
  if (first !== undefined) of.delete(first)
}

/**
 * An IPv4 address, or the network of an IPv6 one: a host has as many addresses in its network as it
 * likes.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return ''
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(gap).fill('0'), ...last]
  const isLoopback = groups.slice(0, 7).every((group) => Number.parseInt(group, 16) === 0)
  return isLoopback ? address : `${groups.slice(0, 4).join(':')}::/64`
}
