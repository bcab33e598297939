import { describe, expect, it } from 'vitest'
import { BlobsAhead } from './blobs-ahead.ts'

function storeOf(refused = '') {
  const asked: string[] = []
  const readBlob = async (key: string) => {
    asked.push(key)
    if (key === refused) throw new Error(`${key} is gone`)
    return new Uint8Array(new SharedArrayBuffer(Number(key)))
  }
  return { asked, readBlob }
}

const keys = Array.from({ length: 10 }, (_, index) => `${index}`)

describe('blobs that are read ahead', () => {
  it('are asked for in order, some before they are taken, each once', async () => {
    const store = storeOf()
    const blobs = new BlobsAhead(store, keys)
    expect((await blobs.take('0')).length).toBe(0)
    expect(store.asked).toEqual(keys.slice(0, 5))
    for (const key of keys.slice(1)) expect((await blobs.take(key)).length).toBe(Number(key))
    expect(store.asked).toEqual(keys)
  })

  it('may be taken in another order, and others beside them', async () => {
    const store = storeOf()
    const blobs = new BlobsAhead(store, keys)
    expect((await blobs.take('7')).length).toBe(7)
    expect((await blobs.take('11')).length).toBe(11)
    expect((await blobs.take('2')).length).toBe(2)
    expect(store.asked.toSorted()).toEqual([...keys, '11'].toSorted())
  })

  it('fail where they are taken', async () => {
    const blobs = new BlobsAhead(storeOf('2'), keys)
    await blobs.take('0')
    await expect(blobs.take('2')).rejects.toThrow('2 is gone')
    expect((await blobs.take('1')).length).toBe(1)
  })
})
