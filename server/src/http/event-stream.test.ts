import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import {
  EVENT_STREAMS_MAX,
  EVENT_STREAMS_PER_ADDRESS_MAX,
  EVENT_STREAMS_PER_USER_MAX,
} from '#kernel/limits.ts'
import { EventStreams } from './event-stream.ts'

function opener(): { open(user: string, address: string): Readable; close(): void } {
  const streams = new EventStreams(() => () => undefined)
  const rounds = { intervalMs: 1_000, roundCount: 1, round: () => [] }
  const { signal } = new AbortController()
  return {
    open: (user, address) => streams.open({ ...rounds, signal, user, address }),
    close: () => streams.close(),
  }
}

it('users, addresses and the server have so many streams open, and no more', async () => {
  const { open, close } = opener()
  const opened: Readable[] = []
  const users = EVENT_STREAMS_PER_ADDRESS_MAX / EVENT_STREAMS_PER_USER_MAX
  for (let address = 0; address * EVENT_STREAMS_PER_ADDRESS_MAX < EVENT_STREAMS_MAX; address++) {
    for (let user = 0; user < users; user++) {
      const name = `${address} ${user}`
      for (let count = 0; count < EVENT_STREAMS_PER_USER_MAX; count++) {
        opened.push(open(name, `${address}`))
      }
      if (opened.length < EVENT_STREAMS_MAX) expect(() => open(name, 'other')).toThrow('The user')
    }
    if (opened.length < EVENT_STREAMS_MAX) {
      expect(() => open('other', `${address}`)).toThrow('The address of the client has 64')
    }
  }
  expect(opened).toHaveLength(EVENT_STREAMS_MAX)
  expect(() => open('other', 'other')).toThrow(`The server has ${EVENT_STREAMS_MAX} event streams`)
  const [first] = opened
  await new Promise((resolve) => first!.once('close', resolve).destroy())
  opened.push(open('other', 'other'))
  close()
})
