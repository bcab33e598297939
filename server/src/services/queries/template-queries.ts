/**
 * Packages and the template queries in them (docs/decisions/0033). A template of a
 * package belongs to no graph: it is bound where it is called, by the types that are there. One
 * that was created on a graph is that graph's alone; its name makes a package, too.
 */
import { schemaError } from '#catalog/rule.ts'
import { DbError } from '#kernel/errors.ts'
import { NAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { vectorFunctions } from '#query/ir/vector-function-table.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { checkTextSize } from './compiled-queries.ts'
import type { Compiler } from './compiler.ts'
import {
  isTemplate,
  NO_GRAPH,
  noDescription,
  type StoredQueries,
  type StoredQuery,
} from './stored-query.ts'
import type { TemplateHead, TemplateSyntax } from './template-syntax.ts'

/** Stored queries, and what reads their texts; `QueryService` is one. */
export interface QueryTexts {
  readonly stored: StoredQueries
  readonly compiler: Compiler
}

export interface PackageContent {
  readonly fullPackageName: string
  readonly functions: readonly string[]
  readonly templateQueries: readonly string[]
  readonly subpackageNames: readonly string[]
}

const COLLECTION = 'packages'
/** The package of functions that the product brings. */
const BUILT_IN = 'gds.vector'
const NAME = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/

export class TemplateQueries {
  readonly #documents: Collection
  readonly #stored: StoredQueries
  readonly #compiler: Compiler
  readonly #created = new Set<string>()

  private constructor(documents: Documents, queries: QueryTexts) {
    this.#documents = documents.open(COLLECTION, (name, bytes) => {
      if (bytes === null) this.#created.delete(name)
      else this.#created.add(name)
    })
    this.#stored = queries.stored
    this.#compiler = queries.compiler
  }

  static async open(documents: Documents, queries: QueryTexts): Promise<TemplateQueries> {
    const templates = new TemplateQueries(documents, queries)
    for (const { key } of await templates.#documents.list()) templates.#created.add(key)
    return templates
  }

  /** The parameters of a template, by the types that are written. */
  async parametersOf({ text, owner }: StoredQuery): Promise<TemplateHead['parameters']> {
    const user = owner ?? null
    const { queries } = await this.#compiler.run({ kind: 'template', text }, { user })
    return queries[0]?.parameters ?? {}
  }

  /** Those of no graph and those of the graphs that `maySee` lets through, by name. */
  list(maySee: (graph: string) => boolean): readonly StoredQuery[] {
    const seen = this.#stored.templates().filter(({ graph }) => graph === NO_GRAPH || maySee(graph))
    return seen.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** The outermost packages. */
  packages(maySee: (graph: string) => boolean): readonly string[] {
    const firsts = this.#packageNames(maySee).map((name) => name.split('.')[0]!)
    return [...new Set(firsts)].toSorted()
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  read(name: string, maySee: (graph: string) => boolean): PackageContent {
    const inside = (other: string) => other.startsWith(`${name}.`)
    const known = this.#packageNames(maySee)
    if (!known.some((one) => one === name || inside(one))) throw noPackage(name)
    const deeper = known.filter(inside).map((one) => one.slice(name.length + 1).split('.')[0]!)
    return {
      fullPackageName: name,
      functions: name === BUILT_IN ? [...vectorFunctions.keys()].toSorted() : [],
      templateQueries: this.list(maySee)
        .filter((query) => packageOf(query.name) === name)
        .map((query) => query.name.slice(name.length + 1)),
      subpackageNames: [...new Set(deeper)].toSorted(),
    }
  }

  #packageNames(maySee: (graph: string) => boolean): readonly string[] {
    return [BUILT_IN, ...this.#created, ...this.list(maySee).map(({ name }) => packageOf(name))]
  }

  /** Packages that were created as such; others are the names of their template queries. */
  get created(): ReadonlySet<string> {
    return this.#created
  }

  /** @throws DbError INVALID_NAME, NAME_TAKEN */
  async create(name: string): Promise<void> {
    if (!NAME.test(name) || name.length > NAME_SIZE_BYTES_MAX) {
      throw new DbError('INVALID_NAME', `'${name.slice(0, 60)}' cannot be the name of a package.`)
    }
    await this.#stored.exclusive(async () => {
      const isKnown = this.#packageNames(() => true).some(
        (one) => one === name || one.startsWith(`${name}.`),
      )
      const isQuery = this.list(() => true).some((query) => query.name === name)
      if (isQuery) throw schemaError(`${name} is the name of a template query.`, 'NAME_TAKEN')
      if (isKnown) throw schemaError(`The package ${name} already exists.`, 'NAME_TAKEN')
      await this.#documents.put(name, new Uint8Array())
      this.#created.add(name)
    })
  }

  /** @throws DbError REQUEST_NOT_FOUND, SCHEMA_RULE while anything is in it */
  async drop(name: string): Promise<void> {
    await this.#stored.exclusive(async () => {
      const all = () => true
      const { templateQueries, subpackageNames, functions } = this.read(name, all)
      const content = [...functions, ...templateQueries, ...subpackageNames]
      if (content.length > 0) {
        throw schemaError(`The package ${name} is not empty: [${content.join(', ')}].`)
      }
      await this.#documents.delete(name)
      this.#created.delete(name)
    })
  }

  /**
   * @param text `CREATE [OR REPLACE] TEMPLATE QUERY pkg.name(…) {…}`
   * @returns its name
   * @throws DbError QUERY_INVALID, NAME_TAKEN
   */
  async put(text: string, owner: string | null): Promise<string> {
    checkTextSize(text)
    const query = templateIn(await this.#compiler.run({ kind: 'template', text }, { user: owner }))
    const { name } = query
    if (isFunctionOfProduct(name)) {
      throw new DbError('NAME_TAKEN', `${name} is a function that the product brings.`)
    }
    if (this.#created.has(name)) {
      throw new DbError('NAME_TAKEN', `${name} is the name of a package.`)
    }
    await this.#stored.exclusive(async () => {
      const before = this.#stored.find(NO_GRAPH, name)
      if (before !== undefined && !query.orReplace) {
        const hint = 'Use CREATE OR REPLACE TEMPLATE QUERY.'
        throw new DbError('NAME_TAKEN', `The template query ${name} already exists. ${hint}`)
      }
      await this.#stored.put({
        graph: NO_GRAPH,
        name,
        text: text.trim(),
        status: 'VALID',
        installed: false,
        description: before?.description ?? noDescription,
        ...(owner !== null && { owner }),
      })
    })
    return name
  }

  isOfNoGraph(name: string): boolean {
    return this.#stored.find(NO_GRAPH, name) !== undefined
  }

  /** @throws DbError QUERY_NOT_FOUND */
  async remove(name: string): Promise<void> {
    await this.#stored.exclusive(async () => {
      await this.#stored.remove(this.#requireIn(NO_GRAPH, name))
    })
  }

  /** As it is called on a graph. @throws DbError QUERY_NOT_FOUND */
  onGraph(graph: string, name: string): StoredQuery {
    const query = this.#stored.find(graph, name) ?? this.#requireIn(NO_GRAPH, name)
    if (isTemplate(query)) return { ...query, graph }
    throw noTemplate(name)
  }

  #requireIn(graph: string, name: string): StoredQuery {
    const query = this.#stored.find(graph, name)
    if (query === undefined) throw noTemplate(name)
    return query
  }

  async dropEverything(): Promise<void> {
    await this.#stored.exclusive(async () => {
      for (const query of this.#stored.ofGraph(NO_GRAPH)) await this.#stored.remove(query)
      for (const name of this.#created) await this.#documents.delete(name)
      this.#created.clear()
    })
  }
}

function templateIn({ problem, queries }: TemplateSyntax): TemplateHead {
  if (problem !== null) throw new DbError('QUERY_INVALID', problem)
  const [query, ...others] = queries
  const isOne = others.length === 0 && query?.isTemplate === true
  if (query === undefined || !isOne || packageOf(query.name) === '') {
    const text = 'The text must be one CREATE TEMPLATE QUERY package.name(…) {…}.'
    throw new DbError('QUERY_INVALID', text)
  }
  return query
}

/** Calls of its name would go to it, not to a template. */
export function isFunctionOfProduct(name: string): boolean {
  const known = vectorFunctions.keys().map((one) => `${BUILT_IN}.${one}`)
  return known.some((one) => one.toLowerCase() === name.toLowerCase())
}

function packageOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')))
}

function noPackage(name: string): DbError {
  return new DbError('REQUEST_NOT_FOUND', `The package ${name} does not exist.`)
}

function noTemplate(name: string): DbError {
  return new DbError('QUERY_NOT_FOUND', `There is no template query ${name}.`, {
    details: { status: 400 },
  })
}
