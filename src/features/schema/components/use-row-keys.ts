/** Keys for rows that are known by names which may change: a renamed row stays the same row. */
import { useRef } from 'react'

interface Keyed {
  readonly names: readonly string[]
  readonly keys: readonly number[]
  readonly next: number
}

/**
 * A name that was there keeps its key wherever it moves; a new name in the place of one that went
 * takes that one's key, so that the focus survives a rename and follows a move.
 */
export function rowKeys(before: Keyed, names: readonly string[]): Keyed {
  let { next } = before
  const keys = names.map((name, place) => {
    const old = before.names.indexOf(name)
    if (old >= 0) return before.keys[old] as number
    const gone = before.names[place]
    const isRename = gone !== undefined && !names.includes(gone)
    return isRename ? (before.keys[place] as number) : next++
  })
  return { names, keys, next }
}

export function useRowKeys(names: readonly string[]): readonly number[] {
  const last = useRef<Keyed>({ names: [], keys: [], next: 0 })
  last.current = rowKeys(last.current, names)
  return last.current.keys
}
