import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { copyDataFiles, restoreDataFiles } from './backup.ts'
import { dataFiles } from './directory.ts'
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts'
import {
  appendEach,
  bytesOf,
  testClock as clock,
  flipBit,
  logTexts,
  publishBlob,
  testDirectory,
} from './test-directory.ts'

describe('backup', () => {
  it('restores log, segments and documents', async () => {
    using directory = testDirectory()
    const [data, copy, restored] = names(directory.path)
    const store = await openSqliteStore({ directory: data, clock })
    await appendEach(store, ['a', 'b', 'c'])
    await publishBlob(store, 'blob', 2)
    await store.putDocument('users', 'ada', bytesOf('{}'))
    copyDataFiles(data, copy)
    await store.append(bytesOf('later'))
    await store.close()

    restoreDataFiles(copy, restored)
    const again = await openSqliteStore({ directory: restored, clock })
    expect(await logTexts(again, 2)).toEqual(['c'])
    expect(new TextDecoder().decode((await again.readBlob('blob')).slice())).toBe('blob')
    expect(await again.getDocument('users', 'ada')).toEqual(bytesOf('{}'))
    expect(await again.append(bytesOf('next'))).toBe(4)
    await again.close()
  })

  it('taken under load holds a prefix of the commits, and all acknowledged before it began', async () => {
    using directory = testDirectory()
    const [data, copy, restored] = names(directory.path)
    const store = await openSqliteStore({ directory: data, clock })
    const load = startLoad(store)
    for (let round = 0; round < 3; round++) {
      await load.progress()
      const acknowledged = load.acknowledged()
      await copyOnThread(data, copy)
      restoreDataFiles(copy, restored)
      const again = await openSqliteStore({ directory: restored, clock })
      const folded = (await again.readManifest())?.foldedSequence ?? 0
      const texts = await logTexts(again, folded)
      expect(texts).toEqual(texts.map((_, index) => `entry ${folded + index + 1}`))
      expect(folded + texts.length).toBeGreaterThanOrEqual(acknowledged)
      await again.close()
      rmSync(copy, { recursive: true })
      rmSync(restored, { recursive: true })
    }
    await load.stop()
    await store.close()
  })

  it('continues behind segments that reach further than the copied log', async () => {
    using directory = testDirectory()
    const [data, copy] = names(directory.path)
    const store = await openSqliteStore({ directory: data, clock })
    await appendEach(store, ['a', 'b', 'c'])
    copyDataFiles(data, join(directory.path, 'early'))
    await publishBlob(store, 'blob', 3)
    copyDataFiles(data, copy)
    await store.close()
    // As if the checkpoint had come between the copy of the log and that of the segments.
    const early = dataFiles(join(directory.path, 'early'))
    rmSync(early.segments)
    copyDataFilesOver(dataFiles(copy).segments, early.segments)
    const mixed = join(directory.path, 'mixed')
    copyDataFiles(join(directory.path, 'early'), mixed)
    const again = await openSqliteStore({ directory: mixed, clock })
    expect(await again.append(bytesOf('d'))).toBe(4)
    expect(await logTexts(again, 3)).toEqual(['d'])
    await again.close()
  })

  it('refuses a target with anything in it, and a source that is none', async () => {
    using directory = testDirectory()
    const [data, copy] = names(directory.path)
    const store = await openSqliteStore({ directory: data, clock })
    expect(() => copyDataFiles(data, data)).toThrow(/is not empty/)
    await store.close()
    expect(() => copyDataFiles(copy, data)).toThrow('holds no Quiver data')
    expect(() => restoreDataFiles(directory.path, copy)).toThrow('is not a complete backup')
  })

  it('that is damaged is not restored', async () => {
    using directory = testDirectory()
    const [data, copy, restored] = names(directory.path)
    const store = await openSqliteStore({ directory: data, clock })
    await appendEach(store, ['a', 'b'])
    copyDataFiles(data, copy)
    await store.close()
    flipBit(dataFiles(copy).log, { table: 'groups', where: 'first_sequence = 1', offset: 24 })
    expect(() => restoreDataFiles(copy, restored)).toThrow(/frame 1 is damaged/)
    expect(readdirSync(restored)).not.toContain('log.db')
  })
})

function names(path: string): [string, string, string] {
  return [join(path, 'data'), join(path, 'copy'), join(path, 'restored')]
}

function copyDataFilesOver(from: string, to: string): void {
  process.getBuiltinModule('node:fs').copyFileSync(from, to)
}

/** As the command does it beside a server: commits go on meanwhile. */
async function copyOnThread(directory: string, target: string): Promise<void> {
  const text = `const { workerData } = require('node:worker_threads')
    const { module, directory, target } = workerData
    import(module).then(({ copyDataFiles }) => copyDataFiles(directory, target))`
  const module = new URL('./backup.ts', import.meta.url).href
  const worker = new Worker(text, { eval: true, workerData: { module, directory, target } })
  await once(worker, 'exit')
}

/** Appends without end, and folds now and then. */
function startLoad(store: SqliteStore) {
  let acknowledged = 0
  let isOver = false
  const run = (async () => {
    while (!isOver) {
      const first = store.statistics().lastSequence + 1
      const texts = Array.from({ length: 20 }, (_, index) => `entry ${first + index}`)
      acknowledged = Math.max(
        ...(await Promise.all(texts.map((text) => store.append(bytesOf(text))))),
      )
      if (acknowledged % 100 === 0) await publishBlob(store, `to ${acknowledged}`, acknowledged)
    }
  })()
  return {
    acknowledged: () => acknowledged,
    progress: async () => {
      const from = acknowledged
      while (acknowledged < from + 150) await new Promise((resolve) => setImmediate(resolve))
    },
    stop: async () => {
      isOver = true
      await run
    },
  }
}
