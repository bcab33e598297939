import { SharedImage } from '#storage/memory/shared-image.ts'
import { SharedMemoryStore } from '#storage/memory/shared-memory-store.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import { describeStore, type StoreHarness } from './store.ts'

describeStore('shared memory store', () => open(new SharedImage()))

async function open(image: SharedImage): Promise<StoreHarness> {
  const store = new SharedMemoryStore(image, { name: 'one' })
  await store.follow(idleFollower)
  return {
    store,
    numbersMore: true,
    reopen: async () => {
      await store.close()
      return open(image)
    },
    reopenKilled: async () => {
      store.kill()
      return open(image)
    },
    remove: () => store.close(),
  }
}
