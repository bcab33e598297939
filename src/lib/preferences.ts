/**
 * What a person sets once for this browser: kept in localStorage, shared by every open tab.
 *
 * Nothing secret lives here. A value that cannot be read (an older version, edited by hand) falls
 * back to its default instead of failing.
 */
import { useSyncExternalStore } from 'react'
import { z } from 'zod'

export const preferencesSchema = z.object({
  colorScheme: z.enum(['auto', 'light', 'dark']).catch('auto'),
  density: z.enum(['comfortable', 'compact']).catch('comfortable'),
  timeZone: z.enum(['local', 'utc']).catch('local'),
  pollSeconds: z.number().int().min(1).max(60).catch(1),
  expandLimit: z.number().int().min(10).max(200).catch(50),
  canvasLimit: z.number().int().min(200).max(5_000).catch(2_000),
  rowLimit: z.number().int().min(50).max(10_000).catch(1_000),
  includeConsoleTraffic: z.boolean().catch(false),
  reducedMotion: z.boolean().catch(false),
  lastGraph: z.string().catch(''),
})

export type Preferences = z.output<typeof preferencesSchema>

export const defaultPreferences: Preferences = preferencesSchema.parse({})

const STORAGE_KEY = 'quiver.preferences'
const listeners = new Set<() => void>()
let current = read()

export const preferences = {
  get: (): Preferences => current,
  set(change: Partial<Preferences>): void {
    current = { ...current, ...change }
    write()
    notify()
  },
  replace(value: unknown): void {
    current = preferencesSchema.parse(value)
    write()
    notify()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get)
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== STORAGE_KEY && event.key !== null) return
    current = read()
    notify()
  })
}

function read(): Preferences {
  try {
    return preferencesSchema.parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
  } catch {
    return defaultPreferences
  }
}

/** A full or forbidden storage costs the memory of a setting, never the page. */
function write(): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current))
  } catch {
    // the setting holds for this tab
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}
