/** Packages and functions as texts: `SHOW PACKAGE` (docs/reference/gsql/functions.md#vectors), and what files of functions say. */

import { type UserFunctionInfo, userFunctions } from '#query/ir/user-function-table.ts'
import { typeText } from '#query/ir/value-types.ts'
import { vectorFunctions } from '#query/ir/vector-function-table.ts'
import type { FunctionFile } from '../../../contract/packages.ts'
import { tokenFunctions } from '../loading/token-functions.ts'

const NAME = 'gds.vector'

/**
 * @param name as given: `gds`, `gds.vector`, `gds.**`; empty: all
 * @param templates template queries with their whole names
 * @param created packages that were created as such, and may be empty
 */
export function packageLines(
  name: string,
  templates: readonly { readonly name: string }[],
  created: Iterable<string>,
): readonly string[] {
  const asked = name.replace(/\.?\*+$/, '').toLowerCase()
  const isAsked = (one: string) => {
    const known = one.toLowerCase()
    return asked === '' || known === asked || known.startsWith(`${asked}.`)
  }
  const packages = new Map<string, string[]>([...created].map((one) => [one, []]))
  for (const { name: full } of templates) {
    const home = full.slice(0, Math.max(0, full.lastIndexOf('.')))
    packages.set(home, [...(packages.get(home) ?? []), full])
  }
  const own = [...packages].filter(([home]) => isAsked(home)).toSorted()
  return [
    ...(isAsked(NAME)
      ? [`Packages "${NAME}":`, '  - Object:', '    - Functions:', ...functionLines()]
      : []),
    ...own.flatMap(([home, names]) => [
      `Packages "${home}":`,
      '  - Object:',
      ...(names.length === 0 ? [] : ['    - Queries:']),
      ...names.map((full) => `      - ${full}`),
    ]),
  ]
}

/** Whether a function that is built in has this whole name. */
export function isFunction(name: string): boolean {
  const known = name.toLowerCase()
  return [...vectorFunctions.keys()].some((own) => `${NAME}.${own}`.toLowerCase() === known)
}

function functionLines(): string[] {
  const names = [...vectorFunctions.keys()].toSorted()
  return names.map((name) => {
    const { vectorCount, extra } = vectorFunctions.get(name)!
    const vectors = ['list<double> list1', 'list<double> list2'].slice(0, vectorCount)
    const more = { metric: ['string metric'], index: ['int kth_index'] }
    const others = extra === 'metric' || extra === 'index' ? more[extra] : []
    const result = name === 'dimension_count' ? 'int' : 'float'
    const given = [...vectors, ...others].join(', ')
    return `      - ${NAME}.${name}(${given}) RETURNS (${result}) (installed)`
  })
}

/** No C++ runs here: a file names the functions that queries or loading jobs may call anyway. */
export function sourceOf(file: FunctionFile): string {
  const head = `// ${file}: this server runs no C++`
  const lines = builtIn[file]().map((line) => `// ${line}\n`)
  if (lines.length === 0) return `${head}; there are no user-defined functions.\n`
  return `${head}; these functions are built in:\n${lines.join('')}`
}

const builtIn: Readonly<Record<FunctionFile, () => readonly string[]>> = {
  ExprFunctions: () => signatures((name) => !name.startsWith('tg_')),
  tg_ExprFunctions: () => signatures((name) => name.startsWith('tg_')),
  ExprUtil: () => [],
  tg_ExprUtil: () => [],
  TokenBank: () => tokenFunctions().map(({ name }) => `string ${name}(string …)`),
}

/** Names with a blank are of the compiler's own. */
function signatures(isWanted: (name: string) => boolean): string[] {
  const found = [...userFunctions.values()].filter(({ name }) => isWanted(name) && !/ /.test(name))
  return found.map(signatureOf).toSorted()
}

function signatureOf({ name, parameters, result, summary }: UserFunctionInfo): string {
  const types = parameters.map((type) => typeText(type)).join(', ')
  return `${typeText(result)} ${name}(${types}): ${summary}`
}

/** `SHOW FUNCTION`: what queries of others call of C++ code, and comes with the product. */
export function userFunctionLines(isWanted: (name: string) => boolean): string[] {
  const text = (type: UserFunctionInfo['result']) => typeText(type).toLowerCase()
  const wanted = [...userFunctions.values()].filter(({ name }) => isWanted(name))
  return wanted
    .map(({ name, parameters, result }) => {
      return `  - ${name}(${parameters.map(text).join(', ')}) RETURNS (${text(result)})`
    })
    .toSorted()
}
