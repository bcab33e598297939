import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AUDIT_READ_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { openAuditFile } from './audit-file.ts'
import { AuditLog, REFUSALS_PER_MINUTE_MAX } from './audit-log.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-audit-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const clock = { nowMs: () => 1_000, monotonicMs: () => 0 }
const open = (sizeBytesMax = 10_000, fileCount = 5) => {
  const onError = (error: unknown) => {
    throw error
  }
  return new AuditLog(clock, openAuditFile({ directory, onError, sizeBytesMax, fileCount }))
}
const event = (user: string) =>
  ({ user, action: 'CREATE USER', graph: null, outcome: 'done', requestId: '1' }) as const
const all = { limit: 1_000, before: null, user: null }

it('goes on where it ended, also behind a line that a crash cut off', () => {
  open().record(event('ada'))
  appendFileSync(join(directory, 'audit.log'), '{"number":2,"us')
  const log = open()
  log.record(event('bob'))
  expect(log.read(all).map(({ number, user }) => [number, user])).toEqual([
    [2, 'bob'],
    [1, 'ada'],
  ])
  expect(open().read(all)).toHaveLength(2)
})

it('says which file it is that cannot be opened', () => {
  mkdirSync(join(directory, 'audit.log'))
  expect(() => open()).toThrow(join(directory, 'audit.log'))
})

it('keeps files of limited size, and of those the newest', () => {
  const log = open(1_000)
  for (let count = 0; count < 200; count++) log.record(event(`user${count}`))
  const files = readdirSync(directory).sort()
  expect(files).toEqual(['audit.log', ...[1, 2, 3, 4].map((number) => `audit.log.${number}`)])
  for (const file of files) expect(statSync(join(directory, file)).size).toBeLessThanOrEqual(1_000)
  expect(open(1_000).read({ ...all, limit: 1 })[0]).toMatchObject({ number: 200, user: 'user199' })
})

it('keeps what was done through a flood of refusals, and says that some are left out', () => {
  let nowMs = 0
  const log = new AuditLog({ nowMs: () => nowMs, monotonicMs: () => 0 }, null)
  log.record(event('ada'))
  const refuse = (user: string | null) => {
    for (let count = 0; count < 1_000; count++) {
      log.record({ ...event(''), user, outcome: 'denied' })
    }
  }
  refuse(null)
  refuse('bob')
  const told = log.read(all)
  expect(told).toHaveLength(1 + 2 * REFUSALS_PER_MINUTE_MAX)
  expect(told[0]).toMatchObject({ user: 'bob', target: expect.stringContaining('left out') })
  expect(told.at(-1)).toMatchObject({ user: 'ada', outcome: 'done' })
  nowMs = 60_000
  refuse(null)
  expect(log.read(all)).toHaveLength(1 + 3 * REFUSALS_PER_MINUTE_MAX)
})

it('gives entries back as they were recorded, what is unknown absent', () => {
  const log = new AuditLog(clock, null)
  const events = [
    { ...event('ada'), target: 'bob', address: '127.0.0.1' },
    { ...event('bob'), user: null },
  ]
  for (const one of events) log.record(one)
  const wanted = events.map((one, index) => ({ number: index + 1, timeMs: clock.nowMs(), ...one }))
  expect(log.read(all)).toStrictEqual(wanted.reverse())
})

it('answers by user and from a number on', () => {
  const log = new AuditLog(clock, null)
  for (const user of ['ada', 'bob', 'ada', 'bob', 'ada']) log.record(event(user))
  const numbers = (wanted: Partial<Parameters<AuditLog['read']>[0]>) =>
    log.read({ ...all, ...wanted }).map(({ number }) => number)
  expect(numbers({ user: 'ada' })).toEqual([5, 3, 1])
  expect(numbers({ before: 4, limit: 2 })).toEqual([3, 2])
})

it.each([1, 2, 7])('keeps as many files as it is told: %i', (fileCount) => {
  const fill = (log: AuditLog) => {
    for (let count = 0; count < 60; count++) log.record(event('ada'))
  }
  fill(open(400, 9))
  expect(readdirSync(directory)).toHaveLength(9)
  fill(open(400, fileCount))
  const files = readdirSync(directory).sort()
  const older = Array.from({ length: fileCount - 1 }, (_none, index) => `audit.log.${index + 1}`)
  expect(files).toEqual(['audit.log', ...older])
})

it('reads the end of a file that is larger than what it reads', () => {
  const path = join(directory, 'audit.log')
  const line = `${JSON.stringify({ ...event('old'), number: 1, timeMs: 1, target: 'x'.repeat(400) })}\n`
  const count = Math.ceil(AUDIT_READ_SIZE_BYTES_MAX / line.length) + 10
  writeFileSync(path, line.repeat(count))
  const log = open(2 * AUDIT_READ_SIZE_BYTES_MAX)
  log.record(event('new'))
  expect(log.read({ ...all, limit: 2 }).map(({ user }) => user)).toEqual(['new', 'old'])
  expect(statSync(path).size).toBeGreaterThan(line.length * count)
})
