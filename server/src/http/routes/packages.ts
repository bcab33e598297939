/** Packages, template queries and functions as clients list them. */
import type { FastifyInstance } from 'fastify'
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import * as contract from '#contract/packages.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { matcherOf } from '#services/describe/glob.ts'
import { sourceOf } from '#services/describe/packages.ts'
import { tokenFunctions } from '#services/loading/token-functions.ts'
import type { RunService } from '#services/queries/run-service.ts'
import type { TemplateQueries } from '#services/queries/template-queries.ts'
import { message, replyJson } from '../reply.ts'
import { callerName, present, serve } from '../serve.ts'
import { callOf, nested } from './query-runs.ts'

export interface PackageParts {
  readonly templates: TemplateQueries
  readonly runs: RunService
  readonly catalogue: { readonly catalog: Catalog }
}

export function mountPackageRoutes(app: FastifyInstance, parts: PackageParts): void {
  const { templates } = parts
  serve(app, contract.listPackages, ({ principal }) => templates.packages(seenBy(principal)))
  serve(app, contract.readPackage, ({ params, principal }) =>
    templates.read(params.package, seenBy(principal)),
  )
  serve(app, contract.createPackage, async ({ params }) => {
    await templates.create(params.package)
    return message(`Successfully created package: [${params.package}].`)
  })
  serve(app, contract.dropPackage, async ({ params }) => {
    await templates.drop(params.package)
    return message(`Successfully dropped package: [${params.package}].`)
  })
  serve(app, contract.createTemplate, async (context) => {
    const name = await templates.put(context.body, callerName(context))
    context.note(name)
    return message(`Successfully created template query: [${name}].`)
  })
  serve(app, contract.dropTemplate, async ({ params }) => {
    await templates.remove(params.query)
    return message(`Successfully dropped template query: [${params.query}].`)
  })
  mountAbsentParts(app)
  mountLibrary(app, parts)
  mountFunctions(app)
}

function mountAbsentParts(app: FastifyInstance): void {
  serve(app, contract.importPackage, ({ params }) => {
    if (/^gds(\.|$)/.test(params.package)) {
      return message(`Successfully imported package: [${params.package}].`)
    }
    const text = `The package ${params.package} is not here, and this server fetches none: create it, then its template queries.`
    throw new DbError('FEATURE_ABSENT', text)
  })
  serve(app, contract.changePackageFunctions, () => {
    const text =
      'This server has no functions written in GSQL: packages hold template queries, which may RETURN a value.'
    throw new DbError('FEATURE_ABSENT', text)
  })
}

function mountLibrary(app: FastifyInstance, { templates, runs, catalogue }: PackageParts): void {
  serve(app, contract.readLibrary, async ({ params, query, principal }) => {
    const name = nameIn(params.function ?? query.functionName)
    const matches = query.isRegularExpression
      ? matcherOf({ kind: 'regex', text: name })
      : (one: string) => one === name
    const found = templates.list(seenBy(principal)).filter((one) => matches(one.name))
    if (found.length > 0) {
      const described: {
        name: string
        query: string
        params: Record<string, Record<string, unknown>>
      }[] = []
      for (const one of found) {
        const { name, text: query } = one
        described.push({ name, query, params: await templates.parametersOf(one) })
      }
      return described
    }
    const details = { status: 400 }
    throw new DbError('QUERY_NOT_FOUND', `There is no template query ${name}.`, { details })
  })
  serve(app, contract.runTemplate, async (context) => {
    const { params, query, body } = context
    if (query.graph === undefined) {
      throw new DbError('INVALID_PARAMETER', 'The parameter graph is required.')
    }
    requireGraph(catalogue.catalog, query.graph)
    const template = templates.onGraph(query.graph, nameIn(params.function ?? query.functionName))
    const call = callOf(context, {}, null)
    const given = await runs.withParameters(template, call, parametersIn(body))
    const answer = await runs.run(template, given)
    context.whenSent(() => answer.release())
    const schema = app.dependencies.schemaVersionOf(query.graph)
    const version = { edition: 'enterprise', api: 'v2', schema }
    const generatedQueryName = template.name.replaceAll('.', '_')
    return replyJson(nested(version, answer), { fields: { generatedQueryName } })
  })
}

function mountFunctions(app: FastifyInstance): void {
  serve(app, contract.readFunctionFiles, ({ params, query }) => {
    const named = params.file ?? query.filename
    const names = named === undefined ? contract.allFunctionFiles : [named]
    return Object.fromEntries(names.map((name) => [name, sourceOf(name)]))
  })
  serve(app, contract.listTokenFunctions, ({ params }) => {
    const listed = tokenFunctions().map(({ name, run }) => ({
      ...{ name, returnType: 'string', code: String(run) },
    }))
    const named = params.function
    if (named === undefined) return listed
    const found = listed.filter(({ name }) => name === named.toLowerCase())
    if (found.length > 0) return found
    throw new DbError('REQUEST_NOT_FOUND', `There is no token function ${named}.`)
  })
}

/** `{"parameters": {…}}`, or the parameters themselves. */
function parametersIn(body: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { parameters } = body
  const isWrapped = typeof parameters === 'object' && parameters !== null
  return (isWrapped ? parameters : body) as Record<string, unknown>
}

function nameIn(name: string | undefined): string {
  if (name !== undefined) return name
  throw new DbError('INVALID_PARAMETER', 'The parameter functionName is required.')
}

/** Graphs whose template queries the caller may read. */
function seenBy(principal: Principal | null): (graph: string) => boolean {
  const { graph: limit, rights } = present(principal)
  return (graph) => (limit === null || limit === graph) && rights.allows('READ_QUERY', graph)
}
