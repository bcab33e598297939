/** Ids of operations: the name of the endpoint in the contract, and what tells its operations apart. */
import type { Endpoint, Method } from '#contract/endpoint.ts'

/**
 * `runQuery` for the first method and path of an endpoint, `runQueryByPost` for another method,
 * `runQueryWithoutGraph` for a path that lacks a parameter of the first one, `deleteSecretsWithAlias`
 * for one that has another, `createToken2` for a second name of the same.
 */
export function operationId(
  name: string,
  { methods, paths }: Pick<Endpoint, 'methods' | 'paths'>,
  { path, method }: { readonly path: string; readonly method: Method },
): string {
  const byMethod = method === methods[0] ? '' : `By${capital(method.toLowerCase())}`
  return `${name}${pathSuffix(paths, path)}${byMethod}`
}

function pathSuffix(paths: readonly string[], path: string): string {
  const index = paths.indexOf(path)
  if (index <= 0) return ''
  const first = parametersIn(paths[0]!)
  const own = parametersIn(path)
  const lacks = first.filter((parameter) => !own.includes(parameter))
  const adds = own.filter((parameter) => !first.includes(parameter))
  const suffix = [
    ...(adds.length > 0 ? ['With', ...adds.map(capital)] : []),
    ...(lacks.length > 0 ? ['Without', ...lacks.map(capital)] : []),
  ].join('')
  const isTaken = paths.slice(0, index).some((other) => pathSuffix(paths, other) === suffix)
  return isTaken ? `${suffix}${index + 1}` : suffix
}

function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!)
}

function capital(word: string): string {
  const words = word.split('_').filter((part) => part !== '')
  return words.map((part) => part[0]!.toUpperCase() + part.slice(1)).join('')
}
