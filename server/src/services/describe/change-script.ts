/**
 * A schema change as a script that makes the same change: jobs, each made, run, and
 * dropped. What GSQL cannot say makes no script: a part of a change is another change.
 */
import type { SchemaChange } from '#catalog/schema-change.ts'
import { stepTexts, unspeakable } from './change-text.ts'

interface Part {
  /** Null: a job of no graph. */
  readonly graph: string | null
  readonly change: SchemaChange
}

/**
 * One job, or three where a change of a graph makes global types: those are made by a job of no
 * graph, after what is dropped has freed its names and before what may join them.
 *
 * @param isTaken names of jobs that are there already
 */
export function changeScript(
  graph: string | null,
  change: SchemaChange,
  isTaken: (graph: string | null, name: string) => boolean,
): string {
  const left = unspeakable(change)
  if (left.length > 0) return [...commentLines(left), ''].join('\n')
  const parts = partsOf(graph, change)
  return parts
    .flatMap((part, place) => {
      const base = `change_${part.graph ?? 'global'}${parts.length > 1 ? `_${place + 1}` : ''}`
      return jobLines(
        part,
        freeName(base, (name) => isTaken(part.graph, name)),
      )
    })
    .join('\n')
}

function commentLines(left: readonly string[]): readonly string[] {
  return [
    '# GSQL cannot make this change: it has no words for',
    ...left.map((one) => `#   ${one}`),
    '# Send it as JSON to POST /gsql/v1/schema/change.',
  ]
}

function jobLines({ graph, change }: Part, name: string): readonly string[] {
  const [scope, kind, where] =
    graph === null
      ? ['USE GLOBAL', 'GLOBAL SCHEMA_CHANGE', '']
      : [`USE GRAPH ${graph}`, 'SCHEMA_CHANGE', ` FOR GRAPH ${graph}`]
  return [
    scope,
    `CREATE ${kind} JOB ${name}${where} {`,
    ...[...stepTexts(change)].map((step) => `  ${step};`),
    '}',
    `RUN ${kind} JOB ${name}`,
    `DROP JOB ${name}`,
    '',
  ]
}

function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base
  for (let count = 2; isTaken(name); count++) name = `${base}_${count}`
  return name
}

function partsOf(graph: string | null, change: SchemaChange): readonly Part[] {
  const isShared = ({ IsLocal }: { readonly IsLocal?: boolean | undefined }) => IsLocal === false
  const isOwn = (type: { readonly IsLocal?: boolean | undefined }) => !isShared(type)
  const { addVertexTypes, addEdgeTypes, graphs } = change
  if (graph === null || ![...addVertexTypes, ...addEdgeTypes].some(isShared)) {
    return [{ graph, change }].filter(hasSteps)
  }
  const none = { addVertexTypes: [], addEdgeTypes: [], dropVertexTypes: [], dropEdgeTypes: [] }
  const nothing: SchemaChange = { ...none, alterVertexTypes: [], alterEdgeTypes: [], graphs: [] }
  const vertices = addVertexTypes.filter(isShared)
  const edges = addEdgeTypes.filter(isShared)
  const drops: SchemaChange = {
    ...nothing,
    dropVertexTypes: change.dropVertexTypes,
    dropEdgeTypes: change.dropEdgeTypes,
    graphs: graphs.map((one) => ({ ...one, addVertexTypes: [], addEdgeTypes: [] })),
  }
  const shared: SchemaChange = {
    ...nothing,
    addVertexTypes: vertices,
    addEdgeTypes: edges,
    graphs: [
      ...graphs.map((one) => ({ ...one, dropVertexTypes: [], dropEdgeTypes: [] })),
      {
        ...{ graphName: graph, dropVertexTypes: [], dropEdgeTypes: [] },
        addVertexTypes: vertices.map(({ Name }) => Name),
        addEdgeTypes: edges.map(({ Name }) => Name),
      },
    ],
  }
  const rest: SchemaChange = {
    ...{ ...change, dropVertexTypes: [], dropEdgeTypes: [], graphs: [] },
    addVertexTypes: addVertexTypes.filter(isOwn),
    addEdgeTypes: addEdgeTypes.filter(isOwn),
  }
  return [
    { graph, change: drops },
    { graph: null, change: shared },
    { graph, change: rest },
  ].filter(hasSteps)
}

const hasSteps = ({ change }: Part): boolean => stepTexts(change).next().done === false
