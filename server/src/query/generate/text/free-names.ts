/**
 * Names that a piece of generated text uses and does not declare: what has to be handed to it when
 * it becomes a function of its own that another thread can call. Bindings, runtime functions and
 * helpers are the same in every thread and are left out.
 */

import { isRuntimeName } from '#query/runtime/names.ts'
import { isKeyword } from './check.ts'

const token = /\d[\w.]*|[A-Za-z_$][\w$]*|[^\s\w]/g
const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])

/** In the order in which they are met. */
export function freeNames(text: string): readonly string[] {
  const tokens = text.match(token) ?? []
  const declared = declaredNames(tokens)
  const free = new Set<string>()
  tokens.forEach((name, i) => {
    if (!/^[A-Za-z_$]/.test(name) || tokens[i - 1] === '.') return
    if (!declared.has(name) && !isShared(name)) free.add(name)
  })
  return [...free]
}

function isShared(name: string): boolean {
  return isKeyword(name) || isRuntimeName(name) || /^b\d+$|^deg|^(ec|rc)$/.test(name)
}

/** `let a=…,b=…;`: the name behind the keyword and behind each comma outside brackets. */
function declaredNames(tokens: readonly string[]): ReadonlySet<string> {
  const declared = new Set<string>()
  tokens.forEach((keyword, i) => {
    if (keyword === 'let' || keyword === 'const') addDeclared(tokens, i + 1, declared)
  })
  return declared
}

function addDeclared(tokens: readonly string[], start: number, declared: Set<string>): void {
  declared.add(tokens[start]!)
  let depth = 0
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at]!
    if (opening.has(token)) depth++
    else if (closing.has(token)) depth--
    else if (depth === 0 && token === ';') return
    else if (depth === 0 && token === ',') declared.add(tokens[at + 1]!)
  }
}
