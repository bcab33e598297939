/** Workload queues, of which there are none. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/workload.ts'
import { DbError } from '#kernel/errors.ts'
import { serve } from '../serve.ts'

export function mountWorkloadRoutes(app: FastifyInstance): void {
  serve(app, contract.listWorkloadQueues, () => [])
  serve(app, contract.readQueueStatus, () => {
    const version = { edition: 'enterprise', api: 'v2', schema: 0 }
    const instance = { version, error: false, message: '', results: { GPE_1_1: [] } }
    const told = { version, error: false, message: 'Completes', code: 'REST-0000' }
    return { ...told, WorkloadQueueStatusByInstances: [instance] }
  })
  serve(app, contract.readWorkloadConfigs, () => ({ isEnabled: false, queues: {} }))
  serve(app, contract.writeWorkloadConfigs, () => {
    throw noQueues()
  })
  serve(app, contract.readWorkloadGrants, ({ query }) => {
    if (query.id !== undefined) throw noQueues()
    return {}
  })
  serve(app, contract.writeWorkloadGrants, () => {
    throw noQueues()
  })
}

function noQueues(): DbError {
  const text = 'This server has no workload queues: runs wait in one line for a free worker.'
  return new DbError('INVALID_PARAMETER', text)
}
