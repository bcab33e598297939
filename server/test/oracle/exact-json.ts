/** JSON with numbers as they were written and members in their order. */
export type Json =
  | { readonly kind: 'text'; readonly json: string }
  | { readonly kind: 'list'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Json> }

export function textOf(value: Json): string {
  if (value.kind === 'text') return value.json
  if (value.kind === 'list') return `[${value.items.map(textOf).join(',')}]`
  const members = [...value.members].map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)
  return `{${members.join(',')}}`
}

export function parseExactly(text: string): Json {
  const token = /\s*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|([^\s[\]{},:"]+))/gy
  const next = (): string => {
    const found = token.exec(text)
    if (found === null) throw new Error(`no JSON: ${text.slice(0, 200)}`)
    return found[1] ?? found[2] ?? found[3]!
  }
  const value = (first: string): Json => {
    if (first === '[') {
      const items: Json[] = []
      let at = next()
      while (at !== ']') {
        items.push(value(at))
        at = next()
        if (at === ',') at = next()
      }
      return { kind: 'list', items }
    }
    if (first === '{') {
      const members = new Map<string, Json>()
      let at = next()
      while (at !== '}') {
        next()
        members.set(JSON.parse(at) as string, value(next()))
        at = next()
        if (at === ',') at = next()
      }
      return { kind: 'object', members }
    }
    const isText = first.startsWith('"')
    return { kind: 'text', json: isText ? JSON.stringify(JSON.parse(first)) : first }
  }
  return value(next())
}
