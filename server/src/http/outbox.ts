import type { FastifyReply } from 'fastify'
import type { WireAnswer } from './envelope.ts'
import { isLarge, isPieces, sendInSlices } from './large-answer.ts'

/**
 * Sends the answers of one turn of the event loop one after the other, once every request that the
 * turn has brought is worked out. Measured with 32 clients (`server/bench/http.ts`): a read takes a
 * fifth less processor time than with each answer sent at once, for the code of either half stays
 * in the caches and a waiting client is woken less often.
 */
export class Outbox {
  #responses: FastifyReply[] = []
  #answers: WireAnswer[] = []

  /** Sent in this turn, after what else it has brought. */
  post(response: FastifyReply, answer: WireAnswer): void {
    if (this.#responses.length === 0) setImmediate(() => this.#sendAll())
    this.#responses.push(response)
    this.#answers.push(answer)
  }

  #sendAll(): void {
    const responses = this.#responses
    const answers = this.#answers
    this.#responses = []
    this.#answers = []
    for (const [index, response] of responses.entries()) {
      const answer = answers[index] as WireAnswer
      try {
        send(response, answer)
      } catch (error) {
        // One that cannot be sent must not keep the others waiting.
        response.log.error({ err: error, requestId: response.request.id }, 'answer not sent')
        response.raw.destroy()
      }
    }
  }
}

function send(response: FastifyReply, answer: WireAnswer): void {
  if (answer.headers !== undefined) response.headers(answer.headers)
  const { status, contentType, body } = answer
  if (isLarge(body)) {
    sendInSlices(response, { status, contentType, body })
    return
  }
  const whole = isPieces(body) ? Buffer.concat(body) : body
  void response.code(status).header('content-type', contentType).send(whole)
}
