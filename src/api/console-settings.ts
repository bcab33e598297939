/** Settings that the server presets or locks; where it cannot be asked, those of the last time hold. */
import { readConsoleSettings } from '#contract/console-settings.ts'
import { preferences } from '#lib/storage/preferences.ts'
import { call } from './client.ts'

export async function readServerSettings(): Promise<void> {
  const settings = await call(readConsoleSettings).catch(() => null)
  if (settings !== null) preferences.applyServer(settings)
}
