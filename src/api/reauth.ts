/**
 * The way back in. A write that was refused because the session had ended waits for the login that
 * opens over the page, and is then sent again: nothing of it was done.
 */

/** Asks for a login; false where none is needed, so that the refusal means something else. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
const waiting = new Set<() => void>()

export const reauth = {
  /** For as long as a login can be asked for. Returns the removal. */
  offer(handler: Ask): () => void {
    ask = handler
    return () => {
      ask = null
    }
  },
  signedIn(): void {
    for (const goOn of waiting) goOn()
    waiting.clear()
  },
  /**
   * @returns whether the request is worth sending again
   * @throws the reason of the signal, where nobody waits for the request any more
   */
  async wait(signal: AbortSignal | undefined): Promise<boolean> {
    if (ask === null) return false
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Before the question: who is quick has signed in before it is answered.
    waiting.add(resolve)
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    try {
      signal?.throwIfAborted()
      if (!(await ask())) return false
      await promise
      return true
    } finally {
      waiting.delete(resolve)
      signal?.removeEventListener('abort', stop)
    }
  },
}
