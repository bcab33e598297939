import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/schema.ts'
import { DbError } from '#kernel/errors.ts'
import { mayReadData, maySeeGraph, schemaWriter } from '#services/auth/authorise.ts'
import { definitionsOf, edgeForm, graphTypes, vertexForm } from '#services/describe/type-forms.ts'
import type { ImpactService } from '#services/schema/impact-service.ts'
import { discreetly } from '#services/schema/placed-loss.ts'
import type { SchemaService } from '#services/schema/schema-service.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountSchemaRoutes(app: FastifyInstance, schema: SchemaService): void {
  mountVertexTypes(app, schema)
  mountEdgeTypes(app, schema)
  mountGraphs(app, schema)
  serve(app, contract.changeSchema, async ({ principal, query, body }) => {
    const graph = query.graph ?? null
    const mayRead = mayReadData(present(principal), graph)
    const changed = schema.changeSchema(graph, body, schemaWriter(present(principal)))
    return message(await discreetly(mayRead, changed))
  })
}

export function mountImpactRoute(app: FastifyInstance, impact: ImpactService): void {
  serve(app, contract.readSchemaImpact, ({ principal, query, body }) => {
    const graph = query.graph ?? null
    return impact.of(graph, body, mayReadData(present(principal), graph))
  })
}

function mountVertexTypes(app: FastifyInstance, schema: SchemaService): void {
  serve(app, contract.listVertexTypes, ({ query }) => schema.listVertexTypes(query.graph ?? null))
  serve(app, contract.readVertexType, ({ params, query }) =>
    schema.readVertexType(query.graph ?? null, params.name),
  )
  serve(app, contract.createVertexTypes, async ({ principal, query, body }) => {
    const mayWrite = schemaWriter(present(principal))
    if (body.createVertices) {
      return message(
        await schema.createVertexTypes(query.graph ?? null, body.createVertices, mayWrite),
      )
    }
    if (body.addVertices && query.graph) {
      return message(await schema.addVertexTypes(query.graph, body.addVertices, mayWrite))
    }
    if (body.gsql) {
      const made = definitionsOf([body.gsql].flat(), 'createVertex')
      const types = made.map(({ vertex }) => vertexForm(vertex))
      return message(await schema.createVertexTypes(query.graph ?? null, types, mayWrite))
    }
    throw unreadable('createVertices, gsql, or addVertices with the parameter graph')
  })
  serve(app, contract.alterVertexType, async ({ principal, params, query, body }) => {
    const graph = query.graph ?? null
    const mayRead = mayReadData(present(principal), graph)
    const changed = schema.alterVertexType(
      graph,
      params.name,
      body,
      schemaWriter(present(principal)),
    )
    return message(await discreetly(mayRead, changed))
  })
  serve(app, contract.dropVertexTypes, async ({ principal, params, query }) => {
    const names = requiredNames(params.name, query.vertex, 'vertex')
    return message(
      await schema.dropVertexTypes(query.graph ?? null, names, schemaWriter(present(principal))),
    )
  })
}

function mountEdgeTypes(app: FastifyInstance, schema: SchemaService): void {
  serve(app, contract.listEdgeTypes, ({ query }) => schema.listEdgeTypes(query.graph ?? null))
  serve(app, contract.readEdgeType, ({ params, query }) =>
    schema.readEdgeType(query.graph ?? null, params.name),
  )
  serve(app, contract.createEdgeTypes, async ({ principal, query, body }) => {
    const mayWrite = schemaWriter(present(principal))
    if (body.createEdges) {
      return message(await schema.createEdgeTypes(query.graph ?? null, body.createEdges, mayWrite))
    }
    if (body.addEdges && query.graph) {
      return message(await schema.addEdgeTypes(query.graph, body.addEdges, mayWrite))
    }
    if (body.gsql) {
      const made = definitionsOf([body.gsql].flat(), 'createEdge')
      const types = made.map(({ edge }) => edgeForm(edge))
      return message(await schema.createEdgeTypes(query.graph ?? null, types, mayWrite))
    }
    throw unreadable('createEdges, gsql, or addEdges with the parameter graph')
  })
  serve(app, contract.alterEdgeType, async ({ principal, params, query, body }) => {
    const graph = query.graph ?? null
    const mayRead = mayReadData(present(principal), graph)
    const changed = schema.alterEdgeType(graph, params.name, body, schemaWriter(present(principal)))
    return message(await discreetly(mayRead, changed))
  })
  serve(app, contract.dropEdgeTypes, async ({ principal, params, query }) => {
    const names = requiredNames(params.name, query.edge, 'edge')
    return message(
      await schema.dropEdgeTypes(query.graph ?? null, names, schemaWriter(present(principal))),
    )
  })
}

function mountGraphs(app: FastifyInstance, schema: SchemaService): void {
  const oneOf = (graph: string, type: string | undefined) =>
    type ? schema.readType(graph, type) : schema.readGraph(graph)
  serve(app, contract.listGraphs, ({ principal, query }) => {
    const graph = query.graph ?? query.graphName
    if (graph === undefined) {
      const caller = present(principal)
      const all = schema.listGraphs()
      return { graphs: all.filter(({ graphName }) => maySeeGraph(caller, graphName)) }
    }
    return message('', { fields: { results: oneOf(graph, query.type) } })
  })
  serve(app, contract.readGraph, ({ params, query }) => {
    const graph = params.graph ?? query.graph
    if (graph === undefined) throw missing('graph')
    return oneOf(graph, query.type)
  })
  serve(app, contract.createGraph, async ({ query, body }) => {
    const wanted =
      body.gsql === undefined
        ? { name: query.graphName ?? query.graph, types: typesOf(body) }
        : parseCreateGraph(schema, body.gsql)
    if (wanted.name === undefined) throw missing('graphName')
    return message(await schema.createGraph(wanted.name, wanted.types))
  })
  serve(app, contract.dropGraphs, async ({ params, query }) => {
    const names = requiredNames(params.graph, query.graphNames, 'graphNames')
    const dropped = await schema.dropGraphs(names, query.cascade ?? false)
    return message(
      params.graph === undefined
        ? `Successfully dropped graphs: [${dropped.join(', ')}].`
        : `Successfully dropped graph: ${params.graph}.`,
    )
  })
}

function typesOf(body: { VertexTypes?: string[] | undefined; EdgeTypes?: string[] | undefined }) {
  return { vertices: body.VertexTypes ?? [], edges: body.EdgeTypes ?? [] }
}

/** `CREATE GRAPH g(Person, Knows)`: the names are told apart by what they are. */
function parseCreateGraph(schema: SchemaService, text: string) {
  const [made, ...more] = definitionsOf([text], 'createGraph')
  if (made === undefined || more.length > 0) throw unreadable('one CREATE GRAPH name (type, …)')
  const edges = schema.listEdgeTypes(null)
  const isEdge = (name: string) => edges.some((type) => type.Name === name)
  return { name: made.name, types: graphTypes(made.types, isEdge) }
}

function requiredNames(
  fromPath: string | undefined,
  fromQuery: readonly string[] | undefined,
  parameter: string,
): readonly string[] {
  if (fromPath !== undefined) return [fromPath]
  if (fromQuery !== undefined && fromQuery.length > 0) return fromQuery
  throw missing(parameter)
}

function missing(parameter: string): DbError {
  return new DbError('INVALID_PARAMETER', `The parameter ${parameter} is required.`)
}

function unreadable(expected: string): DbError {
  return new DbError('INVALID_PARAMETER', `The request body must hold ${expected}.`)
}
