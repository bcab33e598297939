/**
 * Workload queues. This server has none: runs wait in one line for a free worker,
 * so that reads tell of no queue and changes are refused.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryString } from './parameters.ts'

const anything = z.record(z.string(), z.unknown())
const refused = {
  response: z.undefined(),
  envelope: 'gsql',
  errors: ['INVALID_PARAMETER'],
} as const

export const listWorkloadQueues = endpoint({
  method: 'GET',
  path: '/restpp/workload-manager/queue',
  at: 'any',
  summary: 'Workload queues of the caller: there are none',
  response: z.array(z.object({ id: z.string(), description: z.string(), isDefault: z.boolean() })),
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readQueueStatus = endpoint({
  method: 'POST',
  path: '/restpp/workload-manager/queuestatus',
  at: 'any',
  summary: 'Load of the workload queues, of which there are none',
  body: anything.optional(),
  response: z.object({
    version: anything,
    error: z.boolean(),
    message: z.string(),
    code: z.string(),
    /** What another endpoint calls results. */
    WorkloadQueueStatusByInstances: z.array(anything),
  }),
  envelope: 'bare',
  privilege: 'READ_WORKLOAD_QUEUE',
  errors: [],
})

export const readWorkloadConfigs = endpoint({
  method: 'GET',
  path: ['/gsql/v1/workload-manager/configs', '/gsqlserver/gsql/workload-manager/configs'],
  at: 'any',
  summary: 'Workload queues: disabled',
  response: z.object({ isEnabled: z.boolean(), queues: anything }),
  envelope: 'bare',
  privilege: 'READ_WORKLOAD_QUEUE',
  errors: [],
})

export const writeWorkloadConfigs = endpoint({
  ...refused,
  method: 'POST',
  path: ['/gsql/v1/workload-manager/configs', '/gsqlserver/gsql/workload-manager/configs'],
  at: 'any',
  summary: 'Refused: this server has no workload queues',
  body: anything,
  privilege: 'WRITE_WORKLOAD_QUEUE',
})

export const readWorkloadGrants = endpoint({
  method: 'GET',
  path: ['/gsql/v1/workload-manager/permission', '/gsqlserver/gsql/workload-manager/permission'],
  at: 'any',
  summary: 'Who may use which workload queue: there are none',
  query: z.object({ id: queryString.optional() }),
  response: anything,
  envelope: 'bare',
  privilege: 'READ_WORKLOAD_QUEUE',
  errors: ['INVALID_PARAMETER'],
})

export const writeWorkloadGrants = endpoint({
  ...refused,
  method: 'POST',
  path: ['/gsql/v1/workload-manager/permission', '/gsqlserver/gsql/workload-manager/permission'],
  at: 'any',
  summary: 'Refused: this server has no workload queues',
  body: anything,
  privilege: 'WRITE_WORKLOAD_QUEUE',
})
