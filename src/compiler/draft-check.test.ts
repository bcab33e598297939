import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex, replaceType } from '#lib/graph-schema/schema-model.ts'
import type { CompilerAnswer, CompilerMessage } from './compiler.worker.ts'
import { type CompilerClient, startCompiler } from './compiler-client.ts'
import { brokenDrafts } from './draft-check.ts'

/** The worker's own code, in this thread. */
const inside: {
  onmessage?: (event: { data: CompilerMessage }) => void
  postMessage: (answer: CompilerAnswer) => void
} = { postMessage: () => {} }

class WorkerHere {
  onmessage: ((event: { data: CompilerAnswer }) => void) | null = null
  constructor() {
    inside.postMessage = (data) => this.onmessage?.({ data })
  }
  postMessage(data: CompilerMessage) {
    queueMicrotask(() => inside.onmessage?.({ data }))
  }
  terminate() {}
}

let compiler: CompilerClient
beforeAll(async () => {
  vi.stubGlobal('self', inside)
  vi.stubGlobal('Worker', WorkerHere)
  await import('./compiler.worker.ts')
  compiler = startCompiler()
})
afterAll(() => vi.unstubAllGlobals())

const person = findVertex(sampleSchema, 'Person')!
const known = { graph: 'town', vertexTypes: [], edgeTypes: [], tuples: [], accums: {} }
const adults = `CREATE QUERY adults() {
  S = {Person.*};
  T = SELECT s FROM S:s WHERE s.age > 17;
  PRINT T;
}`
const drafts = new Map([
  ['adults', adults],
  ['', adults.replaceAll('age', 'name').replace('17', '"M"')],
  ['unfinished', adults.replace('s.age', 's.nonsense')],
])
const broken = (after: typeof sampleSchema) =>
  brokenDrafts(compiler, drafts, { known, before: sampleSchema, after })

it('tells drafts that a change breaks, with the place, and no others', async () => {
  const attributes = person.attributes.map((one) =>
    one.name === 'age' ? { ...one, name: 'years' } : one,
  )
  const renamed = replaceType(sampleSchema, 'Person', { ...person, attributes })
  expect(await broken(renamed)).toEqual([
    { name: 'adults', line: 3, message: expect.stringContaining('"age"') },
  ])
  expect(await broken(sampleSchema)).toEqual([])
})

it('tells all that use a type which goes', async () => {
  const edges = sampleSchema.edges.filter(
    ({ pairs }) => !pairs.some(({ from, to }) => from === 'Person' || to === 'Person'),
  )
  const vertices = sampleSchema.vertices.filter(({ name }) => name !== 'Person')
  const gone = await broken({ vertices, edges })
  expect(gone.map(({ name, line }) => `${name} ${line}`)).toEqual([
    'adults 2',
    ' 2',
    'unfinished 2',
  ])
  expect(
    await brokenDrafts(compiler, new Map(), { known, before: sampleSchema, after: sampleSchema }),
  ).toEqual([])
})
