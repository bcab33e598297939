import { beforeEach, describe, expect, it } from 'vitest'
import { TOKENS_REFUSED_PER_USER_MAX } from '#kernel/limits.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { Tokens } from './tokens.ts'

let tokens: Tokens
let image: ReturnType<typeof createMemoryImage>
const open = () => Tokens.open(new LocalDocuments(new MemoryStore(image)), testClock())
beforeEach(async () => {
  image = createMemoryImage()
  tokens = await open()
})

const make = async () => {
  const claims = {
    user: 'ada',
    graph: null,
    kind: 'api',
    passwordVersion: 1,
    generation: '',
    epoch: 0,
  } as const
  return (await tokens.sign(claims, 1_000)).token
}
const isGood = (token: string) =>
  tokens.verify(token).then(
    () => true,
    () => false,
  )

describe('blocked tokens', () => {
  it('stay blocked when another is blocked at the same time', async () => {
    const [one, other] = [await make(), await make()]
    await Promise.all([tokens.block([one]), tokens.block([other])])
    expect([await isGood(one), await isGood(other)]).toEqual([false, false])
    tokens = await open()
    expect([await isGood(one), await isGood(other)]).toEqual([false, false])
  })

  it('are refused though their signature was being checked when they were blocked', async () => {
    const token = await make()
    await tokens.verify(token)
    await tokens.block([token])
    await tokens.clearBlocked()
    // Nothing is remembered of it now: both look at the signature, the block comes first.
    const blocking = tokens.block([token])
    const late = isGood(token)
    await blocking
    await late
    expect(await isGood(token)).toBe(false)
    expect(tokens.remembered(token)).toBeUndefined()
  })
})

describe('tokens that were revoked one by one', () => {
  it('are so many for each user, and then no other is made until all are revoked', async () => {
    const documents = new MemoryStore(createMemoryImage())
    const clock = testClock()
    const expiresAtSeconds = clock.nowMs() / 1000 + 60
    const blocked = Array.from({ length: TOKENS_REFUSED_PER_USER_MAX }, (_, at) => {
      return { id: `id ${at}`, user: 'eve', epoch: 0, expiresAtSeconds }
    })
    for (const token of blocked.slice(1)) {
      const bytes = Buffer.from(JSON.stringify(token))
      await documents.putDocument('blocked-tokens', token.id, bytes)
    }
    const claims = { graph: null, passwordVersion: 1, generation: '', epoch: 0 }
    const api = { ...claims, user: 'eve', kind: 'api' } as const
    const tokens = await Tokens.open(new LocalDocuments(documents), clock)
    const { token } = await tokens.sign(api, 60)
    await tokens.block([token])
    await expect(tokens.sign(api, 60)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    // Not those of a console's cookie, of others, of a later epoch, nor once they have expired.
    await tokens.sign({ ...api, kind: 'session' }, 60)
    await tokens.sign({ ...api, user: 'ann' }, 60)
    await tokens.sign({ ...api, epoch: 1 }, 60)
    clock.advance(61_000)
    await tokens.sign(api, 60)
  })
})
