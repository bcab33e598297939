/** Folders of queries with the scripts that make their schemas, as `install-queries.ts` reads them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type QueryText, queryTexts } from './query-texts.ts'

export interface QueryProject {
  readonly name: string
  /** Files and folders, relative to the list's folder. */
  readonly queries: readonly string[]
  /** Scripts, run in this order. */
  readonly schema: readonly string[]
  /** Scripts to try over the schema: loading jobs. */
  readonly scripts?: readonly string[]
  /** The graph of queries that name none; absent: the last one the scripts make. */
  readonly graph?: string
  /** Only texts that this regular expression finds something in. */
  readonly match?: string
}

export interface FoundQuery extends QueryText {
  readonly path: string
}

/** `{ "projects": […] }`, paths made absolute. */
export function readProjects(listPath: string): QueryProject[] {
  const root = resolve(listPath, '..')
  const { projects } = JSON.parse(readFileSync(listPath, 'utf8')) as { projects: QueryProject[] }
  const absolute = (paths: readonly string[]) => paths.map((path) => resolve(root, path))
  return projects.map((project) => ({
    ...project,
    queries: absolute(project.queries),
    schema: absolute(project.schema),
    scripts: absolute(project.scripts ?? []),
  }))
}

/** Every query of the project once, however often its text stands there. */
export function queriesOf(project: QueryProject): FoundQuery[] {
  const found = new Map<string, FoundQuery>()
  const match = new RegExp(project.match ?? '', 'i')
  for (const path of project.queries.flatMap(filesBelow)) {
    const isScript = path.endsWith('.gsql')
    for (const query of queryTexts(readFileSync(path, 'utf8'), isScript)) {
      if (match.test(query.text) && !found.has(query.key)) found.set(query.key, { ...query, path })
    }
  }
  return [...found.values()]
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((entry) => join(path, entry))
    .filter((file) => /\.(?:gsql|md|py|txt|sh)$/.test(file) && statSync(file).isFile())
    .sort()
}
