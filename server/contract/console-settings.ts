/** What whoever runs the server has set for every console: starting values, and values that stay. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const whole = (min: number, max: number) => z.number().int().min(min).max(max)

/** The settings of the console that make sense for everybody, with what each may be. */
export const consoleSettingValues = z
  .strictObject({
    colorScheme: z.enum(['auto', 'light', 'dark']),
    density: z.enum(['comfortable', 'compact']),
    timeZone: z.enum(['local', 'utc']),
    numberFormat: z.enum(['comma', 'point', 'space', 'none']),
    pollSeconds: whole(1, 60),
    expandLimit: whole(10, 200),
    canvasLimit: whole(200, 5_000),
    groupLeaves: z.boolean(),
    rowLimit: whole(50, 10_000),
    latencyLimitMs: whole(0, 600_000),
    latencyGraceSeconds: whole(1, 50),
    includeConsoleTraffic: z.boolean(),
    reducedMotion: z.boolean(),
    environment: z.string().max(24),
    environmentColor: z.enum(['neutral', 'success', 'warning', 'danger']),
    writeGuard: z.enum(['off', 'confirm', 'read-only']),
  })
  .partial()

export const consoleSettings = z.strictObject({
  /** Hold until somebody sets another value. */
  preset: consoleSettingValues.default({}),
  /** Nobody sets another value in the console. */
  locked: consoleSettingValues.default({}),
  /** Why, in words for whoever meets a locked setting. */
  reason: z.string().max(500).default(''),
})

export const readConsoleSettings = endpoint({
  method: 'GET',
  path: '/quiver/v1/console/settings',
  at: 'any',
  ofInstance: true,
  summary: 'Settings of the console that this server presets or locks',
  response: consoleSettings,
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: [],
})
