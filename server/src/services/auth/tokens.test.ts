import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { Tokens } from './tokens.ts'

let tokens: Tokens
let image: ReturnType<typeof createMemoryImage>
const open = () => Tokens.open(new MemoryStore(image), testClock())
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
