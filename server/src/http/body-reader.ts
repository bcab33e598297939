/**
 * Reads the body of a request whose caller was admitted: within the limit of its route, the budget
 * of all bodies, and a lowest rate.
 */
import type { Readable } from 'node:stream'
import { DbError } from '#kernel/errors.ts'
import { BODY_PROGRESS_MS, BODY_RATE_BYTES_MIN } from '#kernel/limits.ts'
import type { BodyBudget, BodyOwner } from './body-budget.ts'

export interface BodyOptions {
  readonly budget: BodyBudget
  /** Who pays for it in the budget. */
  readonly owner: BodyOwner
  readonly limitBytes: number
  /** Of the Content-Length header; null: the body comes in chunks. */
  readonly declaredBytes: number | null
  /** How often the rate is checked. */
  readonly progressMs: number
}

/** Of a body without a length, what is reserved at once. */
const RESERVE_STEP_BYTES = 256 * 1024

/**
 * The bytes of one body, and its reservation, which `release` returns to the budget.
 *
 * A body of a declared length is copied into one buffer of that length: pages that no byte has
 * reached take no memory. One without a length is collected in pieces, and reserved twice while
 * the pieces are joined.
 */
export class BodyReader {
  readonly #options: BodyOptions
  readonly #whole: Buffer | null
  readonly #pieces: Buffer[] = []
  #receivedBytes = 0
  #reservedBytes = 0
  #besideBytes = 0
  #isReleased = false

  /** @throws DbError BODY_TOO_LARGE, or UNAVAILABLE when the budget is used up */
  constructor(options: BodyOptions) {
    const { declaredBytes, limitBytes } = options
    this.#options = options
    if (declaredBytes !== null) {
      if (declaredBytes > limitBytes) throw bodyTooLarge(limitBytes)
      this.#reserve(declaredBytes)
    }
    this.#whole = declaredBytes === null ? null : Buffer.allocUnsafe(declaredBytes)
  }

  /**
   * @param failure what an end before the end means; null: the connection was closed
   * @throws DbError BODY_TOO_LARGE, UNAVAILABLE, or INVALID_PARAMETER when it stalls or ends early
   */
  read(payload: Readable, failure: () => DbError | null = () => null): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stopWatch = this.#watchRate(() => finish(tooSlow()))
      const onData = (chunk: Buffer) => {
        try {
          this.#add(chunk)
        } catch (error) {
          finish(error)
        }
      }
      const onEnd = () => finish(null)
      const onGone = () => finish(failure() ?? endedEarly())
      const finish = (error: unknown) => {
        stopWatch()
        payload.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
        // What comes later belongs to nobody: an error of the stream must not end the process.
        payload.on('error', () => undefined)
        try {
          if (error !== null) throw error
          resolve(this.#joined())
        } catch (cause) {
          this.release()
          reject(cause)
        }
      }
      payload.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
    })
  }

  /**
   * Reserves what the body takes beside its bytes while it is worked on.
   * @throws DbError BODY_TOO_LARGE when it can never fit, UNAVAILABLE when the budget is used up
   */
  reserveMore(bytes: number): void {
    const { budget, owner } = this.#options
    if (this.#isReleased) return
    if (this.#reservedBytes + bytes > budget.limitOf(owner)) throw tooManyValues()
    this.#reserve(bytes)
  }

  /** Reserves what is needed while the body is read, until `releaseBeside`. @throws DbError UNAVAILABLE */
  reserveBeside(bytes: number): void {
    this.#reserve(bytes)
    this.#besideBytes += bytes
  }

  releaseBeside(): void {
    if (!this.#isReleased) {
      this.#options.budget.release(this.#options.owner, this.#besideBytes)
      this.#reservedBytes -= this.#besideBytes
    }
    this.#besideBytes = 0
  }

  /** Once the request is answered; a second call does nothing. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#options.budget.release(this.#options.owner, this.#reservedBytes)
  }

  #reserve(bytes: number): void {
    this.#options.budget.reserve(this.#options.owner, bytes, this.#reservedBytes)
    this.#reservedBytes += bytes
  }

  #add(chunk: Buffer): void {
    const total = this.#receivedBytes + chunk.length
    if (this.#whole !== null) {
      if (total > this.#whole.length) throw wrongLength()
      chunk.copy(this.#whole, this.#receivedBytes)
    } else {
      if (total > this.#options.limitBytes) throw bodyTooLarge(this.#options.limitBytes)
      if (total > this.#reservedBytes - this.#besideBytes)
        this.#reserve(Math.max(chunk.length, RESERVE_STEP_BYTES))
      this.#pieces.push(chunk)
    }
    this.#receivedBytes = total
  }

  #joined(): Buffer {
    if (this.#whole !== null) {
      if (this.#receivedBytes !== this.#whole.length) throw wrongLength()
      return this.#whole
    }
    const [only, ...others] = this.#pieces
    if (only !== undefined && others.length === 0) return only
    this.#reserve(this.#receivedBytes)
    const joined = Buffer.concat(this.#pieces, this.#receivedBytes)
    this.#pieces.length = 0
    const neededBytes = this.#receivedBytes + this.#besideBytes
    this.#options.budget.release(this.#options.owner, this.#reservedBytes - neededBytes)
    this.#reservedBytes = neededBytes
    return joined
  }

  /** @returns the function that ends the watch */
  #watchRate(onSlow: () => void): () => void {
    const { progressMs } = this.#options
    const stepBytes = (BODY_RATE_BYTES_MIN * progressMs) / 1000
    let before = 0
    let checkedMs = performance.now()
    const timer = setInterval(() => {
      const nowMs = performance.now()
      // While the event loop was busy, bytes could arrive and not be read.
      const isLate = nowMs - checkedMs > progressMs * 1.5
      checkedMs = nowMs
      if (!isLate && this.#receivedBytes - before < stepBytes) onSlow()
      before = this.#receivedBytes
    }, progressMs)
    timer.unref()
    return () => clearInterval(timer)
  }
}

export const DEFAULT_PROGRESS_MS = BODY_PROGRESS_MS

export function bodyTooLarge(limitBytes: number): DbError {
  const megabytes = limitBytes / 2 ** 20
  const limit = megabytes >= 1 ? `${megabytes}MB` : `${limitBytes / 1024}KB`
  return new DbError('BODY_TOO_LARGE', `The request body exceeds the limit of ${limit}.`)
}

function tooManyValues(): DbError {
  return new DbError('BODY_TOO_LARGE', 'The request body holds more values than there is room for.')
}

function tooSlow(): DbError {
  return new DbError('INVALID_PARAMETER', 'The request body did not arrive in time.', {
    details: { status: 408 },
  })
}

function endedEarly(): DbError {
  return new DbError('INVALID_PARAMETER', 'The connection was closed before the body was whole.')
}

function wrongLength(): DbError {
  const text = 'The size of the request body differs from its Content-Length.'
  return new DbError('INVALID_PARAMETER', text)
}
