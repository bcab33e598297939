import { expect, it, vi } from 'vitest'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { CredentialUse } from './credential-use.ts'

const always = () => true

function parts() {
  const image = createMemoryImage()
  let nowMs = 1_000
  const clock = { nowMs: () => nowMs }
  const store = new MemoryStore(image)
  const put = vi.spyOn(store, 'putDocument')
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { put, wait, open: () => CredentialUse.open(new LocalDocuments(store), clock) }
}

it('keeps the last use, and writes it once for many', async () => {
  const { put, wait, open } = parts()
  const uses = await open()
  expect(uses.lastMs('a')).toBeNull()
  uses.note('a')
  wait(5)
  for (let i = 0; i < 100; i++) uses.note('b')
  expect(put).not.toHaveBeenCalled()
  await uses.save(always)
  await uses.save(always)
  expect(put).toHaveBeenCalledTimes(1)
  const again = await open()
  expect([again.lastMs('a'), again.lastMs('b')]).toEqual([1_000, 1_005])
})

it('forgets what is known no more', async () => {
  const { open } = parts()
  const uses = await open()
  uses.note('gone')
  uses.note('here')
  await uses.save((key) => key === 'here')
  expect([uses.lastMs('gone'), uses.lastMs('here')]).toEqual([null, 1_000])
})

it('writes again what a full disk refused', async () => {
  const { put, open } = parts()
  const uses = await open()
  uses.note('a')
  put.mockRejectedValueOnce(new Error('full'))
  await expect(uses.save(always)).rejects.toThrow('full')
  await uses.save(always)
  expect((await open()).lastMs('a')).toBe(1_000)
})
