import { beforeEach, describe, expect, it } from 'vitest'
import { HASH_QUEUE_LENGTH_MAX } from '#kernel/limits.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { AuthService } from './auth-service.ts'
import { type PasswordHash, verifyPassword } from './passwords.ts'

let auth: AuthService
beforeEach(async () => {
  auth = await AuthService.open({
    documents: new LocalDocuments(new MemoryStore(createMemoryImage())),
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

describe('a refused login', () => {
  it('takes the same work whether the user exists or not', async () => {
    const checked: PasswordHash[] = []
    auth = await AuthService.open({
      documents: new LocalDocuments(new MemoryStore(createMemoryImage())),
      clock: testClock(),
      isGraph: () => true,
      passwordCost: 2 ** 4,
      verifyPassword: (password, expected) => {
        checked.push(expected)
        return verifyPassword(password, expected)
      },
    })
    await auth.users.create('ada', 'one')
    await expect(auth.logIn('ada', 'two')).rejects.toThrow('wrong user name or password')
    await expect(auth.logIn('nobody', 'two')).rejects.toThrow('wrong user name or password')
    expect(checked).toHaveLength(2)
    expect(checked[1]?.cost).toBe(checked[0]?.cost)
    expect(checked[1]?.salt).toHaveLength(checked[0]?.salt.length ?? 0)
  })
})

describe('guesses', () => {
  it('all at once are no more than one after the other', async () => {
    await auth.users.create('ada', 'one')
    const guesses = Array.from({ length: 40 }, (_, index) => auth.logIn('ada', `guess ${index}`))
    const texts = (await Promise.allSettled(guesses)).map((result) =>
      result.status === 'rejected' ? String(result.reason) : 'let in',
    )
    expect(texts.filter((text) => text.includes('wrong user name or password'))).toHaveLength(5)
    await expect(auth.logIn('ada', 'one')).rejects.toThrow('wait 10 seconds')
  })

  it('leave room for who comes five times at once with the right one', async () => {
    await auth.users.create('ada', 'one')
    const logins = Array.from({ length: 5 }, () => auth.logIn('ada', 'one'))
    expect((await Promise.all(logins)).map(({ name }) => name)).toEqual(Array(5).fill('ada'))
  })
})

describe('a flood of wrong logins', () => {
  it('is answered 429 and lets those in before who have signed in from there', async () => {
    const documents = new LocalDocuments(new MemoryStore(createMemoryImage()))
    const hashed: string[] = []
    let hold: Promise<void> = Promise.resolve()
    const open = () =>
      AuthService.open({
        documents,
        clock: testClock(),
        isGraph: () => true,
        passwordCost: 2 ** 4,
        verifyPassword: async (password, expected) => {
          hashed.push(password)
          await hold
          return await verifyPassword(password, expected)
        },
      })
    const before = await open()
    await before.users.create('ada', 'one')
    await before.logIn('ada', 'one', 'office')
    await before.saveUses()
    // After a restart.
    const after = await open()
    hashed.length = 0
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    const flood = Array.from({ length: 40 }, (_none, index) =>
      after.logIn(`name ${index}`, 'wrong', 'office').catch(({ code }) => code),
    )
    const running = hashed.length
    const login = after.logIn('ada', 'one', 'office')
    release()
    expect((await login).name).toBe('ada')
    const codes = await Promise.all(flood)
    expect(hashed.indexOf('one')).toBe(running)
    const answered = running + HASH_QUEUE_LENGTH_MAX
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(answered)
    expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(40 - answered)
  })
})

describe('a wrong secret', () => {
  const bySecret = (secret: string) =>
    auth.admit({ authorization: `GSQL-Secret ${secret}`, sessionToken: undefined }, demand, null)

  it('is refused without a look once its address has tried too many', async () => {
    const { value } = await auth.users.addSecret('tigergraph', { alias: 'a' })
    for (let count = 0; count < 300; count++) expect(() => bySecret('x')).toThrow('not valid')
    expect(() => bySecret('x')).toThrow('Too many failed logins')
    expect(() => bySecret(value)).toThrow('Too many failed logins')
  })

  it('of others keeps nobody out who has come from there before', async () => {
    const { value } = await auth.users.addSecret('tigergraph', { alias: 'a' })
    expect(await bySecret(value)).toMatchObject({ name: 'tigergraph' })
    for (let count = 0; count < 400; count++) expect(() => bySecret('x')).toThrow()
    expect(await bySecret(value)).toMatchObject({ name: 'tigergraph' })
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
    const first = await AuthService.open({
      documents: new LocalDocuments(new MemoryStore(image)),
      ...options,
    })
    await first.users.setPassword('tigergraph', 'another')
    auth = await AuthService.open({
      documents: new LocalDocuments(new MemoryStore(image)),
      ...options,
    })
    await auth.users.setPassword('tigergraph', 'tigergraph')
    const nothing = { authorization: undefined, sessionToken: undefined }
    expect(() => auth.admit(nothing, demand, null)).toThrow('Access Denied')
    expect((await admit('tigergraph', 'tigergraph'))?.name).toBe('tigergraph')
  })
})
