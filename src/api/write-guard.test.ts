import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { preferences } from '#lib/storage/preferences.ts'
import type { HttpRequest } from './http-request.ts'
import { CONFIRMED_FOR_MS, guardedSend, writeQuestions } from './write-guard.ts'

const write: HttpRequest = { method: 'POST', url: '/x', body: '{}', headers: { accept: 'a' } }
const refused = { ok: false, status: 403, text: '{"code":"WRITE_GUARDED"}' }
const done = { ok: true, status: 200, text: '{}' }

/** A server that refuses what asks to be. */
const server = () => {
  const seen: boolean[] = []
  const send = async ({ headers }: HttpRequest) => {
    const isGuarded = headers['x-write-guard'] === 'read-only'
    seen.push(isGuarded)
    return isGuarded ? refused : done
  }
  return { seen, send }
}

const answerNext = async (isAllowed: boolean) => {
  await expect.poll(() => writeQuestions.current()).not.toBeNull()
  writeQuestions.current()?.answer(isAllowed)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  preferences.set({ writeGuard: 'off' })
  vi.useRealTimers()
})

describe('the write guard', () => {
  it('asks nothing of anybody when it is off', async () => {
    const { seen, send } = server()
    expect(await guardedSend(write, false, send)).toBe(done)
    expect(seen).toEqual([false])
  })

  it('lets the server refuse on read-only', async () => {
    preferences.set({ writeGuard: 'read-only' })
    const { seen, send } = server()
    expect(await guardedSend(write, false, send)).toBe(refused)
    expect(seen).toEqual([true])
    expect(writeQuestions.current()).toBeNull()
  })

  it('asks once for all that wait, and not again for a minute', async () => {
    preferences.set({ writeGuard: 'confirm' })
    const { seen, send } = server()
    const both = Promise.all([guardedSend(write, false, send), guardedSend(write, false, send)])
    await answerNext(true)
    expect(await both).toEqual([done, done])
    expect(await guardedSend(write, false, send)).toBe(done)
    expect(seen).toEqual([true, true, false, false, false])
    vi.setSystemTime(Date.now() + CONFIRMED_FOR_MS)
    const later = guardedSend(write, false, send)
    await answerNext(false)
    expect(await later).toBe(refused)
  })

  it('forgets a yes with the next choice of guard', async () => {
    preferences.set({ writeGuard: 'confirm' })
    const { send } = server()
    const first = guardedSend(write, false, send)
    await answerNext(true)
    expect(await first).toBe(done)
    preferences.set({ writeGuard: 'read-only' })
    expect(await guardedSend(write, false, send)).toBe(refused)
    preferences.set({ writeGuard: 'confirm' })
    const again = guardedSend(write, false, send)
    await answerNext(false)
    expect(await again).toBe(refused)
  })

  it('asks before a script, which does not say that it was refused', async () => {
    preferences.set({ writeGuard: 'confirm' })
    const { seen, send } = server()
    const script = guardedSend(write, true, send)
    await answerNext(false)
    expect(await script).toBe(refused)
    expect(seen).toEqual([true])
  })
})
