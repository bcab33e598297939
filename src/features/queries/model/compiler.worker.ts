/**
 * The very compiler that installs queries, run in the browser: its front end gives the editor live
 * diagnostics, completion and hover. One message in, one answer out, matched by number.
 */
import { createGraph } from '#catalog/graphs.ts'
import { applySchemaChange } from '#catalog/schema-change.ts'
import { createTuple } from '#catalog/tuples.ts'
import { type Catalog, emptyCatalog } from '#catalog/types.ts'
import { schemaChangeForm, tupleView } from '#contract/schema-forms.ts'
import { complete, diagnose, type EditorContext, hover } from '#query/bind/editor.ts'

export interface CompilerSchema {
  readonly graph: string
  readonly vertexTypes: readonly unknown[]
  readonly edgeTypes: readonly unknown[]
  readonly tuples: readonly unknown[]
}

export type CompilerQuestion =
  | { readonly kind: 'schema'; readonly schema: CompilerSchema }
  | { readonly kind: 'diagnose'; readonly text: string }
  | { readonly kind: 'complete' | 'hover'; readonly text: string; readonly offset: number }

export interface CompilerMessage {
  readonly number: number
  readonly question: CompilerQuestion
}

export interface CompilerAnswer {
  readonly number: number
  /** What the question's function in `query/bind/editor` returned; null after a failure. */
  readonly value: unknown
}

let context: EditorContext = { catalog: emptyCatalog, graph: '' }

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
      context = { catalog: catalogOf(question.schema), graph: question.schema.graph }
      return null
    case 'diagnose':
      return diagnose(question.text, context)
    case 'complete':
      return complete(question.text, question.offset, context)
    case 'hover':
      return hover(question.text, question.offset, context)
  }
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
