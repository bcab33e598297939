/** Which names a piece of syntax mentions: enough to see which aliases a statement uses. */
import type { ForeachSyntax, VariableDeclaration } from '#query/syntax/ast-statement.ts'

/**
 * The names of name expressions anywhere below `node`, a plain syntax tree; not those that stand
 * for a local or a loop variable declared in it, which hide aliases (docs/reference/gsql/expressions.md).
 *
 * @param hidden names of locals that were declared before it
 */
export function mentionedNames(node: unknown, hidden: Iterable<string> = []): Set<string> {
  const names = new Set<string>()
  collect(node, { names, hidden: new Set(hidden) })
  return names
}

interface Mentions {
  readonly names: Set<string>
  readonly hidden: ReadonlySet<string>
}

function collect(node: unknown, into: Mentions): void {
  if (Array.isArray(node)) {
    collectList(node, into)
    return
  }
  if (typeof node !== 'object' || node === null) return
  const { kind, name } = node as { kind?: unknown; name?: unknown }
  if (kind === 'name' && typeof name === 'string') note(name, into)
  if (kind === 'deleteAlias') note((node as { alias: { name: string } }).alias.name, into)
  if (kind !== 'foreach') {
    for (const value of Object.values(node)) collect(value, into)
    return
  }
  const { variables, over, body } = node as ForeachSyntax
  collect(over, into)
  collect(body, { ...into, hidden: withNames(into.hidden, variables) })
}

function note(name: string, { names, hidden }: Mentions): void {
  if (!hidden.has(name)) names.add(name)
}

/** What a statement declares is known to those behind it. */
function collectList(list: readonly unknown[], { names, hidden }: Mentions): void {
  let known = hidden
  for (const item of list) {
    collect(item, { names, hidden: known })
    known = withNames(known, declaredBy(item))
  }
}

function declaredBy(item: unknown): readonly { readonly name: string }[] {
  const declaration = item as VariableDeclaration | null
  if (declaration?.kind !== 'variableDeclaration') return []
  return declaration.items.map(({ name }) => name)
}

function withNames(
  hidden: ReadonlySet<string>,
  added: readonly { readonly name: string }[],
): ReadonlySet<string> {
  return added.length === 0 ? hidden : new Set([...hidden, ...added.map(({ name }) => name)])
}
