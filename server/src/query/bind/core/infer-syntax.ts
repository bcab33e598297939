/** Which FROM syntax a query is written in (docs/reference/gsql/queries.md): declared, or seen from its marks. */
import type { PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { QuerySyntax, SelectSyntax } from '#query/syntax/ast-statement.ts'
import type { SyntaxVersion } from './binder.ts'
import { mentionedNames } from './mentions.ts'

export function inferSyntax(query: QuerySyntax): SyntaxVersion {
  if (query.cypher !== null) return 'v3'
  const declared = query.syntax?.name
  if (declared === 'v1' || declared === 'v2' || declared === 'v3') return declared
  const selects = selectsIn(query.body)
  const v1 = selects.some((select) => hasArrow(select) || usesTwoAliases(select))
  return v1 ? 'v1' : 'v2'
}

function selectsIn(node: unknown): SelectSyntax[] {
  if (Array.isArray(node)) return node.flatMap(selectsIn)
  if (typeof node !== 'object' || node === null) return []
  const own = (node as { kind?: unknown }).kind === 'select' ? [node as SelectSyntax] : []
  return [...own, ...Object.values(node).flatMap(selectsIn)]
}

function hasArrow({ patterns }: SelectSyntax): boolean {
  return patterns.some(({ edges }) => edges.some(({ arrow }) => arrow))
}

function usesTwoAliases({ patterns, postAccum }: SelectSyntax): boolean {
  const aliases = vertexAliases(patterns)
  return postAccum.some(({ body }) => {
    const used = mentionedNames(body)
    return aliases.filter((alias) => used.has(alias)).length > 1
  })
}

function vertexAliases(patterns: readonly PathSyntax[]): string[] {
  return patterns.flatMap(({ nodes }) => nodes.flatMap(({ alias }) => alias?.name ?? []))
}
