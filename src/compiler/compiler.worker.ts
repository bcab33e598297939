/**
 * The very compiler that installs queries, run in the browser: its front end gives the editor live
 * diagnostics, completion and hover. One message in, one answer out, matched by number.
 */
import type { z } from 'zod'
import { createAccum } from '#catalog/accums.ts'
import { createEdgeType } from '#catalog/edge-types.ts'
import { createGraph } from '#catalog/graphs.ts'
import { createTuple } from '#catalog/tuples.ts'
import { type Catalog, emptyCatalog } from '#catalog/types.ts'
import { createVertexType } from '#catalog/vertex-types.ts'
import type { edgeTypeView, tupleView, vertexTypeView } from '#contract/schema-forms.ts'
import { complete, diagnose, type EditorContext, hover } from '#query/editor/editor.ts'
import { type SelectedRun, selectedRun } from '#query/editor/editor-selection.ts'
import { formatText } from '#query/syntax/format.ts'
import { parse } from '#query/syntax/parse/parse.ts'
import { signatureType } from './signature-type.ts'

export type { SelectedRun }

export interface CompilerSchema {
  readonly graph: string
  readonly vertexTypes: readonly z.output<typeof vertexTypeView>[]
  readonly edgeTypes: readonly z.output<typeof edgeTypeView>[]
  readonly tuples: readonly z.output<typeof tupleView>[]
  /** Texts of accumulator types, by name. */
  readonly accums: Readonly<Record<string, string>>
}

export type CompilerQuestion =
  | { readonly kind: 'schema'; readonly schema: CompilerSchema }
  /** Names and texts of those that may be called. */
  | { readonly kind: 'queries'; readonly texts: ReadonlyMap<string, string> }
  | {
      readonly kind: 'selection'
      readonly text: string
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'diagnose' | 'parameters' | 'format'; readonly text: string }
  | { readonly kind: 'complete' | 'hover'; readonly text: string; readonly offset: number }

export interface CompilerMessage {
  readonly number: number
  readonly question: CompilerQuestion
}

export interface CompilerAnswer {
  readonly number: number
  /** What the question's function in `query/editor` returned; null after a failure. */
  readonly value: unknown
}

let texts: ReadonlyMap<string, string> = new Map()
const queryText = (name: string) => texts.get(name) ?? null
let context: EditorContext = { catalog: emptyCatalog, graph: '', queryText }

self.onmessage = ({ data }: MessageEvent<CompilerMessage>) => {
  const answer: CompilerAnswer = { number: data.number, value: safeAnswer(data.question) }
  self.postMessage(answer)
}

/** A failure of the checker costs its help, never the text. */
function safeAnswer(question: CompilerQuestion): unknown {
  try {
    return answerTo(question)
  } catch {
    return null
  }
}

function answerTo(question: CompilerQuestion): unknown {
  switch (question.kind) {
    case 'schema':
      context = { catalog: catalogOf(question.schema), graph: question.schema.graph, queryText }
      return null
    case 'queries':
      texts = question.texts
      return null
    case 'selection':
      return selectedRun(question.text, question, context)
    case 'diagnose':
      return diagnose(question.text, context)
    case 'parameters':
      return declaredParameters(question.text)
    case 'format':
      return formatText(question.text)
    case 'complete':
      return complete(question.text, question.offset, context)
    case 'hover':
      return hover(question.text, question.offset, context)
  }
}

/**
 * The catalogue of one graph, from the JSON forms in which the server tells its schema. The server
 * made them from a catalogue, so they are complete: no schema has to fill in defaults here.
 */
function catalogOf(schema: CompilerSchema): Catalog {
  const { graph, tuples, accums, vertexTypes, edgeTypes } = schema
  let made = emptyCatalog
  for (const { name, fields } of tuples) {
    const elements = fields.map(({ fieldName, fieldType, length }) => ({
      name: fieldName,
      type: fieldType,
      length,
    }))
    made = createTuple(made, name, elements)
  }
  for (const [name, text] of Object.entries(accums)) made = createAccum(made, { name, text })
  made = createGraph(made, graph, { vertices: [], edges: [] })
  // All of them are local here: one graph is all there is.
  for (const type of vertexTypes) made = createVertexType(made, graph, type)
  for (const type of edgeTypes) made = createEdgeType(made, graph, type)
  return made
}

export interface DeclaredParameters {
  /** In order; one key each: the parameter's name to its type, as the server's signature has it. */
  readonly input: readonly Readonly<Record<string, string>>[]
  /** Declared defaults by name, as they are written. */
  readonly defaults: readonly (readonly [string, string])[]
}

/** What the first query of a text declares, also where its body has errors; null: there is none. */
function declaredParameters(text: string): DeclaredParameters | null {
  const [query] = parse(text).script.queries
  if (query === undefined) return null
  const input: Record<string, string>[] = []
  const defaults: [string, string][] = []
  for (const { name, type, defaultValue } of query.parameters) {
    input.push({ [name.name]: signatureType(text.slice(type.range.start, type.range.end)) })
    if (defaultValue === null) continue
    const { start, end } = defaultValue.range
    defaults.push([name.name, text.slice(start, end)])
  }
  return { input, defaults }
}
