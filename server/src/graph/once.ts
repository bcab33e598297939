/** The action, at the first call only: releases may come from more than one path. */
export function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
