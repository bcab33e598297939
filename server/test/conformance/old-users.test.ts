/**
 * Users as 8f687ca left them: secrets in the documents of their users, blocked tokens in one list.
 * The fixture `users-1` is never made again.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DbError } from '#kernel/errors.ts'
import { AuthService } from '#services/auth/auth-service.ts'
import { type DocumentStore, LocalDocuments } from '#storage/documents.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { testClock } from '../fixtures/server.ts'

const secrets = {
  tigergraph: [{ alias: 'ci', value: '74z9eamsf7umsfjmuo21bnqg4u1q4fsh' }],
  ada: [{ alias: 'AUTO_GENERATED_ALIAS_ioodxcl', value: 'bl3njm7zj9osvab4gtqwaxoku898akob' }],
}
const head = 'eyJhbGciOiJIUzI1NiJ9'
const goodToken = `${head}.eyJraW5kIjoiYXBpIiwicHd2IjoxLCJnZW4iOiIwaTdicnZxZiIsInN1YiI6ImFkYSIsImlzcyI6IlRpZ2VyR3JhcGgiLCJpYXQiOjE3OTU0NTkzNTksImV4cCI6MjExMDgxOTM1OSwianRpIjoiY2FhNTVjMjAtZGZhMy00NzQ5LTg4YjMtNGM1YmEwYTc4NDhjIn0.gfVMKyQiqMc2sdF_Ka_ZZUr4zCL034MgPPWQCAgy7eI`
const blockedToken = `${head}.eyJraW5kIjoiYXBpIiwicHd2IjoxLCJnZW4iOiIwaTdicnZxZiIsInN1YiI6ImFkYSIsImlzcyI6IlRpZ2VyR3JhcGgiLCJpYXQiOjE3OTU0NTkzNTksImV4cCI6MjExMDgxOTM1OSwianRpIjoiN2U0YzEzZDUtZWVmMy00ZTIzLWE0M2YtN2ZjNDkyNTBmMTVmIn0.EniNmrUkpjX9mLg2ZbvwC4RNPeaiBt4EhBsr5bp1jjA`

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-users-'))
  const fixture = fileURLToPath(new URL('../fixtures/users-1', import.meta.url))
  cpSync(fixture, directory, { recursive: true })
})
afterEach(() => rmSync(directory, { recursive: true }))

const clock = testClock(Date.UTC(2026, 10, 24))
const open = (documents: DocumentStore) =>
  AuthService.open({
    documents: new LocalDocuments(documents),
    clock,
    isGraph: () => true,
    passwordCost: 2 ** 4,
  })

async function withStore<T>(work: (documents: DocumentStore) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ directory, clock })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function expectEverything(auth: AuthService): Promise<void> {
  for (const [name, listed] of Object.entries(secrets)) {
    expect(auth.users.secretsOf(auth.users.require(name))).toEqual(listed)
    const authorization = `GSQL-Secret ${listed[0]?.value}`
    const credentials = { authorization, sessionToken: undefined }
    expect(await auth.admit(credentials, { privilege: 'AUTHENTICATED' }, null)).toMatchObject({
      name,
    })
  }
  await auth.checkToken(goodToken)
  await expect(auth.checkToken(blockedToken)).rejects.toThrow('is invalid')
}

const userDocuments = async (documents: DocumentStore) =>
  (await documents.listDocuments('users')).map(({ bytes }) => Buffer.from(bytes).toString()).join()

it('have their secrets and tokens, from then on one document each', async () => {
  await withStore(async (documents) => {
    expect(await userDocuments(documents)).toContain(secrets.ada[0]?.value)
    await expectEverything(await open(documents))
    expect(await userDocuments(documents)).not.toContain(secrets.ada[0]?.value)
    expect(await documents.listDocuments('secrets')).toHaveLength(2)
  })
  await withStore(async (documents) => expectEverything(await open(documents)))
})

it('keep all of it while the store takes no writes, and when it takes some again', async () => {
  await withStore(async (documents) => {
    let isFull = true
    const putDocument: DocumentStore['putDocument'] = async (collection, key, bytes) => {
      if (isFull) throw new DbError('DISK_FULL', 'The disk is full.')
      await documents.putDocument(collection, key, bytes)
    }
    const limited: DocumentStore = {
      putDocument,
      getDocument: (collection, key) => documents.getDocument(collection, key),
      listDocuments: (collection) => documents.listDocuments(collection),
      deleteDocument: (collection, key) => documents.deleteDocument(collection, key),
    }
    const auth = await open(limited)
    await expectEverything(auth)
    await expect(auth.users.setPassword('ada', 'another')).rejects.toThrow('full')
    isFull = false
    await auth.users.setPassword('ada', 'another')
    await expectEverything(await open(documents))
    await auth.users.dropSecrets('tigergraph', ['ci'])
    const after = await open(documents)
    expect(after.users.secretsOf(after.users.require('tigergraph'))).toEqual([])
  })
})
