import { formatAge } from '#lib/format.ts'

interface Read {
  readonly isError: boolean
  /** Epoch milliseconds; 0: never. */
  readonly dataUpdatedAt: number
}

/** Below a figure: what it is about or, where no newer one could be read, how old it is. */
export const ageOr = (text: string, { isError, dataUpdatedAt }: Read, now = Date.now()): string =>
  isError && dataUpdatedAt > 0 ? formatAge(now - dataUpdatedAt) : text
