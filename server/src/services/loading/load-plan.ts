/** A loading job bound to the schema of its graph: everything that can be wrong is told here. */
import { findTuple } from '#catalog/lookup.ts'
import { DbError } from '#kernel/errors.ts'
import type {
  ConditionSyntax,
  DeleteTarget,
  LoadingJobSyntax,
  LoadSource,
  LoadSyntax,
  LoadTarget,
  ValueSyntax,
} from '#query/syntax/script/ast-script.ts'
import { type DeletionTarget, deletionOf } from './delete-targets.ts'
import { isFlatten } from './flatten.ts'
import { headerFault } from './header.ts'
import { isTrue, type LineFormat, lineFormatOf } from './line-tokens.ts'
import { knownOptions, withSourceOptions } from './load-options.ts'
import {
  columnsIn,
  conditionValues,
  partsOf,
  pathsIn,
  positionsIn,
  valuesOf,
} from './load-values.ts'
import { type ElementTarget, edgeTarget, type TargetContext, vertexTarget } from './targets.ts'
import { checkTables, inFillingOrder } from './temporary-tables.ts'
import { tokenExpression } from './token-expression.ts'
import { findTokenFunction } from './token-functions.ts'
import { vectorTarget } from './vector-target.ts'

export interface TableTarget {
  readonly kind: 'table'
  readonly name: string
  readonly columns: readonly string[]
  readonly values: readonly ValueSyntax[]
}

export interface PlannedTarget {
  readonly target: ElementTarget | TableTarget | DeletionTarget
  readonly condition: ConditionSyntax | null
}

export interface PlannedLoad {
  /** Its number in the plan. */
  readonly statement: number
  readonly source: LoadSource
  readonly targets: readonly PlannedTarget[]
  readonly format: LineFormat
  /** Names of columns where a header is defined beside the data. */
  readonly header: readonly string[] | null
  readonly rejectRule: ConditionSyntax | null
  readonly newVertexOnly: boolean
  readonly vertexMustExist: boolean
  /** Of JSON lines, the names that are read, outermost first. */
  readonly columnPaths: readonly (readonly string[])[]
  /** Names of the columns that are read. */
  readonly columns: readonly string[]
  /** Lines with fewer tokens are skipped; columns that are read by name count with the header. */
  readonly tokenCountMin: number
}

/** @throws DbError of whatever the job names that is not there */
export function planLoads(context: TargetContext, job: LoadingJobSyntax): PlannedLoad[] {
  if (job.loads.length === 0) {
    throw new DbError('SCHEMA_RULE', `Semantic Check Fails: the job ${job.name} loads nothing.`)
  }
  const targets = job.loads.flatMap((load) => load.targets)
  const deletes = targets.filter(isDelete).length
  if (deletes > 0 && deletes < targets.length) {
    const text = `Semantic Check Fails: the job ${job.name} has LOAD and DELETE; a job has one of both.`
    throw new DbError('SCHEMA_RULE', text)
  }
  for (const { source } of job.loads) checkSource(job, source)
  checkTables(job.loads)
  const named = job.loads.map((load) => ({ ...load, options: knownOptions(load.options) }))
  const loads = inFillingOrder(withSourceOptions(named))
  return loads.map((load, statement) => ({ statement, ...planLoad(context, job, load) }))
}

function planLoad(context: TargetContext, job: LoadingJobSyntax, load: LoadSyntax) {
  const { options, source } = load
  const inTargets = load.targets.flatMap(valuesOf)
  for (const value of inTargets) checkValue(context, value)
  const headerName = options.get('USER_DEFINED_HEADER')
  const ruleName = options.get('REJECT_LINE_RULE')
  const header = headerName === undefined ? null : named(job.headers, headerName, 'header')
  const rejectRule = ruleName === undefined ? null : named(job.filters, ruleName, 'line filter')
  const read = rejectRule === null ? inTargets : [...inTargets, ...conditionValues(rejectRule)]
  const format = lineFormatOf(options)
  const columns = [...new Set(read.flatMap(columnsIn))]
  if (source.kind !== 'table') checkColumns(read, format, header)
  const fault = header === null || format.isJson ? null : headerFault(header, columns)
  if (fault !== null) {
    throw new DbError('SCHEMA_RULE', `Semantic Check Fails: the header ${headerName} ${fault}`)
  }
  return {
    source,
    targets: load.targets.map((target) => ({
      target: planTarget(context, target),
      condition: target.condition,
    })),
    format,
    header,
    rejectRule,
    newVertexOnly: isTrue(options.get('NEW_VERTEX_ONLY')),
    vertexMustExist: isTrue(options.get('VERTEX_MUST_EXIST')),
    columnPaths: read.flatMap(pathsIn),
    columns,
    tokenCountMin: Math.max(0, ...inTargets.map(positionsIn)),
  }
}

