/**
 * What a person sets once for this browser: kept in localStorage, shared by every open tab.
 *
 * Nothing secret lives here. A value that cannot be read (an older version, edited by hand) falls
 * back to its default instead of failing.
 */
import { useSyncExternalStore } from 'react'

export interface Preferences {
  readonly colorScheme: 'auto' | 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  readonly timeZone: 'local' | 'utc'
  readonly pollSeconds: number
  readonly expandLimit: number
  readonly canvasLimit: number
  readonly rowLimit: number
  /** Of the 95th percentile in milliseconds; 0: none. */
  readonly latencyLimitMs: number
  readonly includeConsoleTraffic: boolean
  readonly reducedMotion: boolean
  readonly lastGraph: string
  /** What this server is to whoever looks at it: `production`; empty: nothing special. */
  readonly environment: string
  readonly environmentColor: 'neutral' | 'success' | 'warning' | 'danger'
  /** What happens to requests that would change something. */
  readonly writeGuard: 'off' | 'confirm' | 'read-only'
}

export const ENVIRONMENT_LETTERS_MAX = 24

export const defaultPreferences: Preferences = {
  colorScheme: 'auto',
  density: 'comfortable',
  timeZone: 'local',
  pollSeconds: 1,
  expandLimit: 50,
  canvasLimit: 2_000,
  rowLimit: 1_000,
  latencyLimitMs: 0,
  includeConsoleTraffic: false,
  reducedMotion: false,
  lastGraph: '',
  environment: '',
  environmentColor: 'neutral',
  writeGuard: 'off',
}

/** What a setting may be, ends included. */
export const preferenceBounds = {
  pollSeconds: [1, 60],
  expandLimit: [10, 200],
  canvasLimit: [200, 5_000],
  rowLimit: [50, 10_000],
  latencyLimitMs: [0, 600_000],
} as const satisfies Partial<Record<keyof Preferences, readonly [number, number]>>

export type BoundedPreference = keyof typeof preferenceBounds

const accepts: { readonly [K in keyof Preferences]: (value: unknown) => boolean } = {
  colorScheme: oneOf('auto', 'light', 'dark'),
  density: oneOf('comfortable', 'compact'),
  timeZone: oneOf('local', 'utc'),
  pollSeconds: within('pollSeconds'),
  expandLimit: within('expandLimit'),
  canvasLimit: within('canvasLimit'),
  rowLimit: within('rowLimit'),
  latencyLimitMs: within('latencyLimitMs'),
  includeConsoleTraffic: (value) => typeof value === 'boolean',
  reducedMotion: (value) => typeof value === 'boolean',
  lastGraph: (value) => typeof value === 'string',
  environment: (value) => typeof value === 'string' && value.length <= ENVIRONMENT_LETTERS_MAX,
  environmentColor: oneOf('neutral', 'success', 'warning', 'danger'),
  writeGuard: oneOf('off', 'confirm', 'read-only'),
}

function oneOf(...values: readonly string[]) {
  return (value: unknown): boolean => values.some((known) => known === value)
}

function within(key: BoundedPreference) {
  return (value: unknown): boolean => {
    const [min, max] = preferenceBounds[key]
    return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  }
}

/** Every preference: as given where it may be so, else its default. */
export function readPreferences(value: unknown): Preferences {
  if (typeof value !== 'object' || value === null) return defaultPreferences
  const known = Object.entries(value).filter(
    ([key, entry]) => Object.hasOwn(accepts, key) && accepts[key as keyof Preferences](entry),
  )
  return { ...defaultPreferences, ...Object.fromEntries(known) }
}

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
    current = readPreferences(value)
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
    return readPreferences(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
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
