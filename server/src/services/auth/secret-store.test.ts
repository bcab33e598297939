import { beforeEach, describe, expect, it } from 'vitest'
import { SECRETS_PER_USER_MAX, TOKENS_LISTED_PER_USER_MAX } from '#kernel/limits.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { IssuedTokens } from './issued-tokens.ts'
import { secretHash } from './secret-hash.ts'
import { SecretStore } from './secret-store.ts'

const clock = testClock()
const ada = { name: 'ada', generation: 'g1' }
let documents: MemoryStore
const lastUsed = new Map<string, number>()
const open = () =>
  SecretStore.open({
    documents: new LocalDocuments(documents),
    nowMs: () => clock.nowMs(),
    lastUsedMs: (hash) => lastUsed.get(hash) ?? null,
  })

beforeEach(() => {
  documents = new MemoryStore(createMemoryImage())
  lastUsed.clear()
})

const generated = (index: number) => ({
  alias: `AUTO_GENERATED_ALIAS_${index}`,
  value: `value ${index}`,
})

describe('secrets', () => {
  it('are as they were after a restart, in their order', async () => {
    const secrets = await open()
    for (const index of [3, 1, 2]) await secrets.add(ada, generated(index))
    await secrets.drop(ada, ['value 1'])
    const after = await open()
    expect(after.of(ada)).toEqual([generated(3), generated(2)])
    expect(after.ownerOfHash(secretHash('value 3'))).toEqual(ada)
    expect(after.ownerOfHash(secretHash('value 1'))).toBeUndefined()
    await after.add(ada, generated(4))
    expect((await open()).of(ada).at(-1)).toEqual(generated(4))
  })

  it('of a user are not those of who takes the name later', async () => {
    const secrets = await open()
    await secrets.add(ada, generated(1))
    expect(secrets.of({ name: 'ada', generation: 'g2' })).toEqual([])
    await secrets.dropAll('ada')
    expect((await open()).of(ada)).toEqual([])
    expect(await documents.listDocuments('secrets')).toEqual([])
  })

  it('are dropped all or not at all', async () => {
    const secrets = await open()
    await secrets.add(ada, generated(1))
    await expect(secrets.drop(ada, ['value 1', 'value 2'])).rejects.toThrow('does not exist')
    expect(secrets.of(ada)).toEqual([generated(1)])
    await secrets.drop(ada, ['value 1', 'AUTO_GENERATED_ALIAS_1'])
    expect(secrets.of(ada)).toEqual([])
  })

  it('at their limit displace the generated one that was used longest ago', async () => {
    const secrets = await open()
    await secrets.add(ada, { alias: 'mine', value: 'mine' })
    for (let index = 1; index < SECRETS_PER_USER_MAX; index++) {
      await secrets.add(ada, generated(index))
    }
    clock.advance(1_000)
    lastUsed.set(secretHash('value 1'), clock.nowMs())
    await secrets.add(ada, generated(SECRETS_PER_USER_MAX))
    expect(secrets.of(ada)).toHaveLength(SECRETS_PER_USER_MAX)
    const known = (value: string) => secrets.ownerOfHash(secretHash(value)) !== undefined
    expect(['mine', 'value 1', 'value 2', 'value 3'].map(known)).toEqual([true, true, false, true])
  })

  it('at their limit are refused when their user has named them all', async () => {
    const secrets = await open()
    const named = (index: number) => ({ alias: `a${index}`, value: `v${index}` })
    for (let index = 0; index < SECRETS_PER_USER_MAX; index++) await secrets.add(ada, named(index))
    await expect(secrets.add(ada, named(-1))).rejects.toThrow('at most 10000 secrets')
    expect(secrets.of(ada)).toHaveLength(SECRETS_PER_USER_MAX)
  })
})

describe('issued tokens', () => {
  const token = (index: number, isRevoked = false) => ({
    id: String(index),
    user: 'ada',
    generation: '',
    graph: null,
    issuedAtSeconds: 0,
    expiresAtSeconds: 2 ** 40,
    isRevoked,
  })

  it('are listed up to their limit; what is revoked is never forgotten', async () => {
    const tokens = await IssuedTokens.open(new LocalDocuments(documents), clock)
    await tokens.add(token(0, true))
    for (let index = 1; index <= TOKENS_LISTED_PER_USER_MAX; index++) await tokens.add(token(index))
    expect(tokens.of('ada', '')).toHaveLength(TOKENS_LISTED_PER_USER_MAX)
    expect([tokens.isRevoked('0'), tokens.has('1'), tokens.has('2')]).toEqual([true, false, true])
    const after = await IssuedTokens.open(new LocalDocuments(documents), clock)
    expect(after.of('ada', '')).toHaveLength(TOKENS_LISTED_PER_USER_MAX)
  })
})
