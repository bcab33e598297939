/**
 * The last addresses that this tab has written for the canvas. A reload begins with the address that the browser
 * knew when it began. Until the new page comes, the old one goes on: it may write another address and
 * store a newer scene.
 */
const ADDRESSES_MAX = 5
let isFirstLook = true

/** Whether this page was reloaded. Only the first call can return true: later addresses come from elsewhere. */
export function takeReload(): boolean {
  const isFirst = isFirstLook
  isFirstLook = false
  const [navigation] = performance.getEntriesByType('navigation')
  return isFirst && (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload'
}

/** @param fragment the newest address */
export function noteAddress(graph: string, fragment: string): void {
  const others = ownAddresses(graph).filter((own) => own !== fragment)
  try {
    const all = [...others, fragment].slice(-ADDRESSES_MAX)
    sessionStorage.setItem(keyOf(graph), JSON.stringify(all))
  } catch {
    // Without it a reload shows what its address names.
  }
}

/** Whether this tab wrote the address, and after it the newest one that this browser has stored. */
export function isSuperseded(graph: string, fragment: string, stored: string | null): boolean {
  const own = ownAddresses(graph)
  return own.includes(fragment) && own.at(-1) === stored
}

function ownAddresses(graph: string): readonly string[] {
  try {
    const own: unknown = JSON.parse(sessionStorage.getItem(keyOf(graph)) ?? '[]')
    return Array.isArray(own) ? own : []
  } catch {
    return []
  }
}

const keyOf = (graph: string) => `quiver.explorer.${graph}.addresses`
