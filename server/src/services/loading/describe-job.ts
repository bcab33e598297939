/** The parts of a loading job as JSON, for clients that show them. */
import type {
  DeleteTarget,
  EndSyntax,
  LoadingJobSyntax,
  LoadSource,
  LoadSyntax,
  LoadTarget,
  ValueSyntax,
} from '#query/syntax/script/ast-script.ts'

export function describeJob(graph: string, job: LoadingJobSyntax) {
  return {
    JobName: job.name,
    GraphName: graph,
    FileNames: Object.fromEntries(job.files.map(({ name, path }) => [name, path ?? ''])),
    Headers: Object.fromEntries(job.headers),
    Filters: [...job.filters.keys()],
    LoadingStatements: job.loads.flatMap(statements),
  }
}

/** One for each target. */
function statements({ source, targets, options }: LoadSyntax) {
  const clauses = [...options].map(([name, value]) => [name, asWritten(value)])
  const common = { UsingClauses: Object.fromEntries(clauses), DataSource: sourceOf(source) }
  return targets.map((target) => ({ ...targetOf(target), ...common }))
}

/** Characters that a job writes as escapes. */
function asWritten(value: string): string {
  return value.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

function targetOf(target: LoadTarget | DeleteTarget) {
  switch (target.kind) {
    case 'vertex':
      return { Type: 'Vertex', TargetName: target.type, Mappings: mappings(target.values) }
    case 'vector': {
      const name = { TargetName: target.type, AttributeName: target.attribute }
      return { Type: 'Vector', ...name, Mappings: mappings(target.values) }
    }
    case 'edge': {
      const values = [...target.from.id, ...target.to.id, ...target.values]
      const name = { TargetName: target.type, ...ends(target.from, target.to) }
      return { Type: 'Edge', ...name, Mappings: mappings(values) }
    }
    case 'table': {
      const name = { TargetName: target.name, Columns: target.columns }
      return { Type: 'TempTable', ...name, Mappings: mappings(target.values) }
    }
    case 'deleteVertex':
      return { Type: 'DeleteVertex', TargetName: target.type, Mappings: mappings([target.id]) }
    case 'deleteEdge': {
      const values = [...target.from.id, ...(target.to?.id ?? []), ...target.discriminator]
      return { Type: 'DeleteEdge', TargetName: target.type, Mappings: mappings(values) }
    }
  }
}

function ends(from: EndSyntax, to: EndSyntax) {
  const typeOf = ({ type }: EndSyntax) => (type?.kind === 'constant' ? type.text : '')
  return { FromVertexType: typeOf(from), ToVertexType: typeOf(to) }
}

function sourceOf(source: LoadSource) {
  switch (source.kind) {
    case 'file':
      return { Type: 'FileVar', Value: source.name }
    case 'path':
      return { Type: 'FilePath', Value: source.path }
    case 'table':
      return { Type: 'TempTable', Value: source.name }
  }
}

type Mapping = {
  readonly Type: string
  readonly Value: string
  readonly Params?: readonly Mapping[]
}

function mappings(values: readonly ValueSyntax[]): Mapping[] {
  return values.map(mapping)
}

function mapping(value: ValueSyntax): Mapping {
  switch (value.kind) {
    case 'skip':
      return { Type: 'Default', Value: '_' }
    case 'constant':
      return { Type: 'Literal', Value: value.text }
    case 'position':
      return { Type: 'SrcColIndex', Value: String(value.position) }
    case 'column':
      return { Type: 'SrcColName', Value: value.path.join(':') }
    case 'fileName':
      return { Type: 'SysVariable', Value: 'sys.file_name' }
    case 'call':
      return { Type: 'UDF', Value: value.name, Params: mappings(value.arguments) }
    case 'reduce':
      return { Type: 'Reduce', Value: value.reducer, Params: [mapping(value.value)] }
    case 'entry':
      return { Type: 'MapEntry', Value: '->', Params: [mapping(value.key), mapping(value.value)] }
  }
}
