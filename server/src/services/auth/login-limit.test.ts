import { beforeEach, describe, expect, it } from 'vitest'
import { type TestClock, testClock } from '../../../test/fixtures/server.ts'
import { type Attempt, addressGroup, LoginLimit } from './login-limit.ts'

let clock: TestClock
let limit: LoginLimit
beforeEach(() => {
  clock = testClock()
  limit = new LoginLimit(clock)
})

const ada = (address: string): Attempt => ({ name: 'ada', address, exists: true })
const nobody = (name: string, address: string): Attempt => ({ name, address, exists: false })

/** @returns how long the attempt had to wait; 0: it was made, and failed */
function fail(attempt: Attempt): number {
  const waitMs = limit.begin(attempt)
  if (waitMs === 0) limit.fail(attempt)
  return waitMs
}

function signIn(attempt: Attempt): number {
  const waitMs = limit.begin(attempt)
  if (waitMs === 0) limit.succeed(attempt)
  return waitMs
}

describe('failures of a user', () => {
  it('at one address make only that address wait', () => {
    signIn(ada('home'))
    for (let count = 0; count < 5; count++) expect(fail(ada('cafe'))).toBe(0)
    expect(fail(ada('cafe'))).toBe(10_000)
    expect(signIn(ada('home'))).toBe(0)
    clock.advance(10_000)
    expect(fail(ada('cafe'))).toBe(0)
    expect(fail(ada('cafe'))).toBe(20_000)
  })

  it('from more and more addresses use up what the name may fail, but not where it is known', () => {
    signIn(ada('home'))
    const waits = Array.from({ length: 101 }, (_none, index) => fail(ada(`bot ${index % 30}`)))
    expect(waits.slice(0, 100).every((waitMs) => waitMs === 0)).toBe(true)
    expect(waits[100]).toBeGreaterThan(0)
    expect(signIn(ada('hotel'))).toBeGreaterThan(0)
    expect(signIn(ada('home'))).toBe(0)
  })

  it('are not pushed out by 10,000 other names', () => {
    for (let count = 0; count < 5; count++) fail(ada('cafe'))
    for (let index = 0; index < 20_000; index++) fail(nobody(`name ${index}`, `address ${index}`))
    expect(fail(ada('cafe'))).toBe(10_000)
  })

  it('are forgotten an hour after the last one when addresses are many', () => {
    const spread = (index: number) => {
      clock.advance(61_000)
      return fail(ada(`bot ${index}`))
    }
    for (let index = 0; index < 64; index++) expect(spread(index)).toBe(0)
    clock.advance(3_600_000)
    for (let count = 0; count < 5; count++) expect(fail(ada('cafe'))).toBe(0)
    expect(fail(ada('hotel'))).toBe(0)
  })

  it('of addresses beyond 64 count together', () => {
    for (let index = 0; index < 64; index++) fail(ada(`bot ${index}`))
    for (let index = 64; index < 69; index++) expect(fail(ada(`bot ${index}`))).toBe(0)
    expect(fail(ada('bot 69'))).toBe(10_000)
  })
})

describe('failures of an address', () => {
  it('whatever the names make it wait, but for users who are known there', () => {
    signIn(ada('office'))
    for (let index = 0; index < 30; index++) expect(fail(nobody(`n${index}`, 'office'))).toBe(0)
    expect(fail(nobody('one more', 'office'))).toBe(2_000)
    expect(signIn({ name: 'eve', address: 'office', exists: true })).toBe(2_000)
    expect(signIn(ada('office'))).toBe(0)
    clock.advance(2_000)
    expect(signIn({ name: 'eve', address: 'office', exists: true })).toBe(0)
  })

  it('do not count logins that are right', () => {
    for (let index = 0; index < 100; index++) {
      expect(signIn({ name: `user ${index}`, address: 'office', exists: true })).toBe(0)
    }
  })

  it('do not count attempts that were never checked', () => {
    for (let index = 0; index < 100; index++) {
      const attempt = nobody(`n${index}`, 'office')
      expect(limit.begin(attempt)).toBe(0)
      limit.abandon(attempt)
    }
  })
})

describe('wrong secrets', () => {
  it('make their address wait', () => {
    for (let count = 0; count < 300; count++) {
      expect(limit.secretWaitMs('office')).toBe(0)
      limit.failSecret('office')
    }
    expect(limit.secretWaitMs('office')).toBe(1_000)
    expect(limit.secretWaitMs('home')).toBe(0)
  })
})

describe('addressGroup', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['::1', '::1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, ''],
  ])('of %s is %s', (address, group) => expect(addressGroup(address)).toBe(group))
})
