import { MemoryStore } from '#storage/memory/memory-store.ts'
import { describeLogSizes } from './log-sizes.ts'
import { describeStore, type StoreHarness } from './store.ts'

describeStore('memory store', async () => harness(new MemoryStore()))
describeLogSizes('memory store', async () => harness(new MemoryStore()))

function harness(store: MemoryStore): StoreHarness {
  return {
    store,
    reopen: async () => {
      await store.close()
      return harness(new MemoryStore(store.image))
    },
    reopenKilled: async () => harness(new MemoryStore(store.image)),
    remove: () => store.close(),
  }
}
