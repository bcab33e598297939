/** Data sources, and looks at the files that loading jobs may read. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/data-sources.ts'
import { DbError } from '#kernel/errors.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import { checkGrant } from '#services/loading/data-source-rights.ts'
import { type DataSources, folderOfSource } from '#services/loading/data-sources.ts'
import type { FileAccess } from '#services/loading/file-access.ts'
import type { LoadThreads } from '#services/loading/load-threads.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

/** Where first rows of files are read. */
interface Looks {
  readonly files: FileAccess
  readonly threads: LoadThreads
}

export function mountDataSourceRoutes(
  app: FastifyInstance,
  sources: DataSources,
  looks: Looks,
): void {
  serve(app, contract.listDataSources, ({ query }) =>
    (query.graph === undefined ? sources.all() : sources.of(query.graph)).map(
      ({ name, type, config, graph }) => ({
        ...{ name, type, content: config, isLocal: graph !== null },
        ...(graph !== null && { belongTo: graph }),
      }),
    ),
  )
  serve(app, contract.readDataSource, ({ params, query }) => {
    const { graph } = query
    const { name, type, config } =
      graph === undefined
        ? sources.requireAnywhere(params.source)
        : sources.require(graph, params.source)
    return { name, type, content: config }
  })
  serve(app, contract.createDataSource, async ({ query, body, note }) => {
    const name = nameIn(body.name)
    note(name)
    await sources.create(query.graph ?? null, name, body.config)
    return message(`Data source ${name} is created`)
  })
  serve(app, contract.updateDataSource, async ({ params, query, body }) => {
    const name = nameIn(params.source ?? body.name)
    await sources.update(query.graph ?? null, name, body.config)
    return message(`Data source ${name} is created`)
  })
  serve(app, contract.dropAllDataSources, async ({ query }) => {
    await sources.drop(query.graph ?? null, null)
    return message('All data sources is dropped successfully.')
  })
  serve(app, contract.dropDataSource, async ({ params, query }) => {
    await sources.drop(query.graph ?? null, [params.source])
    return message(`Data source ${params.source} is dropped.`)
  })
  mountSharing(app, sources)
  mountLooks(app, sources, looks)
}

function mountSharing(app: FastifyInstance, sources: DataSources): void {
  serve(app, contract.grantDataSource, async ({ body, principal, note }) => {
    const { datasource: name, graphs } = body
    note(`${name}: ${graphs.join(', ')}`)
    checkGrant(present(principal), sources, { name, graphs })
    await sources.grant(name, graphs)
    return message(`Successfully grant datasource ${name} to the graph(s) [${graphs.join(', ')}]`)
  })
  serve(app, contract.revokeDataSource, async ({ body, principal, note }) => {
    const { datasource: name, graphs } = body
    note(`${name}: ${graphs.join(', ')}`)
    checkGrant(present(principal), sources, { name, graphs: [] })
    await sources.revoke(name, graphs)
    return message(`Successfully revoke datasource ${name} from graph(s) [${graphs.join(', ')}]`)
  })
}

function mountLooks(app: FastifyInstance, sources: DataSources, { files, threads }: Looks): void {
  const folderOf = (graph: string | null, name: string | undefined): string => {
    const isNamed = name !== undefined && name !== '' && name !== 'file'
    return isNamed ? folderOfSource(sources.require(graph, name)) : '.'
  }
  serve(app, contract.sampleData, async ({ body, principal }) => {
    const { graphName: graph = null, dataSource, path, parsing, size } = body
    requirePrivilege(present(principal), 'READ_FILE', graph)
    const found = await files.open(path, folderOf(graph, dataSource))
    const { sizeBytes, ...place } = found
    const from = { kind: 'path', ...place, wanted: path } as const
    const file = { source: '', fileName: path, sizeBytes, from }
    return await threads.sample(file, parsing, size)
  })
  serve(app, contract.listFiles, ({ params, query }) => {
    const folder = folderOf(query.graph ?? null, params.source)
    return files.list(folder, query.path || '.')
  })
}

function nameIn(name: string | undefined): string {
  if (name !== undefined) return name
  throw new DbError('INVALID_PARAMETER', 'The body must hold the name of the data source.')
}
