/** Which names a piece of syntax mentions: enough to see which aliases a statement uses. */

/** Collects the names of name expressions anywhere below `node`, a plain syntax tree. */
export function mentionedNames(node: unknown, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) {
    for (const item of node) mentionedNames(item, names)
  } else if (typeof node === 'object' && node !== null) {
    const { kind, name } = node as { kind?: unknown; name?: unknown }
    if (kind === 'name' && typeof name === 'string') names.add(name)
    if (kind === 'deleteAlias') names.add((node as { alias: { name: string } }).alias.name)
    for (const value of Object.values(node)) mentionedNames(value, names)
  }
  return names
}
