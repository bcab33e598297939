import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { AuthService } from './auth-service.ts'

let auth: AuthService
beforeEach(async () => {
  auth = await AuthService.open({
    documents: new MemoryStore(createMemoryImage()),
    clock: testClock(),
    isGraph: () => true,
    passwordCost: 2 ** 4,
  })
})

const demand = { privilege: 'AUTHENTICATED' } as const
const admit = async (name: string, password: string) => {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  return await auth.admit({ authorization, sessionToken: undefined }, demand, null)
}

describe('what changes while a password is hashed', () => {
  beforeEach(async () => {
    await auth.users.create('ada', 'one')
    await auth.users.changeRoles('ada', () => ({ 1: ['globaldesigner'] }))
  })

  it('takes roles away for good', async () => {
    const late = auth.logIn('ada', 'one')
    await auth.users.changeRoles('ada', () => ({}))
    expect((await late).rights.allows('WRITE_SCHEMA', null)).toBe(false)
    expect((await admit('ada', 'one'))?.rights.allows('WRITE_SCHEMA', null)).toBe(false)
  })

  it('lets a dropped user in no more', async () => {
    const late = expect(auth.logIn('ada', 'one')).rejects.toThrow('wrong user name or password')
    await auth.users.drop('ada')
    await late
  })
})

describe('a password that was verified', () => {
  it('is not that of who takes the name later', async () => {
    await auth.users.create('ada', 'one')
    expect((await admit('ada', 'one'))?.name).toBe('ada')
    await auth.users.drop('ada')
    await auth.users.create('ada', 'two')
    await expect(admit('ada', 'one')).rejects.toThrow('wrong user name or password')
    expect((await admit('ada', 'two'))?.name).toBe('ada')
  })
})

describe('the initial password', () => {
  it('set back while the server runs opens nothing: it may listen to a network', async () => {
    const image = createMemoryImage()
    const options = { clock: testClock(), isGraph: () => true, passwordCost: 2 ** 4 }
    const first = await AuthService.open({ documents: new MemoryStore(image), ...options })
    await first.users.setPassword('tigergraph', 'another')
    auth = await AuthService.open({ documents: new MemoryStore(image), ...options })
    await auth.users.setPassword('tigergraph', 'tigergraph')
    const nothing = { authorization: undefined, sessionToken: undefined }
    expect(() => auth.admit(nothing, demand, null)).toThrow('Access Denied')
    expect((await admit('tigergraph', 'tigergraph'))?.name).toBe('tigergraph')
  })
})
