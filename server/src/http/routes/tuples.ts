import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/tuples.ts'
import { DbError } from '#kernel/errors.ts'
import { definitionsOf, tupleForm } from '#services/describe/type-forms.ts'
import type { TupleService } from '#services/schema/tuple-service.ts'
import { message } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountTupleRoutes(app: FastifyInstance, tuples: TupleService): void {
  serve(app, contract.listTuples, ({ params }) => tuples.list(params.tuple))
  serve(app, contract.createTuples, async ({ body }) => {
    const wanted = body.gsql === undefined ? body.tuples : tuplesOf(body.gsql)
    if (wanted === undefined || wanted.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The request body must hold tuples.')
    }
    return message(await tuples.create(wanted))
  })
  serve(app, contract.dropTuples, async ({ params, query }) => {
    const names = params.tuple === undefined ? (query.tupleName ?? []) : [params.tuple]
    if (names.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The parameter tupleName is required.')
    }
    return message(await tuples.drop(names))
  })
  mountAccums(app, tuples)
}

function mountAccums(app: FastifyInstance, tuples: TupleService): void {
  serve(app, contract.listAccums, ({ params, query }) =>
    tuples
      .listAccums(params.accum ?? query.accumName)
      .map(({ name, text }) => ({ [name]: `${text}\n` })),
  )
  serve(app, contract.createAccum, async ({ body, note }) => {
    note(await tuples.createAccum(body.AccumString))
    return message('Successfully create accumulator.')
  })
  serve(app, contract.dropAccums, async ({ params, query }) => {
    const names = params.accum === undefined ? (query.accumName ?? []) : [params.accum]
    if (names.length > 0) return message(await tuples.dropAccums(names))
    throw new DbError('INVALID_PARAMETER', 'The parameter accumName is required.')
  })
}

function tuplesOf(text: string) {
  return definitionsOf([text], 'createTuple').map(({ tuple }) => tupleForm(tuple))
}