function checkSource(job: LoadingJobSyntax, source: LoadSource): void {
  const isKnown =
    source.kind === 'path' ||
    (source.kind === 'file'
      ? job.files.some(({ name }) => name === source.name)
      : job.loads.some(({ targets }) =>
          targets.some((target) => target.kind === 'table' && target.name === source.name),
        ))
  if (isKnown) return
  const what = source.kind === 'file' ? 'file variable' : 'temporary table'
  const text = `Semantic Check Fails: the ${what} ${source.name} does not exist.`
  throw new DbError('SCHEMA_RULE', text)
}

/** @throws DbError SCHEMA_RULE for columns that no row could have */
function checkColumns(
  values: readonly ValueSyntax[],
  { hasHeader, isJson }: LineFormat,
  header: readonly string[] | null,
): void {
  if (isJson) {
    const position = Math.max(0, ...values.map(positionsIn)) - 1
    if (position < 0) return
    const text = `Semantic Check Fails: lines of JSON have names and no positions such as $${position}.`
    throw new DbError('SCHEMA_RULE', text)
  }
  const [name] = values.flatMap(columnsIn)
  if (name === undefined || hasHeader || header !== null) return
  const text = `Semantic Check Fails: the column $${JSON.stringify(name)} needs HEADER="true", USER_DEFINED_HEADER or JSON_FILE="true".`
  throw new DbError('SCHEMA_RULE', text)
}

function named<T>(map: ReadonlyMap<string, T>, name: string, what: string): T {
  const found = map.get(name)
  if (found !== undefined) return found
  throw new DbError('SCHEMA_RULE', `Semantic Check Fails: the ${what} ${name} does not exist.`)
}

function isDelete(target: LoadTarget | DeleteTarget): target is DeleteTarget {
  return target.kind === 'deleteVertex' || target.kind === 'deleteEdge'
}

function planTarget(
  context: TargetContext,
  target: LoadTarget | DeleteTarget,
): ElementTarget | TableTarget | DeletionTarget {
  switch (target.kind) {
    case 'deleteVertex':
    case 'deleteEdge':
      return deletionOf(context, target)
    case 'vertex':
      return vertexTarget(context, target)
    case 'edge':
      return edgeTarget(context, target)
    case 'vector':
      return vectorTarget(context, target)
    case 'table': {
      const { name, columns, values } = target
      if (values.filter(isFlatten).length > 1) {
        throw new DbError('SCHEMA_RULE', 'Semantic Check Fails: one flatten per destination.')
      }
      return { kind: 'table', name, columns, values }
    }
  }
}

const constructors =
  /^(split|gsql_split_by_space|gsql_from_json|list|set|map|gsql_current_time_epoch)$/i

function checkValue(context: TargetContext, value: ValueSyntax): void {
  for (const part of partsOf(value)) checkValue(context, part)
  if (value.kind !== 'call') return
  const { name } = value
  const [, pattern] = value.arguments
  if (/^gsql_regex_/i.test(name) && pattern?.kind === 'constant') tokenExpression(pattern.text, '')
  const isKnown =
    isFlatten(value) ||
    constructors.test(name) ||
    findTokenFunction(name) !== undefined ||
    findTuple(context.catalog, name) !== undefined
  if (isKnown) return
  const text = `Semantic Check Fails: the token function ${name} does not exist.`
  throw new DbError('SCHEMA_RULE', text)
}
