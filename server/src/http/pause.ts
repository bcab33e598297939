/** Waiting that ends early when its signal is raised. */
export type After = (ms: number, call: () => void) => () => void

export function pause(after: After, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    const stop = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
