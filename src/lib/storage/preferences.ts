/**
 * What a person sets once for this browser: kept in localStorage, shared by every open tab.
 *
 * Nothing secret lives here. A value that cannot be read (an older version, edited by hand) falls
 * back to its default instead of failing.
 */
import { useSyncExternalStore } from 'react'
import { type NumberFormat, setNumberFormat } from '../format.ts'
import { keep, kept } from './kept.ts'

export interface Preferences {
  readonly colorScheme: 'auto' | 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  readonly timeZone: 'local' | 'utc'
  readonly numberFormat: NumberFormat
  readonly pollSeconds: number
  readonly expandLimit: number
  readonly canvasLimit: number
  /** Many leaves of a type at one vertex are drawn as one node from the start. */
  readonly groupLeaves: boolean
  readonly rowLimit: number
  /** Of the 95th percentile in milliseconds; 0: none. */
  readonly latencyLimitMs: number
  /** Above the limit for so long before anybody is told. */
  readonly latencyGraceSeconds: number
  /** The browser tells of it, too, while the page of the statistics is open somewhere. */
  readonly latencyNotification: boolean
  readonly includeConsoleTraffic: boolean
  readonly reducedMotion: boolean
  readonly lastGraph: string
  /** By page: the sidebar is folded. */
  readonly sidebar: Readonly<Record<string, boolean>>
  /** The request inspector takes the whole width, with an entry's details beside the list. */
  readonly wideInspector: boolean
  /** The explorer's drawer lies over its canvas. */
  readonly wideDrawer: boolean
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
  numberFormat: 'comma',
  pollSeconds: 1,
  expandLimit: 50,
  canvasLimit: 2_000,
  groupLeaves: false,
  rowLimit: 1_000,
  latencyLimitMs: 0,
  latencyGraceSeconds: 10,
  latencyNotification: false,
  includeConsoleTraffic: false,
  reducedMotion: false,
  lastGraph: '',
  sidebar: {},
  wideInspector: false,
  wideDrawer: false,
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
  // The shortest window of the statistics shows a minute.
  latencyGraceSeconds: [1, 50],
} as const satisfies Partial<Record<keyof Preferences, readonly [number, number]>>

export type BoundedPreference = keyof typeof preferenceBounds

const accepts: { readonly [K in keyof Preferences]: (value: unknown) => boolean } = {
  colorScheme: oneOf('auto', 'light', 'dark'),
  density: oneOf('comfortable', 'compact'),
  timeZone: oneOf('local', 'utc'),
  numberFormat: oneOf('comma', 'point', 'space', 'none'),
  pollSeconds: within('pollSeconds'),
  expandLimit: within('expandLimit'),
  canvasLimit: within('canvasLimit'),
  groupLeaves: (value) => typeof value === 'boolean',
  rowLimit: within('rowLimit'),
  latencyLimitMs: within('latencyLimitMs'),
  latencyGraceSeconds: within('latencyGraceSeconds'),
  latencyNotification: (value) => typeof value === 'boolean',
  includeConsoleTraffic: (value) => typeof value === 'boolean',
  reducedMotion: (value) => typeof value === 'boolean',
  lastGraph: (value) => typeof value === 'string',
  sidebar: isRecordOfBooleans,
  wideInspector: (value) => typeof value === 'boolean',
  wideDrawer: (value) => typeof value === 'boolean',
  environment: (value) => typeof value === 'string' && value.length <= ENVIRONMENT_LETTERS_MAX,
  environmentColor: oneOf('neutral', 'success', 'warning', 'danger'),
  writeGuard: oneOf('off', 'confirm', 'read-only'),
}

function isRecordOfBooleans(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((one) => typeof one === 'boolean')
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
export const readPreferences = (value: unknown): Preferences => ({
  ...defaultPreferences,
  ...accepted(value),
})

function accepted(value: unknown): Partial<Preferences> {
  if (typeof value !== 'object' || value === null) return {}
  const known = Object.entries(value).filter(
    ([key, entry]) => Object.hasOwn(accepts, key) && accepts[key as keyof Preferences](entry),
  )
  return Object.fromEntries(known)
}

/** What whoever runs the server has set for every console. */
export interface ServerSettings {
  readonly preset: Partial<Preferences>
  readonly locked: Partial<Preferences>
  readonly reason: string
}

const STORAGE_KEY = 'quiver.preferences'
/** As the server told it last, so that the first paint is right. */
const SERVER_STORAGE_KEY = 'quiver.server-settings'
const listeners = new Set<() => void>()
let own = accepted(kept(STORAGE_KEY))
let server = serverSettings(kept(SERVER_STORAGE_KEY))
let current = effective()

export const preferences = {
  get: (): Preferences => current,
  set(change: Partial<Preferences>): void {
    own = { ...own, ...change }
    keep(STORAGE_KEY, own)
    adopt()
  },
  replace(value: unknown): void {
    own = accepted(value)
    keep(STORAGE_KEY, own)
    adopt()
  },
  /** What the server presets holds until it is set here; what it locks holds. */
  applyServer(settings: unknown): void {
    const next = serverSettings(settings)
    if (JSON.stringify(next) === JSON.stringify(server)) return
    server = next
    keep(SERVER_STORAGE_KEY, server)
    adopt()
  },
  /** Why it cannot be set here; null: it can. */
  lockReason(key: keyof Preferences): string | null {
    return Object.hasOwn(server.locked, key) ? server.reason : null
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function serverSettings(value: unknown): ServerSettings {
  const { preset, locked, reason } = Object(value) as Partial<Record<string, unknown>>
  return { preset: accepted(preset), locked: accepted(locked), reason: String(reason ?? '') }
}

function effective(): Preferences {
  const next = { ...defaultPreferences, ...server.preset, ...own, ...server.locked }
  setNumberFormat(next.numberFormat)
  return next
}

function adopt(): void {
  current = effective()
  for (const listener of listeners) listener()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get, preferences.get)
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== STORAGE_KEY && event.key !== null) return
    own = accepted(kept(STORAGE_KEY))
    adopt()
  })
}
