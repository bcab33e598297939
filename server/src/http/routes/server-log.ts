import type { FastifyInstance } from 'fastify'
import { readServerLog } from '#contract/server-log.ts'
import type { LogTail } from '#services/system/log-tail.ts'
import { serve } from '../serve.ts'

export function mountServerLog(app: FastifyInstance, tail: LogTail, loggedLevel: string): void {
  serve(app, readServerLog, ({ query }) => ({ loggedLevel, lines: [...tail.read(query)] }))
}
