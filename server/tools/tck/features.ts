/** Scenarios of the openCypher TCK, read from its feature files. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'

export interface Scenario {
  /** The folder of its file: `clauses/match`. */
  readonly group: string
  /** `Match3 [1] Get neighbours`. */
  readonly name: string
  /** A graph of the folder `graphs`; null: an empty one. */
  readonly graph: string | null
  /** Queries that make the graph. */
  readonly setup: readonly string[]
  /** Values as the TCK writes them, by name. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly query: string
  readonly expected: Expectation
  /** What the runner cannot arrange for; null: nothing. */
  readonly needs: string | null
}

export type Expectation =
  | { readonly kind: 'error'; readonly phase: string; readonly detail: string }
  | {
      readonly kind: 'rows'
      readonly isOrdered: boolean
      /** Elements of lists may come in any order. */
      readonly ignoresListOrder: boolean
      readonly columns: readonly string[]
      /** Values as the TCK writes them. */
      readonly rows: readonly (readonly string[])[]
    }

/** All scenarios below a folder; a row of examples is one of its own. */
export function readScenarios(folder: string): Scenario[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.feature'))
    .sort()
    .flatMap((file) => scenariosOf(readFileSync(join(folder, file), 'utf8'), file))
}

/** @param path of the file, relative to the folder of all */
export function scenariosOf(text: string, path: string): Scenario[] {
  let ids = 0
  const newId = () => String(ids++)
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher())
  const pickles = compile(parser.parse(text), path, newId)
  const group = dirname(path)
  const file = basename(path, '.feature')
  const counts = new Map<string, number>()
  return pickles.map(({ name, steps }) => {
    const example = (counts.get(name) ?? 0) + 1
    counts.set(name, example)
    const suffix = example > 1 ? ` (example ${example})` : ''
    return { group, name: `${file} ${name}${suffix}`, ...partsOf(steps) }
  })
}

type Pickle = ReturnType<typeof compile>[number]
type Step = Pickle['steps'][number]
type Parts = Omit<Scenario, 'group' | 'name'>

const nothing: Parts = {
  graph: null,
  setup: [],
  parameters: [],
  query: '',
  expected: { kind: 'rows', isOrdered: false, ignoresListOrder: false, columns: [], rows: [] },
  needs: null,
}

function partsOf(steps: readonly Step[]): Parts {
  return steps.reduce(withStep, nothing)
}

const RESULT =
  /^the result should be(, in order|, in any order)?( \(ignoring element order for lists\))?:?$/
const ERROR = /^an? (\w+) should be raised at (compile time|runtime|any time): (\S+)$/

function withStep(parts: Parts, step: Step): Parts {
  const { text } = step
  const graph = /^the (\S+) graph$/.exec(text)
  if (graph !== null) return { ...parts, graph: graph[1]! }
  if (
    /^an? (?:empty|any) graph$|^any graph$|^no side effects$|^the result should be empty$/.test(
      text,
    )
  ) {
    return parts
  }
  if (text === 'having executed:') return { ...parts, setup: [...parts.setup, docOf(step)] }
  if (text === 'parameters are:') return { ...parts, parameters: pairsOf(step) }
  if (text === 'executing query:') return { ...parts, query: docOf(step) }
  const error = ERROR.exec(text)
  if (error !== null) {
    return { ...parts, expected: { kind: 'error', phase: error[2]!, detail: error[3]! } }
  }
  const result = RESULT.exec(text)
  if (result !== null) return { ...parts, expected: rowsOf(step, result) }
  return { ...parts, needs: needOf(text) }
}

function needOf(text: string): string {
  if (text.startsWith('there exists a procedure')) return 'a procedure'
  if (text === 'executing control query:') return 'writes'
  if (text === 'the side effects should be:') return 'writes'
  return `a step that is not known: ${text}`
}

function rowsOf(step: Step, result: RegExpExecArray): Expectation {
  const [columns = [], ...rows] = tableOf(step)
  const isOrdered = result[1] === ', in order'
  return { kind: 'rows', isOrdered, ignoresListOrder: result[2] !== undefined, columns, rows }
}

function docOf({ argument }: Step): string {
  return argument?.docString?.content ?? ''
}

function tableOf({ argument }: Step): string[][] {
  const rows = argument?.dataTable?.rows ?? []
  return rows.map(({ cells }) => cells.map(({ value }) => value))
}

function pairsOf(step: Step): [string, string][] {
  return tableOf(step).map(([name = '', value = '']) => [name, value])
}
