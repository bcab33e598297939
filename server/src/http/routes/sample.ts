import type { FastifyInstance } from 'fastify'
import { loadSample } from '#contract/sample.ts'
import type { SampleService } from '#services/sample/sample-service.ts'
import { WRITE_GUARD_HEADER } from '../dependencies.ts'
import { serve } from '../serve.ts'

/** The service calls the public interface with the caller's own credentials, and as guarded. */
export function mountSampleRoutes(app: FastifyInstance, sample: SampleService): void {
  serve(app, loadSample, ({ headers }) => {
    const { host, authorization, cookie, [WRITE_GUARD_HEADER]: guard } = headers
    const wanted = { host, authorization, cookie, [WRITE_GUARD_HEADER]: guard }
    const forwarded = Object.fromEntries(
      Object.entries(wanted).filter(([, value]) => value !== undefined),
    ) as Record<string, string>
    return sample.load(async ({ method, url, body }) => {
      const response = await app.inject({
        method,
        url,
        headers: forwarded,
        ...(body !== undefined && { payload: body }),
      })
      return response.body
    })
  })
}
