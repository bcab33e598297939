import type { FastifyInstance } from 'fastify'
import { createTuples, dropTuples, listTuples } from '#contract/tuples.ts'
import { DbError } from '#kernel/errors.ts'
import { definitionsOf, tupleForm } from '#services/gsql/type-forms.ts'
import type { TupleService } from '#services/schema/tuple-service.ts'
import { message } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountTupleRoutes(app: FastifyInstance, tuples: TupleService): void {
  serve(app, listTuples, ({ params }) => tuples.list(params.tuple))
  serve(app, createTuples, async ({ body }) => {
    const wanted = body.gsql === undefined ? body.tuples : tuplesOf(body.gsql)
    if (wanted === undefined || wanted.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The request body must hold tuples.')
    }
    return message(await tuples.create(wanted))
  })
  serve(app, dropTuples, async ({ params, query }) => {
    const names = params.tuple === undefined ? (query.tupleName ?? []) : [params.tuple]
    if (names.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The parameter tupleName is required.')
    }
    return message(await tuples.drop(names))
  })
}

function tuplesOf(text: string) {
  return definitionsOf([text], 'createTuple').map(({ tuple }) => tupleForm(tuple))
}
