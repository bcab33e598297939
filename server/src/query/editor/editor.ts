/**
 * Editor services: diagnostics, completion and hover, by the very compiler that installs queries.
 * Plain functions over text and catalogue; the console runs them in a web worker.
 */
import type { Catalog } from '#catalog/types.ts'
import { compileFrontEnd, type FrontEndOptions } from '#query/bind/compile.ts'
import { PROBE_NAME, type ProbeContext } from '#query/bind/core/probe.ts'
import { Schema } from '#query/bind/core/schema.ts'
import { functions } from '#query/ir/function-table.ts'
import type { ValueType } from '#query/ir/types.ts'
import { typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import { lex } from '#query/syntax/lexer.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import type { Token } from '#query/syntax/token.ts'
import { completionsFor, type EditorCompletion, generalCompletions } from './editor-completions.ts'

export interface EditorContext {
  readonly catalog: Catalog
  /** The graph of queries whose text names none. */
  readonly graph: string
  /** Of the queries that may be called; absent: of none. */
  readonly queryText?: NonNullable<FrontEndOptions['queryText']>
}

export interface EditorDiagnostic {
  /** Offsets in the text, `to` exclusive. */
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly code: string
}

export interface EditorCompletions {
  /** Where the word begins that a choice replaces. */
  readonly from: number
  readonly options: readonly EditorCompletion[]
}

export interface EditorHover {
  readonly from: number
  readonly to: number
  readonly text: string
  /** A word that the language reference explains: the name of a function. */
  readonly topic?: string
}

export function diagnose(text: string, context: EditorContext): EditorDiagnostic[] {
  return compileInEditor(text, context).diagnostics.map(editorDiagnostic)
}

export function compileInEditor(
  text: string,
  { catalog, graph, queryText }: EditorContext,
  options: FrontEndOptions = {},
) {
  return compileFrontEnd(text, catalog, graph, { ...options, ...(queryText && { queryText }) })
}

export function editorDiagnostic({ range, severity, message, code }: Diagnostic): EditorDiagnostic {
  const to = Math.max(range.end, range.start + 1)
  return { from: range.start, to, severity, message, code }
}

/** Null inside strings, comments and numbers: nothing can be completed there. */
export function complete(
  text: string,
  offset: number,
  context: EditorContext,
): EditorCompletions | null {
  const word = wordAt(text, offset)
  if (word === null) return null
  const schema = schemaOf(context)
  const found = schema === null ? null : probeAt(text, word, context)
  const options =
    found === null || schema === null
      ? generalCompletions(schema)
      : completionsFor(found, schema, word.marks)
  return { from: word.from, options }
}

interface Word {
  /** Of the whole word, accumulator marks included. */
  readonly from: number
  readonly to: number
  readonly marks: '' | '@' | '@@'
}

function wordAt(text: string, offset: number): Word | null {
  const before = /@{0,2}[A-Za-z0-9_]*$/.exec(text.slice(0, offset))?.[0] ?? ''
  const after = /^[A-Za-z0-9_]*/.exec(text.slice(offset))?.[0] ?? ''
  const from = offset - before.length
  if (/^\d/.test(before) || !isCode(text, from)) return null
  const marks = before.startsWith('@@') ? '@@' : before.startsWith('@') ? '@' : ''
  return { from, to: offset + after.length, marks }
}

/** A name put there is read as a token of its own: not in a string, not in a comment. */
function isCode(text: string, at: number): boolean {
  const probed = `${text.slice(0, at)} ${PROBE_NAME} ${text.slice(at)}`
  return lex(probed).tokens.some(
    ({ start, text: found }) => start === at + 1 && found === PROBE_NAME,
  )
}

/** First as a name, then as a call: `@@m.` alone is no statement, `@@m.clear()` is one. */
function probeAt(text: string, word: Word, context: EditorContext): ProbeContext | null {
  const head = text.slice(0, word.from) + word.marks
  const tail = text.slice(word.to)
  for (const probe of [PROBE_NAME, `${PROBE_NAME}()`, `${PROBE_NAME} = 0`]) {
    let found: ProbeContext | null = null
    compileInEditor(head + probe + tail, context, {
      probe: (at) => {
        found = at
      },
    })
    if (found !== null) return found
  }
  return null
}

export function hover(text: string, offset: number, context: EditorContext): EditorHover | null {
  const token = lex(text).tokens.find(({ start, end }) => start <= offset && offset < end)
  if (token === undefined || token.kind === 'end') return null
  const schema = schemaOf(context)
  const said = hoverText(text, token, { context, schema })
  if (said === null) return null
  const topic = functionAt(text, token)
  return { from: token.start, to: token.end, text: said, ...(topic !== null && { topic }) }
}

/** The name of the function that is called there. */
function functionAt(text: string, token: Token): string | null {
  const isCall = token.kind === 'name' && /^\s*\(/.test(text.slice(token.end))
  const name = token.text.toLowerCase()
  return isCall && functions.has(name) ? name : null
}

interface HoverContext {
  readonly context: EditorContext
  readonly schema: Schema | null
}

function hoverText(text: string, token: Token, { context, schema }: HoverContext): string | null {
  const called = functionAt(text, token)
  if (called !== null) return signatureText(called)
  if (schema === null) return null
  const bound = boundAt(text, token, context)
  if (bound !== null) {
    return `${bound.written}: ${typeText(bound.type, (id) => schema.nameOf(id))}`
  }
  return token.kind === 'name' ? typeDescription(schema, token.text) : null
}

/** `substr(string, int[, int]): STRING` and what it does. */
export function signatureText(name: string): string | null {
  const info = functions.get(name)
  if (info === undefined) return null
  const required = info.parameters.slice(0, info.required).join(', ')
  const optional = info.parameters.slice(info.required).map((kind) => `[, ${kind}]`)
  const result = info.result === 'same' ? 'its argument’s type' : typeText(info.result)
  return `${info.name}(${required}${optional.join('')}): ${result}\n${info.summary}`
}

/** The expression that ends with the token, with its type. */
function boundAt(
  text: string,
  token: Token,
  context: EditorContext,
): { readonly written: string; readonly type: ValueType } | null {
  const found: { node: Expression; type: ValueType }[] = []
  compileInEditor(text, context, {
    inspect: (node, { type }) => {
      const { start, end } = node.range
      if (end === token.end && start <= token.start) found.push({ node, type })
    },
  })
  const shortest = found.sort((left, right) => right.node.range.start - left.node.range.start)[0]
  if (shortest === undefined) return null
  const { start, end } = shortest.node.range
  return { written: text.slice(start, end), type: shortest.type }
}

function typeDescription(schema: Schema, name: string): string | null {
  const vertex = schema.vertexType(name)
  const edge = schema.edge(name)?.type
  const type = vertex ?? edge
  if (type === undefined) return null
  const said = type.description === undefined ? [] : [type.description]
  const attributes = type.attributes.map((attribute) => {
    const info = schema.attribute(type.id, attribute.name)
    const kind = info === undefined ? attribute.type.kind : typeText(info.type)
    const { description } = attribute
    return `  ${attribute.name} ${kind}${description === undefined ? '' : `: ${description}`}`
  })
  if (edge === undefined) return [`vertex ${name}`, ...said, ...attributes].join('\n')
  const arrow = edge.directed ? '->' : '--'
  const pairs = edge.pairs.map(
    ({ fromTypeId, toTypeId }) =>
      `${schema.nameOf(fromTypeId)} ${arrow} ${schema.nameOf(toTypeId)}`,
  )
  const kind = edge.directed ? 'directed' : 'undirected'
  return [`${kind} edge ${name} (${pairs.join(' | ')})`, ...said, ...attributes].join('\n')
}

function schemaOf({ catalog, graph }: EditorContext): Schema | null {
  const found = catalog.graphs.find(({ name }) => name === graph)
  return found === undefined ? null : new Schema(catalog, found)
}
