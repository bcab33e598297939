import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/diagnosis.ts'
import * as system from '#contract/system.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { mayKnowQueries, maySeeGraph } from '#services/auth/authorise.ts'
import { logEndOf, othersAlive, type Sharing } from '#services/instances/sharing.ts'
import type { MaintenanceService } from '#services/system/maintenance.ts'
import { withoutNames, withoutPaths } from '#services/system/metric-names.ts'
import { asPrometheusText, type Metrics } from '#services/system/metrics.ts'
import { eventMeta, type Monitor } from '#services/system/monitor.ts'
import {
  type BuildInfo,
  componentVersions,
  gsqlVersionText,
  restppVersionText,
} from '#services/system/versions.ts'
import { docsHtml, docsPolicy, docsScript, docsStyle } from '../docs-page.ts'
import { builtinEndpoints } from '../endpoint-catalogue.ts'
import { openApiDocument } from '../openapi.ts'
import { pause } from '../pause.ts'
import { checkStaleness } from '../positions.ts'
import { message, reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

export interface SystemRoutesOptions {
  readonly build: BuildInfo
  readonly monitor: Monitor
  readonly metrics: Metrics
  readonly maintenance: MaintenanceService
  /** @throws DbError UNAVAILABLE when the graph cannot be read until a restart */
  checkReadable(): void
  storeState(): { readonly kind: 'ready' | 'read-only'; readonly reason?: string }
  /** The catalogue entries of a graph's installed queries; of all graphs with null. */
  queryEndpoints(
    graph: string | null,
    maySee: (graph: string) => boolean,
  ): Promise<Record<string, unknown>>
  requireGraph(graph: string, url: string): void
  log(fields: object, text: string): void
  after(ms: number, call: () => void): () => void
  nowMs(): number
  /** Of the last change that was applied. */
  sequence(): number
  /** Null: the store is of this server alone. */
  readonly sharing: Sharing | null
}

/** The five parts that this one process is, under the names that clients ask for. */
export const serviceNames = ['GPE', 'GSE', 'GSQL', 'IFM', 'RESTPP']

export function mountSystemRoutes(app: FastifyInstance, options: SystemRoutesOptions): void {
  mountLiveness(app, options)
  mountVersions(app, options)
  mountMonitor(app, options)
  mountMaintenance(app, options)
  mountReference(app, options)
}

function mountLiveness(app: FastifyInstance, options: SystemRoutesOptions): void {
  serve(app, contract.ping, () => ({ error: false, message: 'pong', results: null }))
  serve(app, contract.echo, async ({ query, signal }) => {
    if (query.sleep > 0) await pause(options.after, query.sleep * 1000, signal)
    return { error: false, message: 'Hello GSQL' }
  })
  serve(app, contract.readReadiness, ({ query }) => {
    options.checkReadable()
    if (options.sharing !== null) return sharedReadiness(options.sharing, query.writable)
    const { kind, reason } = options.storeState()
    if (query.writable && kind !== 'ready') {
      throw new DbError('STORE_READ_ONLY', `The store takes no writes: ${reason}`)
    }
    return { ready: true, store: kind, ...(reason !== undefined && { reason }) }
  })
}

/**
 * A follower hands writes on: for them it is enough that somebody writes.
 * @throws DbError BEHIND, NO_WRITER
 */
function sharedReadiness(sharing: Sharing, isForWrites: boolean) {
  checkStaleness(sharing)
  const { log } = sharing
  if (isForWrites && log.writer === null) {
    throw new DbError('NO_WRITER', 'No instance is known to write now.')
  }
  const stalenessMs = Math.round(log.stalenessMs())
  const store = log.writer === null ? ('read-only' as const) : ('ready' as const)
  const reason = log.writer === null ? { reason: 'no instance is known to write now' } : {}
  return { ready: true, store, ...reason, role: log.role, stalenessMs }
}

function mountVersions(app: FastifyInstance, { build }: SystemRoutesOptions): void {
  serve(app, contract.readRestppVersion, () => ({
    error: false,
    message: restppVersionText(build),
  }))
  serve(app, contract.readGsqlVersion, ({ query }) =>
    gsqlVersionText(build, query.verbose ?? false),
  )
  serve(app, system.readVersions, () => componentVersions(build))
}

function mountMonitor(app: FastifyInstance, options: SystemRoutesOptions): void {
  serve(app, system.readMetrics, async ({ headers, principal }) => {
    const all = await options.metrics.text()
    const known = principal === null ? withoutPaths(all) : all
    const text = withoutNames(known, namesFor(principal))
    if (!wantsPrometheusText(headers.accept)) return text
    const type = 'text/plain; version=0.0.4; charset=utf-8'
    return reply(asPrometheusText(text), { contentType: type })
  })
  serve(app, contract.readReplication, () => ({
    numChangesToBeReplicated:
      options.sharing === null ? 0 : logEndOf(options.sharing.log) - options.sharing.log.position,
    lastSeqId: options.sharing?.log.position ?? options.sequence(),
  }))
  serve(app, contract.readMetricHistory, ({ params, body, principal }) => {
    const { StartTimestampNS, EndTimestampNS } = body?.TimeRange ?? {}
    return options.monitor.history(params.category, {
      fromNs: nanoseconds(StartTimestampNS),
      toNs: nanoseconds(EndTimestampNS),
      latest: body?.LatestNum === undefined ? null : Number(nanoseconds(body.LatestNum)),
      hostId: body?.HostID,
      services: body?.ServiceDescriptors?.map(({ ServiceName }) => ServiceName),
      cpuUsage: body?.CPUUsage,
      memoryUsage: body?.MemoryUsage,
      pathName: body?.PathName,
      endpoint: body?.Endpoint,
      mayName: namesFor(principal),
    })
  })
  serve(app, contract.readDatapoints, ({ query, principal }) => {
    const { what, from, to, latest, where } = query
    const category = what === 'cpu' || what === 'mem' ? 'cpu-memory' : what
    return options.monitor.history(category, {
      fromNs: from === undefined ? null : BigInt(from) * 1_000_000_000n,
      toNs: to === undefined ? null : BigInt(to) * 1_000_000_000n,
      latest: latest ?? null,
      hostId: where,
      mayName: namesFor(principal),
    })
  })
  serve(app, contract.readServiceStatus, ({ body }) => {
    const named = body?.ServiceDescriptors ?? []
    const replicas = replicasOf(options)
    const all = serviceNames.flatMap((ServiceName) =>
      replicas.map(({ ordinal }) => ({ ServiceName, Replica: ordinal })),
    )
    const wanted = named.length > 0 ? named : all
    const time = (BigInt(Math.round(options.nowMs())) * 1_000_000n).toString()
    return { ServiceStatusEvents: wanted.map((one) => statusOf(one, time, options)) }
  })
}

/** Which graphs a caller may learn the names of, with those of their queries. */
function namesFor(principal: Principal | null): (graph: string) => boolean {
  return (graph) => principal !== null && mayKnowQueries(principal, graph)
}

/** OpenMetrics unless only the older text is asked for. */
function wantsPrometheusText(accept: string | undefined): boolean {
  return /text\/plain/i.test(accept ?? '') && !/openmetrics/i.test(accept ?? '')
}

interface ServiceDescriptor {
  readonly ServiceName: string
  readonly Partition?: number | undefined
  readonly Replica?: number | undefined
}

interface Replica {
  readonly ordinal: number
  readonly isRunning: boolean
}

/** Every instance over the store is one; a server that is alone is the first. */
function replicasOf({ sharing }: SystemRoutesOptions): readonly Replica[] {
  if (sharing === null) return [{ ordinal: 1, isRunning: true }]
  const running = new Set(othersAlive(sharing.log).map(({ ordinal }) => ordinal))
  return sharing.log.instances
    .map(({ ordinal, isSelf }) => ({ ordinal, isRunning: isSelf || running.has(ordinal) }))
    .toSorted((one, other) => one.ordinal - other.ordinal)
}

/** Partition 1, and a replica for each instance; 0 names none in particular: the one that is asked. */
function statusOf(descriptor: ServiceDescriptor, time: string, options: SystemRoutesOptions) {
  const own = options.sharing?.log.self.ordinal ?? 1
  const { Partition = 1, Replica = own } = descriptor
  const ServiceName = descriptor.ServiceName.toUpperCase()
  const ordinal = Replica === 0 ? own : Replica
  const replica = replicasOf(options).find((one) => one.ordinal === ordinal)
  const isKnown = serviceNames.includes(ServiceName) && Partition <= 1 && replica !== undefined
  const online = options.storeState().kind === 'ready' ? 'Online' : 'Readonly'
  const place = isKnown ? { Partition: 1, Replica: ordinal } : { Partition, Replica }
  const [status, state] = replica?.isRunning === false ? ['Down', 'Stopped'] : [online, 'Running']
  return {
    EventMeta: { ...eventMeta(time), SpanId: 'ServiceStatusSelfReport' },
    ServiceDescriptor: { ServiceName, ...place },
    ServiceStatus: isKnown ? status : 'Unknown',
    ProcessState: isKnown ? state : 'Unknown',
  }
}

/** @throws DbError INVALID_PARAMETER for a text that is no number */
function nanoseconds(value: string | number | bigint | undefined): bigint | null {
  if (value === undefined || value === '') return null
  if (/^\d{1,30}$/.test(String(value))) return BigInt(value)
  throw new DbError('INVALID_PARAMETER', `'${value}' is not a number.`)
}

function mountMaintenance(app: FastifyInstance, options: SystemRoutesOptions): void {
  const { maintenance, requireGraph } = options
  serve(app, system.rebuildNow, async ({ params, query, url }) => {
    requireGraph(params.graph, url)
    const text = await maintenance.rebuild(params.graph, {
      vertexType: query.vertextype,
      segmentIds: query.segid?.map(segmentId),
      path: query.path,
      force: query.force ?? false,
    })
    return reply([], { message: text, code: 'REST-0000' })
  })
  serve(app, system.deletedVertexCheck, async ({ params, query, url }) => {
    const graph = params.graph ?? query.graph ?? null
    if (graph !== null) requireGraph(graph, url)
    const result = await maintenance.check(graph, {
      vertexTypes: query.vertextype,
      segmentIds: query.segid?.map(segmentId),
      verbose: query.verbose ?? 0,
    })
    const text = result.PassCheck ? 'check passed' : 'check failed'
    logCheck(options, query.log ?? 0, { text, result })
    return reply([result], { message: text, code: 'REST-0000' })
  })
  serve(app, system.readVectorStatus, ({ params, query, url }) => {
    if (params.graph !== undefined) requireGraph(params.graph, url)
    const status = maintenance.vectorStatus(params, query.verbose)
    return reply(status, { message: 'fetched status success', code: 'REST-0000' })
  })
  serve(app, system.readMaintenanceProgress, () => maintenance.progress())
  serve(app, system.readMaintenanceRuns, async ({ principal }) => {
    const caller = present(principal)
    const runs = await maintenance.runs()
    return runs.filter(({ graph }) => graph === null || maySeeGraph(caller, graph))
  })
  serve(app, contract.dataConsistencyCheck, async () => {
    const { GPE, PassCheck, UnSyncList } = await maintenance.check(null, {
      vertexTypes: undefined,
      segmentIds: undefined,
      verbose: 0,
    })
    const results = {
      GPESelfCheck: [{ Partition: 1, PassCheck: true, UnSyncList: [] }],
      GPEGSECheck: [{ GPE, PassCheck, UnSyncList }],
    }
    const text = PassCheck ? 'check passed' : 'check failed'
    return reply(results, { message: text, code: 'REST-0000' })
  })
  serve(app, contract.showLicense, () =>
    message('There is no license: this server needs none.', { error: true, code: 'REST-5000' }),
  )
}

/** `log` 1: that the check ran and how it went; 2: what it found, too. */
function logCheck(
  options: SystemRoutesOptions,
  level: number,
  { text, result }: { readonly text: string; readonly result: object },
): void {
  if (level > 0) options.log(level > 1 ? { result } : {}, `deleted-vertex check: ${text}`)
}

function segmentId(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new DbError('INVALID_PARAMETER', `The parameter segid holds '${text}', which is no number.`)
}

function mountReference(app: FastifyInstance, options: SystemRoutesOptions): void {
  const { queryEndpoints, requireGraph, build } = options
  serve(app, contract.listEndpoints, async ({ principal, params, query, url }) => {
    const graph = params.graph ?? null
    if (graph !== null) requireGraph(graph, url)
    const maySee = (one: string) => mayKnowQueries(present(principal), one)
    const all = !(query.builtin || query.dynamic || query.static)
    return {
      ...((all || query.builtin) && builtinEndpoints(app.endpoints)),
      ...((all || query.dynamic) && (await queryEndpoints(graph, maySee))),
    }
  })
  serve(app, contract.readOpenApi, () => openApiDocument(app.endpoints, build.version))
  const headers = { 'content-security-policy': docsPolicy }
  serve(app, contract.readDocsPage, () => reply(docsHtml, { headers }))
  serve(app, contract.readDocsScript, () => docsScript)
  serve(app, contract.readDocsStyle, () => docsStyle)
}
