/** What the text of a template query says of it, without binding. */
import type { TypeSyntax } from '#query/syntax/ast.ts'
import { parse } from '#query/syntax/parse/parse.ts'

export interface TemplateSyntax {
  /** The first problem of the text; null: it can be read. */
  readonly problem: string | null
  readonly queries: readonly TemplateHead[]
}

export interface TemplateHead {
  readonly name: string
  readonly orReplace: boolean
  readonly isTemplate: boolean
  /** By name, by the types that are written. */
  readonly parameters: Readonly<Record<string, Record<string, unknown>>>
}

export function templateSyntax(text: string): TemplateSyntax {
  const { script, problems } = parse(text)
  const queries = script.queries.map(({ name, orReplace, modifiers, parameters }) => ({
    name: name.name,
    orReplace,
    isTemplate: modifiers.includes('TEMPLATE'),
    parameters: Object.fromEntries(
      parameters.map(({ name: parameter, type, defaultValue }) => {
        const value = defaultValue === null ? null : defaultValue.range
        const given = value === null ? {} : { default: text.slice(value.start, value.end) }
        return [parameter.name, { ...descriptorOf(type), min_count: 0, ...given }]
      }),
    ),
  }))
  return { problem: problems[0]?.message ?? null, queries }
}

function descriptorOf(type: TypeSyntax): Record<string, unknown> {
  switch (type.kind) {
    case 'namedType':
      return { type: type.name.toUpperCase() }
    case 'elementType':
      return { type: 'STRING', is_id: 'true', ...(type.target && { id_type: type.target.name }) }
    case 'containerType': {
      const [first] = type.arguments
      const element = first === undefined ? { type: 'STRING' } : descriptorOf(first)
      return type.container === 'MAP' ? { type: 'MAP' } : { ...element, max_count: 2147483647 }
    }
    default:
      return { type: 'STRING' }
  }
}
