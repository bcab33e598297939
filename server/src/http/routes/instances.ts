import type { FastifyInstance } from 'fastify'
import { handOver, readInstances } from '#contract/instances.ts'
import type { Instances } from '#services/instances/instances.ts'
import { message } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountInstances(app: FastifyInstance, instances: Instances): void {
  serve(app, readInstances, () => instances.report())
  serve(app, handOver, async () => message(await instances.handOver()))
}
