/** The file of `--console-settings`, read once at the start. */
import type { z } from 'zod'
import { consoleSettings } from '#contract/console-settings.ts'
import { DbError } from '#kernel/errors.ts'

export type ConsoleSettings = z.output<typeof consoleSettings>

export const noConsoleSettings: ConsoleSettings = { preset: {}, locked: {}, reason: '' }

/** @throws DbError INVALID_PARAMETER naming the setting that cannot be */
export function parseConsoleSettings(text: string): ConsoleSettings {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new DbError('INVALID_PARAMETER', 'the file of --console-settings is no JSON', { cause })
  }
  const result = consoleSettings.safeParse(json)
  if (result.success) return result.data
  const reasons = result.error.issues.map(({ path, message }) => {
    const place = path.join('.')
    return place === '' ? message : `${place}: ${message}`
  })
  const list = reasons.join('; ')
  throw new DbError('INVALID_PARAMETER', `the file of --console-settings cannot be used: ${list}`)
}
