/**
 * The very compiler that installs queries, run in the browser: its front end gives the editor live
 * diagnostics. One message in, one answer out, matched by number.
 */
import { createGraph } from '#catalog/graphs.ts'
import { applySchemaChange } from '#catalog/schema-change.ts'
import { createTuple } from '#catalog/tuples.ts'
import { type Catalog, emptyCatalog } from '#catalog/types.ts'
import { schemaChangeForm, tupleView } from '#contract/schema-forms.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import type { EditorDiagnostic } from '#ui/code-editor/editor-types.ts'

export interface CompilerSchema {
  readonly graph: string
  readonly vertexTypes: readonly unknown[]
  readonly edgeTypes: readonly unknown[]
  readonly tuples: readonly unknown[]
}

export type CompilerQuestion =
  | { readonly kind: 'schema'; readonly schema: CompilerSchema }
  | { readonly kind: 'diagnose'; readonly text: string }

export interface CompilerMessage {
  readonly number: number
  readonly question: CompilerQuestion
}

export interface CompilerAnswer {
  readonly number: number
  readonly diagnostics: readonly EditorDiagnostic[]
}

let catalog: Catalog = emptyCatalog
let graph = ''

self.onmessage = ({ data }: MessageEvent<CompilerMessage>) => {
  const answer: CompilerAnswer = { number: data.number, diagnostics: answerTo(data.question) }
  self.postMessage(answer)
}

function answerTo(question: CompilerQuestion): readonly EditorDiagnostic[] {
  if (question.kind === 'schema') {
    graph = question.schema.graph
    catalog = catalogOf(question.schema)
    return []
  }
  const { diagnostics } = compileFrontEnd(question.text, catalog, graph)
  return diagnostics.map(({ range, severity, message, code }) => ({
    from: range.start,
    to: range.end,
    severity,
    message,
    code,
  }))
}

/** The catalogue of one graph, from the JSON forms in which the server tells its schema. */
function catalogOf(schema: CompilerSchema): Catalog {
  let made = emptyCatalog
  for (const { name, fields } of schema.tuples.map((tuple) => tupleView.parse(tuple))) {
    const elements = fields.map(({ fieldName, fieldType, length }) => ({
      name: fieldName,
      type: fieldType,
      length,
    }))
    made = createTuple(made, name, elements)
  }
  made = createGraph(made, schema.graph, { vertices: [], edges: [] })
  const { vertexTypes: addVertexTypes, edgeTypes: addEdgeTypes } = schema
  return applySchemaChange(
    made,
    schema.graph,
    schemaChangeForm.parse({ addVertexTypes, addEdgeTypes }),
  )
}
