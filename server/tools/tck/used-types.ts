/** The labels and relationship types that the patterns of a query name. */
import type { CypherSyntax } from '#query/syntax/cypher/ast-cypher.ts'
import type { UsedTypes } from './schema-of.ts'

export function typesIn(cypher: CypherSyntax): UsedTypes {
  const labels = new Set<string>()
  const edgeTypes = new Set<string>()
  visit(cypher, (node) => {
    const { types, kind, type } = node as { types?: unknown; kind?: unknown; type?: unknown }
    if (Array.isArray(types)) for (const one of types) add(labels, one)
    if (kind === 'atom') add(edgeTypes, type)
  })
  return { labels, edgeTypes }
}

function add(names: Set<string>, type: unknown): void {
  const { kind, name } = type as { kind: string; name: string }
  if (kind === 'name' && name !== '_' && name !== '') names.add(name)
}

function visit(node: unknown, use: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) use(node)
  for (const child of Object.values(node)) visit(child, use)
}
