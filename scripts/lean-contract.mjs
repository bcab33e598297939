/**
 * A plugin for the build that leaves in the browser's copy of the contract only what a call needs:
 * of each endpoint its method, path, envelope, body format and what it takes of its caller.
 * Schemas, errors and the words of the reference are the server's. Zod gives way to src/api/no-schemas.ts, for what else
 * the contract says in schemas.
 *
 * Tests and the development server run the real contract.
 */
import { fileURLToPath } from 'node:url'

const ofContract = '/server/contract/'
const noSchemas = fileURLToPath(new URL('../src/api/no-schemas.ts', import.meta.url))
const called = new Set([
  ...['method', 'path', 'envelope', 'bodyFormat'],
  ...['privilege', 'ofAllGraphs', 'byType'],
])

export function leanContract() {
  return {
    name: 'lean-contract',
    apply: 'build',
    resolveId: {
      order: 'pre',
      handler: (source, importer) =>
        source === 'zod' && importer?.includes(ofContract) ? noSchemas : null,
    },
    transform(code, id) {
      if (!id.includes(ofContract)) return null
      return withoutProperties(code, sparePropertiesOf(this.parse(code)))
    },
  }
}

/** Ranges of the properties that no call reads, in the order of the text. */
function sparePropertiesOf(program) {
  return program.body
    .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
    .map(({ init }) => init)
    .filter((init) => init?.type === 'CallExpression' && init.callee.name === 'endpoint')
    .flatMap((init) => init.arguments[0].properties)
    .filter(({ type, key }) => type === 'Property' && !called.has(key.name))
}

function withoutProperties(code, properties) {
  let rest = ''
  let end = 0
  for (const property of properties) {
    rest += code.slice(end, property.start)
    end = property.end + (code[property.end] === ',' ? 1 : 0)
  }
  return { code: rest + code.slice(end), map: null }
}
