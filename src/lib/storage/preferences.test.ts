import { afterEach, expect, it } from 'vitest'
import { consoleSettingValues } from '../../../server/contract/console-settings.ts'
import { defaultPreferences, preferences, readPreferences } from './preferences.ts'

afterEach(() => {
  preferences.applyServer({})
  preferences.replace({})
})

it('what the server presets holds until it is set here, what it locks holds', () => {
  preferences.set({ density: 'compact' })
  preferences.applyServer({
    preset: { timeZone: 'utc', density: 'comfortable' },
    locked: { writeGuard: 'confirm' },
    reason: 'Production.',
  })
  expect(preferences.get()).toMatchObject({
    ...{ timeZone: 'utc', density: 'compact', writeGuard: 'confirm' },
  })
  preferences.set({ timeZone: 'local', writeGuard: 'off' })
  expect(preferences.get()).toMatchObject({ timeZone: 'local', writeGuard: 'confirm' })
  expect(preferences.lockReason('writeGuard')).toBe('Production.')
  expect(preferences.lockReason('timeZone')).toBeNull()
  preferences.applyServer({})
  expect(preferences.get()).toMatchObject({ timeZone: 'local', writeGuard: 'off' })
})

it('a server that says nonsense sets nothing', () => {
  for (const nonsense of [null, 'x', { preset: 7 }, { locked: { writeGuard: 'never', x: 1 } }]) {
    preferences.applyServer(nonsense)
    expect(preferences.get()).toEqual(defaultPreferences)
  }
})

it('the server may preset each setting but what belongs to one browser, within the same bounds', () => {
  const own = ['lastGraph', 'latencyNotification', 'sidebar', 'wideDrawer', 'wideInspector']
  const keys = Object.keys(defaultPreferences).filter((key) => !own.includes(key))
  expect(Object.keys(consoleSettingValues.shape).sort()).toEqual(keys.sort())
  expect(consoleSettingValues.parse(defaultsOf(keys))).toEqual(defaultsOf(keys))
  for (const bad of [{ rowLimit: 49 }, { rowLimit: 10_001 }, { latencyGraceSeconds: 0 }]) {
    expect(consoleSettingValues.safeParse(bad).success).toBe(false)
    expect(readPreferences(bad)).toEqual(defaultPreferences)
  }
})

const defaultsOf = (keys: readonly string[]) =>
  Object.fromEntries(Object.entries(defaultPreferences).filter(([key]) => keys.includes(key)))
