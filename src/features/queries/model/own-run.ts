/** Which of the running queries is the one that this page has started. */
interface Run {
  readonly url: string
  readonly elapsedTime: number
  readonly graph?: string | undefined
  readonly user?: string | undefined
}

interface Wanted {
  readonly graph: string
  /** Of the call, without its query string. */
  readonly address: string
  /** Who is signed in. */
  readonly user: string | null | undefined
}

/** Others may run the same query, and everybody's profiles have one address. */
export function newestOwn<R extends Run>(runs: readonly R[], wanted: Wanted): R | undefined {
  const { graph, address, user } = wanted
  return runs
    .filter((run) => run.url.split('?')[0] === address && run.graph === graph && run.user === user)
    .sort((one, other) => one.elapsedTime - other.elapsedTime)[0]
}
