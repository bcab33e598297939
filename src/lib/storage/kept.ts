/** What this browser keeps: a full or forbidden storage costs the memory of a thing, never the page. */

export function keptText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `null` forgets it. What cannot be kept lives as long as the page. */
export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // as said
  }
}

/** What was kept as JSON; null: nothing, or nothing that can be read. */
export function kept(key: string): unknown {
  try {
    return JSON.parse(keptText(key) ?? 'null')
  } catch {
    return null
  }
}

export const keep = (key: string, value: unknown): void => keepText(key, JSON.stringify(value))
