/** What a cluster of servers keeps its store in: the pair of these tests, or a managed one. */
export interface Database {
  /** Of its nodes, always in the same order. */
  readonly ports: readonly number[]
  /** Of the store, over links that end at the nodes. */
  storeUrl(ports: readonly number[]): string
  /** Variables that a server needs to connect. */
  readonly environment?: Readonly<Record<string, string>>
  /** Ends the faults of its own links. */
  heal(): void
  remove(): Promise<void>
}
