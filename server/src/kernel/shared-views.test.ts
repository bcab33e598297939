import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { packViews, unpackViews } from './shared-views.ts'

const GIB = 2 ** 30

/** Through a port, as messages between threads go. */
async function sent<Message>(message: Message): Promise<Message> {
  const { port1, port2 } = new MessageChannel()
  const arrived = Promise.race([
    once(port2, 'message'),
    once(port2, 'messageerror').then(([error]) => Promise.reject(error)),
  ])
  port1.postMessage(packViews(message))
  const [received] = (await arrived) as [Message]
  port1.close()
  return unpackViews(received)
}

/** Memory that nobody writes to takes none of the machine's. */
function view(sizeBytes: number, byteOffset: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(sizeBytes), byteOffset, 8)
}

describe('views of shared memory', () => {
  it.each([
    [4 * GIB - 8, 4 * GIB - 16],
    [4 * GIB - 1, 4 * GIB - 9],
    [4 * GIB, 4 * GIB - 8],
    [4 * GIB, GIB],
    [4 * GIB + 1, 4 * GIB - 8],
    [4 * GIB + 8, 4 * GIB],
    [5 * GIB, 4.5 * GIB],
  ])('of a buffer of %d bytes reach another thread, at %d', async (sizeBytes, byteOffset) => {
    const bytes = view(sizeBytes, byteOffset)
    bytes.set([1, 2, 3, 4, 5, 6, 7, 8])
    const message = { id: 1, inner: [{ bytes }], text: 'as it was' }
    const received = await sent(message)
    const [first] = received.inner
    expect(Array.from(first!.bytes)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(first!.bytes.byteOffset).toBe(byteOffset)
    expect(received.text).toBe('as it was')
    // The memory is shared, not copied.
    first!.bytes[0] = 9
    expect(bytes[0]).toBe(9)
  })

  it('keep their kind', async () => {
    const buffer = new SharedArrayBuffer(4 * GIB + 64, { maxByteLength: 8 * GIB })
    const views = [
      new Int32Array(buffer, 4 * GIB, 4),
      new Uint32Array(buffer, 4 * GIB, 4),
      new Float32Array(buffer, 4 * GIB, 4),
      new Float64Array(buffer, 4 * GIB, 4),
      new BigInt64Array(buffer, 4 * GIB, 4),
      new BigUint64Array(buffer, 4 * GIB, 4),
    ]
    for (const [index, received] of (await sent(views)).entries()) {
      expect(received.constructor).toBe(views[index]!.constructor)
      expect([received.byteOffset, received.length]).toEqual([4 * GIB, 4])
    }
  })

  it('longer than 32 bits can say keep their length', async () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(4 * GIB + 5))
    expect((await sent({ bytes })).bytes.length).toBe(4 * GIB + 5)
  })

  it('leave a message without large ones as the object that it is', () => {
    const message = { bytes: new Uint8Array(new SharedArrayBuffer(8)), list: [1, { two: 2 }] }
    expect(packViews(message)).toBe(message)
    expect(unpackViews(message)).toBe(message)
  })

  it('are not made of what a user sends', () => {
    const message = { sharedView: 'Uint8Array', buffer: { byteLength: 1 }, byteOffset: 0 }
    expect(unpackViews(message)).toBe(message)
  })
})
