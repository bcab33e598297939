/**
 * Finds the texts of queries in files of any kind: scripts, documents, programs that hold one.
 *
 * A text reaches from CREATE or INTERPRET to the brace that closes the first one opened; braces in
 * strings and comments do not count. In scripts, what stands in a comment is no query.
 */
const QUERY_START =
  /\b(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:DISTRIBUTED|BATCH|TEMPLATE|OPENCYPHER)\s+)*QUERY\s+[\w.]+\s*\(|INTERPRET\s+(?:OPENCYPHER\s+)?QUERY\s*\()/gi

/** Strings and comments: what hides a brace. */
const HIDDEN = /"(?:\\[\s\S]|[^"\\])*"|\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*/g

export interface QueryText {
  readonly text: string
  /** The same for texts that differ in comments, white space and case of nothing else. */
  readonly key: string
  readonly offset: number
}

/** @param isScript whether comments of the file are GSQL's */
export function queryTexts(content: string, isScript: boolean): QueryText[] {
  const hidden = isScript ? [...content.matchAll(HIDDEN)] : []
  const found: QueryText[] = []
  for (const { index } of content.matchAll(QUERY_START)) {
    const inside = (match: RegExpExecArray) =>
      match.index <= index && index < match.index + match[0].length
    if (hidden.some(inside)) continue
    const end = endOfBraces(content, index)
    if (end === null) continue
    const text = content.slice(index, end)
    found.push({ text, key: keyOf(text), offset: index })
  }
  return found
}

/** @returns the place behind the closing brace; null: it never closes */
function endOfBraces(content: string, start: number): number | null {
  const tokens = new RegExp(`${HIDDEN.source}|[{}]`, 'g')
  tokens.lastIndex = start
  let depth = 0
  for (let token = tokens.exec(content); token !== null; token = tokens.exec(content)) {
    if (token[0] === '{') depth += 1
    if (token[0] === '}') depth -= 1
    if (token[0] === '}' && depth === 0) return tokens.lastIndex
  }
  return null
}

function keyOf(text: string): string {
  const bare = text.replace(HIDDEN, (hidden) => (hidden.startsWith('"') ? hidden : ' '))
  return bare.replace(/\s+/g, '')
}
