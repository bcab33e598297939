import { beforeEach, describe, expect, it } from 'vitest'
import { emptyCatalog } from '#catalog/types.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import type { Principal } from './access.ts'
import { AuthService } from './auth-service.ts'
import { RoleService } from './role-service.ts'

let auth: AuthService
let roles: RoleService
let boss: Principal
beforeEach(async () => {
  auth = await AuthService.open({
    documents: new LocalDocuments(new MemoryStore(createMemoryImage())),
    clock: testClock(),
    isGraph: () => true,
    passwordCost: 2 ** 4,
  })
  roles = new RoleService({ auth, catalogue: { catalog: emptyCatalog } })
  boss = await auth.logIn('tigergraph', 'tigergraph')
  await auth.users.create('ada', 'one')
  await roles.create(['reader'], null)
})

describe('a role that is granted and dropped at the same time', () => {
  const toAda = { graph: null, roles: ['reader'], users: ['ada'] }
  const granted = () => roles.grant(boss, toAda)
  const dropped = () => roles.drop(boss, ['reader'])

  for (const [order, calls] of [
    ['granted first', [granted, dropped]],
    ['dropped first', [dropped, granted]],
  ] as const) {
    it(`is nobody's afterwards, ${order}`, async () => {
      await Promise.allSettled(calls.map((call) => call()))
      expect(auth.roles.find('reader')).toBeUndefined()
      expect(auth.users.require('ada').roles).toEqual({})
    })
  }
})
