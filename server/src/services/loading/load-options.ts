/** USING of loading jobs: which options there are, and that all statements of a source agree (docs/reference/gsql/loading.md). */
import { DbError } from '#kernel/errors.ts'
import type { LoadSource, LoadSyntax, Options } from '#query/syntax/script/ast-script.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { isTrue, unescaped } from './line-tokens.ts'

/** How lines are read: what is said for a source once holds for all that read it. */
const OF_SOURCE = [
  ...(['SEPARATOR', 'EOL', 'QUOTE', 'HEADER', 'JSON_FILE'] as const),
  ...(['USER_DEFINED_HEADER', 'REJECT_LINE_RULE'] as const),
]
const FLAGS = ['HEADER', 'JSON_FILE', 'NEW_VERTEX_ONLY', 'VERTEX_MUST_EXIST']
export const LOAD_OPTIONS = new Set<string>([...OF_SOURCE, ...FLAGS])

/** Real jobs have `vertexmustexist`, too. */
const plain = (name: string) => name.replaceAll('_', '')
const BY_PLAIN_NAME = new Map([...LOAD_OPTIONS].map((name) => [plain(name), name]))

/**
 * Under their names as the contract has them.
 * @throws DbError SCHEMA_RULE for an option that there is not, and a flag that is neither
 */
export function knownOptions(options: Options): Options {
  return new Map(
    [...options].map(([written, value]) => {
      const name = BY_PLAIN_NAME.get(plain(written))
      if (name === undefined) {
        throw rule(`USING has no option ${written}${suggest(written, LOAD_OPTIONS)}`)
      }
      if (FLAGS.includes(name) && !/^(true|false)$/i.test(value)) {
        throw rule(`${name} must be "true" or "false", not '${value}'.`)
      }
      return [name, value]
    }),
  )
}

/**
 * The statements with the options of their source: one without any takes those of another.
 * @throws DbError SCHEMA_RULE where two differ
 */
export function withSourceOptions(loads: readonly LoadSyntax[]): readonly LoadSyntax[] {
  return loads.map((load) => {
    const name = nameOf(load.source)
    const first = loads.find(({ source, options }) => options.size > 0 && nameOf(source) === name)
    if (name === null || first === undefined || first === load) return load
    if (load.options.size === 0) return { ...load, options: ofSource(first.options) }
    const differing = OF_SOURCE.find(
      (option) => meaning(option, first.options) !== meaning(option, load.options),
    )
    if (differing === undefined) return load
    throw rule(`the statements that read ${name} must have the same ${differing}.`)
  })
}

function nameOf(source: LoadSource): string | null {
  if (source.kind === 'table') return null
  return source.kind === 'file' ? source.name : source.path
}

function ofSource(options: Options): Options {
  return new Map([...options].filter(([name]) => OF_SOURCE.some((one) => one === name)))
}

const UNLESS_SAID: ReadonlyMap<string, string> = new Map([
  ['SEPARATOR', ','],
  ['EOL', '\\n'],
])

function meaning(name: string, options: Options): string {
  const value = options.get(name) ?? UNLESS_SAID.get(name) ?? ''
  if (FLAGS.includes(name)) return String(isTrue(value))
  return name === 'QUOTE' ? value.toLowerCase() : unescaped(value)
}

function rule(text: string): DbError {
  return new DbError('SCHEMA_RULE', `Semantic Check Fails: ${text}`)
}
