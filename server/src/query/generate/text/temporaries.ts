/** Whether statements make temporary collections, which are given back after each row. */

const makers = new Set([
  'collection',
  'map',
  'foreach',
  'aggregate',
  'elements',
  'merge',
  'tableRows',
  'setOperation',
  'neighbors',
  'userCall',
  'callQuery',
  'setVertices',
  'verticesOfIds',
  'selectVertex',
])

/** Where their values are collections. */
const blockMakers = new Set(['attribute', 'arithmetic', 'setLocal', 'convert'])

const none: ReadonlySet<unknown> = new Set()

/** Looks at every node below but some; a clause without any saves two calls per row. */
export function usesTemporaries(
  statements: unknown,
  without: ReadonlySet<unknown> = none,
): boolean {
  if (Array.isArray(statements)) return statements.some((one) => usesTemporaries(one, without))
  if (typeof statements !== 'object' || statements === null || without.has(statements)) return false
  const node = statements as {
    readonly kind?: unknown
    readonly type?: { readonly kind?: unknown }
  }
  if (typeof node.kind === 'string' && makers.has(node.kind)) return true
  if (typeof node.kind === 'string' && blockMakers.has(node.kind) && isBlockKind(node.type?.kind)) {
    return true
  }
  return Object.values(statements).some((one) => usesTemporaries(one, without))
}

/** The same for a whole clause: its container locals are temporaries as well. */
export function clauseUsesTemporaries(
  clause: {
    readonly locals: readonly { readonly type: { readonly kind: string } }[]
    readonly body: unknown
  },
  without: ReadonlySet<unknown> = none,
): boolean {
  const { locals, body } = clause
  return locals.some(({ type }) => isBlockKind(type.kind)) || usesTemporaries(body, without)
}

export function isBlockKind(kind: unknown): boolean {
  return kind === 'LIST' || kind === 'SET' || kind === 'BAG' || kind === 'MAP'
}
