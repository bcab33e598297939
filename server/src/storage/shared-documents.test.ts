import { beforeEach, describe, expect, it } from 'vitest'
import {
  caughtUp,
  type DocumentsInstance,
  joinDocuments,
} from '../../test/fixtures/shared-documents.ts'
import { SharedImage } from './memory/shared-image.ts'

const bytes = (text: string) => Buffer.from(text)

let image: SharedImage
let writer: DocumentsInstance
let follower: DocumentsInstance
beforeEach(() => {
  image = new SharedImage()
  writer = joinDocuments(image, 'a')
  follower = joinDocuments(image, 'b')
})

async function followBoth(): Promise<void> {
  await writer.follow()
  await follower.follow()
}

/** What is taken, as `key=text`. */
function taken(instance: DocumentsInstance, collection: string) {
  const changes: string[] = []
  const opened = instance.documents.open(collection, (key, content) => {
    changes.push(`${key}=${content === null ? 'none' : Buffer.from(content).toString()}`)
  })
  return { changes, opened }
}

describe('changes of documents', () => {
  it('go to whoever opened their collection elsewhere, in their order', async () => {
    const here = taken(writer, 'users')
    const there = taken(follower, 'users')
    const another = taken(follower, 'users')
    const others = taken(follower, 'roles')
    await followBoth()
    await here.opened.put('ada', bytes('1'))
    await here.opened.put('bo', bytes('2'))
    await here.opened.delete('ada')
    await caughtUp(follower.store, image)
    expect(there.changes).toEqual(['ada=1', 'bo=2', 'ada=none'])
    expect(another.changes).toEqual(there.changes)
    expect([here.changes, others.changes]).toEqual([[], []])
    expect(await there.opened.list()).toEqual([{ key: 'bo', bytes: new Uint8Array(bytes('2')) }])
  })

  it('go by the beginning of a name where the names are not known', async () => {
    const changes: string[] = []
    follower.documents.openAll('user/', ({ collection, key }) =>
      changes.push(`${collection} ${key}`),
    )
    const collection = writer.documents.openAll('user/', () => undefined)
    await followBoth()
    // A name that an instance has, too.
    await collection('user/ada@b/scene').put('one', bytes('1'))
    await caughtUp(follower.store, image)
    expect(changes).toEqual(['user/ada@b/scene one'])
  })

  it('stay with an instance where they are its own, and need no writer', async () => {
    const own = follower.documents.openOwn('statistics')
    const others = writer.documents.openOwn('statistics')
    await followBoth()
    const { end } = image
    await own.put('x', bytes('1'))
    expect(await own.get('x')).toEqual(new Uint8Array(bytes('1')))
    expect(await others.get('x')).toBe(null)
    expect(image.end).toBe(end)
  })

  it('that are refused are taken as they stand', async () => {
    const here = taken(writer, 'users')
    const there = taken(follower, 'users')
    await followBoth()
    await here.opened.put('ada', bytes('1'))
    await caughtUp(follower.store, image)
    await expect(there.opened.delete('ada')).rejects.toMatchObject({ code: 'NOT_WRITER' })
    await expect(there.opened.put('bo', bytes('2'))).rejects.toMatchObject({ code: 'NOT_WRITER' })
    expect(there.changes).toEqual(['ada=1', 'ada=1', 'bo=none'])
  })
})

describe('steps of the writer', () => {
  it('run in their order when an instance becomes it, and may write', async () => {
    const steps: string[] = []
    for (const instance of [writer, follower]) {
      const { name } = instance.store
      const { opened } = taken(instance, 'users')
      await instance.documents.asWriter(async () => {
        await opened.put(name, bytes('1'))
        steps.push(`${name} 1`)
      })
      await instance.documents.asWriter(async () => void steps.push(`${name} 2`))
    }
    await followBoth()
    await writer.documents.stepsDone
    expect(steps).toEqual(['a 1', 'a 2'])
    await follower.store.takeOver()
    await follower.documents.stepsDone
    expect(steps).toEqual(['a 1', 'a 2', 'b 1', 'b 2'])
    // One that comes later runs at once, where it may.
    await follower.documents.asWriter(async () => void steps.push('b 3'))
    await caughtUp(writer.store, image)
    await writer.documents.asWriter(async () => void steps.push('a 3'))
    expect(steps.at(-1)).toBe('b 3')
  })

  it('that fail are told, and the next ones run', async () => {
    let isDone = false
    await writer.documents.asWriter(async () => {
      throw new Error('full')
    })
    await writer.documents.asWriter(async () => {
      isDone = true
    })
    await writer.follow()
    await writer.documents.stepsDone
    expect([writer.failures.map(String), isDone]).toEqual([['Error: full'], true])
  })
})
