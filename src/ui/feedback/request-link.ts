/** The way from an error to its request in the inspector; the shell, which has that, opens it. */
type Open = (logId: number) => void

let opener: Open | null = null

/** Returns the removal. */
export function onRequestLink(open: Open): () => void {
  opener = open
  return () => {
    opener = null
  }
}

/** False at the door, where there is no inspector yet. */
export const canOpenRequests = (): boolean => opener !== null

/** @param logId number of the request in this tab's log */
export const openRequest: Open = (logId) => opener?.(logId)
