import type { FastifyReply } from 'fastify'
import { expect, test, vi } from 'vitest'
import { Outbox } from './outbox.ts'

const answer = { status: 200, contentType: 'application/json', body: '{}' }

/** Records what is sent; `fails` makes it throw, as a reply does that was sent before. */
function response(name: string, sent: string[], fails = false) {
  const fake = {
    code: () => fake,
    header: () => fake,
    send: () => {
      if (fails) throw new Error('already sent')
      sent.push(name)
    },
    log: { error: vi.fn() },
    request: { id: name },
    raw: { destroy: vi.fn() },
  }
  return fake
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('answers wait until the turn has worked out all, and keep their order', async () => {
  const sent: string[] = []
  const outbox = new Outbox()
  for (const name of ['a', 'b', 'c']) {
    outbox.post(response(name, sent) as unknown as FastifyReply, answer)
  }
  await Promise.resolve()
  expect(sent).toEqual([])
  await nextTurn()
  expect(sent).toEqual(['a', 'b', 'c'])
})

test('an answer that cannot be sent ends its connection and no other', async () => {
  const sent: string[] = []
  const outbox = new Outbox()
  const broken = response('broken', sent, true)
  outbox.post(broken as unknown as FastifyReply, answer)
  outbox.post(response('next', sent) as unknown as FastifyReply, answer)
  await nextTurn()
  expect(sent).toEqual(['next'])
  expect(broken.log.error).toHaveBeenCalledOnce()
  expect(broken.raw.destroy).toHaveBeenCalledOnce()
})
