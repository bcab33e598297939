import { expect, it } from 'vitest'
import {
  DETACHED_SCRIPTS_RUNNING_MAX,
  DETACHED_SCRIPTS_RUNNING_PER_USER_MAX,
} from '#kernel/limits.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { realClock } from '../../../test/fixtures/engine.ts'
import { DetachedScripts } from './detached-scripts.ts'

async function opened() {
  const scripts = await DetachedScripts.open(new LocalDocuments(new MemoryStore()), realClock)
  let count = 0
  const ends: ((text: string) => void)[] = []
  const start = (name: string) => {
    const run = () => new Promise<string>((resolve) => ends.push(resolve))
    return scripts.start({ id: `script-${count++}`, caller: { name, graph: null } }, run)
  }
  return { start, ends }
}

it('one user has so many scripts under way, and others still begin theirs', async () => {
  const { start, ends } = await opened()
  for (let i = 0; i < DETACHED_SCRIPTS_RUNNING_PER_USER_MAX; i++) await start('ada')
  await expect(start('ada')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await start('bo')
  ends[0]!('done')
  await new Promise((resolve) => setImmediate(resolve))
  await start('ada')
})

it('all users together have so many scripts under way', async () => {
  const { start } = await opened()
  for (let i = 0; i < DETACHED_SCRIPTS_RUNNING_MAX; i++) await start(`user-${i % 16}`)
  await expect(start('late')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
