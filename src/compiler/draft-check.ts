/** Which queries that are being written compile today and would not under another schema. */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { edgeJson, vertexJson } from '#lib/graph-schema/wire-form.ts'
import type { CompilerSchema } from './compiler.worker.ts'
import type { CompilerClient } from './compiler-client.ts'

export interface BrokenDraft {
  readonly name: string
  /** Of the first thing that no longer is right, from 1. */
  readonly line: number
  readonly message: string
}

export interface SchemaStep {
  /** What is in neither model: tuples and accumulators. */
  readonly known: CompilerSchema
  readonly before: SchemaModel
  readonly after: SchemaModel
}

/** What is wrong with a draft already is not told: it is still being written. */
export async function brokenDrafts(
  compiler: Pick<CompilerClient, 'setSchema' | 'diagnose'>,
  drafts: ReadonlyMap<string, string>,
  { known, before, after }: SchemaStep,
): Promise<readonly BrokenDraft[]> {
  // The compiler answers in the order in which it is asked.
  const errorsUnder = (schema: SchemaModel) => {
    compiler.setSchema({ ...known, ...typesOf(schema) })
    return Promise.all([...drafts.values()].map((text) => compiler.diagnose(text)))
  }
  const [olds, news] = await Promise.all([errorsUnder(before), errorsUnder(after)])
  return [...drafts].flatMap(([name, text], place) => {
    const had = new Set(olds[place]?.map(({ from }) => from))
    const found = news[place]?.find(({ severity, from }) => severity === 'error' && !had.has(from))
    if (found === undefined) return []
    const line = text.slice(0, found.from).split('\n').length
    return [{ name, line, message: found.message }]
  })
}

function typesOf({ vertices, edges }: SchemaModel) {
  const types = { vertexTypes: vertices.map(vertexJson), edgeTypes: edges.map(edgeJson) }
  return types as unknown as Pick<CompilerSchema, 'vertexTypes' | 'edgeTypes'>
}
