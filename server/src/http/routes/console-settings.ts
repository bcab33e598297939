import type { FastifyInstance } from 'fastify'
import { readConsoleSettings } from '#contract/console-settings.ts'
import type { ConsoleSettings } from '#services/system/console-settings.ts'
import { serve } from '../serve.ts'

export function mountConsoleSettings(app: FastifyInstance, settings: ConsoleSettings): void {
  serve(app, readConsoleSettings, () => settings)
}
