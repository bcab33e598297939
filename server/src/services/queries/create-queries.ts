/** Creating queries from a checked text: what is saved, as what, and what is answered. */
import type { Catalog } from '#catalog/types.ts'
import type { GrantedPrivilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { DeclaredQuery } from '#query/bind/compile.ts'
import { formatDiagnostics } from '#query/bind/format-diagnostics.ts'
import type { CheckedText } from './compile-text.ts'
import { noDescription, type StoredQueries, type StoredQuery } from './stored-query.ts'
import { isFunctionOfProduct } from './template-queries.ts'

export interface CreateOptions {
  readonly catalog: Catalog
  /** The graph of queries whose text names none. */
  readonly graph: string
  readonly install: boolean
  /** Who owns what is made anew; null: nobody. */
  readonly owner: string | null
  /** Of the caller. @throws DbError FORBIDDEN */
  require(privilege: GrantedPrivilege, graph: string): void
}

/**
 * @returns what to tell when every query of the text is valid
 * @throws DbError QUERY_INVALID with all diagnostics; NAME_TAKEN when a valid query of that name
 *   stands and OR REPLACE does not. Valid queries of the text are saved all the same.
 */
export async function createFromText(
  stored: StoredQueries,
  result: CheckedText,
  options: CreateOptions,
): Promise<string> {
  const outcome: Outcome = {
    lines: formatDiagnostics(result.diagnostics),
    created: [],
    drafts: [],
    taken: [],
  }
  for (const declared of result.declared)
    await createOne(stored, declared, { result, options, outcome })
  return report(result, outcome)
}

interface Outcome {
  readonly lines: readonly string[]
  readonly created: string[]
  readonly drafts: string[]
  readonly taken: string[]
}

interface Creation {
  readonly result: CheckedText
  readonly options: CreateOptions
  readonly outcome: Outcome
}

async function createOne(
  stored: StoredQueries,
  declared: DeclaredQuery,
  { result, options, outcome }: Creation,
): Promise<void> {
  const { name } = declared
  if (declared.interpreted) {
    throw new DbError(
      'QUERY_INVALID',
      'INTERPRET QUERY is run, not created: use queries/interpret.',
    )
  }
  if (isFunctionOfProduct(name)) {
    throw new DbError('NAME_TAKEN', `${name} is a function that the product brings.`)
  }
  const graph = declared.graph ?? options.graph
  options.require('CREATE_QUERY', graph)
  if (options.install) options.require('INSTALL_QUERY', graph)
  const known = options.catalog.graphs.some((candidate) => candidate.name === graph)
  const before = stored.find(graph, name)
  const standing = before?.status === 'VALID'
  if (standing && !declared.orReplace) {
    outcome.taken.push(name)
    return
  }
  const isOwn = options.owner !== null && before?.owner === options.owner
  if (standing && !isOwn) options.require('UPDATE_QUERY', graph)
  const valid = result.valid.some((query) => query.name === name && query.graph === graph)
  if (valid) outcome.created.push(name)
  else if (known && !standing) outcome.drafts.push(name)
  else return
  const { install } = options
  const owner = before === undefined ? options.owner : (before.owner ?? null)
  await stored.put(newQuery(declared, { graph, valid, install, before, owner }))
}

interface NewQuery {
  readonly graph: string
  readonly valid: boolean
  readonly install: boolean
  readonly before: StoredQuery | undefined
  readonly owner: string | null
}

function newQuery(
  { name, text }: DeclaredQuery,
  { graph, valid, install, before, owner }: NewQuery,
): StoredQuery {
  return {
    graph,
    name,
    text,
    status: valid ? 'VALID' : 'DRAFT',
    installed: valid && install,
    description: before?.description ?? noDescription,
    ...(owner !== null && { owner }),
  }
}

function report(result: CheckedText, { lines, created, drafts, taken }: Outcome): string {
  const failed = result.diagnostics.some(({ severity }) => severity === 'error')
  const text = [...lines]
  if (created.length > 0) text.push(`Successfully created queries: [${created.join(', ')}].`)
  if (drafts.length > 0) {
    text.push(`Saved as draft query with type/semantic error: [${drafts.join(', ')}].`)
  }
  for (const name of taken) {
    text.push(
      `The query ${name} could not be created because it already exists! Use CREATE OR REPLACE QUERY.`,
    )
  }
  const message = `${text.join('\n')}\n`
  if (failed) throw new DbError('QUERY_INVALID', message)
  if (taken.length > 0) throw new DbError('NAME_TAKEN', message)
  if (created.length > 0) return message
  throw new DbError('QUERY_INVALID', 'The text contains no CREATE QUERY statement.')
}
