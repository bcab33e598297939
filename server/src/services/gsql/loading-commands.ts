/** Loading jobs in scripts (docs/reference/gsql/loading.md). */
import type {
  LoadingJobSyntax,
  LoadingRunSyntax,
  LoadTarget,
} from '#query/syntax/script/ast-script.ts'
import { mayReadData } from '../auth/authorise.ts'
import { effectsOf } from '../loading/load-effects.ts'
import type { LoadError } from '../loading/load-errors.ts'
import { withDataRoot } from '../loading/load-inputs.ts'
import type { SourceReport } from '../loading/load-report.ts'
import type { LoadRun } from '../loading/load-run.ts'
import type { LoadingService } from '../loading/loading-service.ts'
import { told } from './schema-commands.ts'
import type { Session } from './session.ts'

export class LoadingCommands {
  readonly #loading: LoadingService

  constructor(loading: LoadingService) {
    this.#loading = loading
  }

  async create(session: Session, job: LoadingJobSyntax): Promise<void> {
    const graph = job.graph ?? session.requireGraph()
    session.call.require('WRITE_LOADINGJOB', graph)
    const text = withDataRoot(job.text, session.settings.get('sys.data_root'))
    await told(`Failed to create loading jobs: [${job.name}].`, () =>
      this.#loading.create(graph, { ...job, text }, () => session.call.require('READ_FILE', graph)),
    )
    session.print(`Successfully created loading jobs: [${job.name}].`)
  }

  async upsert(session: Session, target: LoadTarget): Promise<void> {
    const graph = session.requireGraph()
    // It makes or changes, whichever it finds.
    session.call.require('CREATE_DATA', graph)
    session.call.require('UPDATE_DATA', graph)
    await this.#loading.upsert(graph, target, session.call.principal.name)
    session.print(`Successfully upserted 1 ${target.kind}.`)
  }

  async run(session: Session, wanted: LoadingRunSyntax): Promise<void> {
    const graph = session.requireGraph()
    session.call.require('EXECUTE_LOADINGJOB', graph)
    const { signal } = session.call
    const dataRoot = session.settings.get('sys.data_root')
    const requireReadFile = () => session.call.require('READ_FILE', graph)
    const user = session.call.principal.name
    const request = { ...wanted, dataRoot, signal, user, requireReadFile }
    const run = await this.#loading.run(graph, wanted.name, request)
    session.print(`LOAD SUCCESSFUL for loading jobid: ${run.id}`)
    if (!wanted.isQuiet) session.print(...countLines(run))
  }

  showStatus(session: Session, id: string | null): void {
    const graph = session.requireGraph()
    session.call.require('READ_LOADINGJOB', graph)
    const runs = this.#runsOf(graph, id)
    if (runs.length === 0) session.print('No loading job has run.')
    for (const run of runs) {
      const { id: name, state, durationMs, failure } = run
      session.print(`[${state}] ${name} (${(durationMs / 1000).toFixed(3)} seconds)`)
      if (failure !== null) session.print(`  ${failure}`)
      session.print(...countLines(run))
    }
  }

  /** The lines that did not fit, the first ones, and why: their text for who may read the data. */
  showErrors(session: Session, id: string | null, limit: number | null): void {
    const graph = session.requireGraph()
    session.call.require('READ_LOADINGJOB', graph)
    const runs = this.#runsOf(graph, id)
    if (runs.length === 0) session.print('No loading job has run.')
    const mayRead = mayReadData(session.call.principal, graph)
    for (const { id: name, errors, failure } of runs) {
      session.print(`${name}: ${errors.count} ${errors.count === 1 ? 'error' : 'errors'}`)
      if (failure !== null) session.print(`  ${failure}`)
      const shown = errors.kept.slice(0, limit ?? errors.kept.length)
      session.print(...shown.flatMap((one) => errorLines(one, mayRead)))
      if (shown.length < errors.count) session.print(`  … and ${errors.count - shown.length} more`)
    }
  }

  /** Of all only those that a command of its kind fits. */
  async control(
    session: Session,
    kind: 'abortLoading' | 'pauseLoading' | 'resumeLoading',
    id: string | null,
  ): Promise<void> {
    const graph = session.requireGraph()
    session.call.require('EXECUTE_LOADINGJOB', graph)
    const named = this.#runsOf(graph, id)
    const runs = id === null ? named.filter((run) => fits[kind](run)) : named
    const requireReadFile = () => session.call.require('READ_FILE', graph)
    for (const run of runs) {
      if (kind === 'pauseLoading') run.pause()
      else if (kind === 'resumeLoading') await this.#loading.resume(run, requireReadFile)
      else await this.#loading.runs.abort(run)
    }
    const ids = runs.map((run) => run.id).join(', ')
    session.print(`Successfully ${done[kind]} loading job(s): [${ids}].`)
  }

  #runsOf(graph: string, id: string | null): readonly LoadRun[] {
    const { runs } = this.#loading
    return id === null ? runs.of(graph) : [runs.require(id, graph)]
  }
}

const fits = {
  abortLoading: (run: LoadRun) => !run.hasEnded,
  pauseLoading: (run: LoadRun) => !run.hasEnded && run.paused === null,
  resumeLoading: (run: LoadRun) => run.paused !== null || run.state === 'INTERRUPTED',
}

const done = { abortLoading: 'dropped', pauseLoading: 'paused', resumeLoading: 'resumed' }

function errorLines({ fileName, line, reason, text }: LoadError, showsText: boolean): string[] {
  const place = `  ${fileName}, line ${line}: ${reason}`
  return text === null || !showsText ? [place] : [place, `    ${JSON.stringify(text)}`]
}

function countLines(run: LoadRun): string[] {
  const { createdEndpoints } = effectsOf(run)
  const lines = run.reports.flatMap(reportLines)
  if (createdEndpoints === 0) return lines
  const one = '1 vertex was created as an end of an edge'
  const many = `${createdEndpoints} vertices were created as ends of edges`
  return [...lines, createdEndpoints === 1 ? one : many]
}

function reportLines(report: SourceReport): string[] {
  const { fileName, validLine, rejectLine } = report
  const { notEnoughToken, invalidJson, oversizeToken, invalidQuote } = report
  const bad = rejectLine + notEnoughToken + invalidJson + oversizeToken + invalidQuote
  const objects = [...report.vertex, ...report.edge].map((one) => {
    const invalid = one.noIdFound + one.invalidAttribute + one.invalidPrimaryId
    return `  ${one.typeName}: ${one.validObject} loaded, ${invalid + one.invalidSecondaryId + one.incorrectFixedBinaryLength} invalid`
  })
  const deleted = [...report.deleteVertex, ...report.deleteEdge].map(
    (one) =>
      `  ${one.typeName}: ${one.validObject} deleted, ${one.invalidPrimaryId + one.invalidSecondaryId} invalid`,
  )
  const defaulted = report.defaulted.map(
    ({ typeName, attribute, count }) =>
      `  ${typeName}.${attribute}: ${count} ${count === 1 ? 'value' : 'values'} defaulted`,
  )
  return [`${fileName}: ${validLine} lines, ${bad} rejected`, ...objects, ...deleted, ...defaulted]
}
