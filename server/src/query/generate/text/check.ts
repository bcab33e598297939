/**
 * Reads a generated text before it is compiled and refuses whatever the generator never writes:
 * defence in depth, should a name or a literal of a user ever find its way into the text. The text
 * may hold numbers, operators, a few keywords, names of the generator's own form, names of runtime
 * functions, and `.length`; no strings, no templates, no regular expressions, no comments.
 */
import { assert } from '#kernel/assert.ts'
import { isRuntimeName } from '#query/runtime/names.ts'

const keywords = new Set([
  'const',
  'let',
  'if',
  'else',
  'for',
  'while',
  'function',
  'return',
  'try',
  'catch',
  'break',
  'continue',
  'true',
  'false',
  'null',
  'Infinity',
])

/** `b12`, `v3_c_t5`, `deg4_1_2out`, and the fixed short names of the generator. */
const ownName =
  /^(?:[a-z]\d+(?:_c)?(?:_t\d+)?|x_\d+|deg\d+_\d+_\d+[a-z]+|ec|rc|tm|so|rs|[qBRPZcstreu])$/
const token =
  /\s+|(\d[\d.]*(?:e[+-]?\d+)?n?)|([A-Za-z_$][\w$]*)|(\.)|([{}()[\];,<>=!+\-*/%&|^?:]+)/y

export function isKeyword(name: string): boolean {
  return keywords.has(name)
}

export function checkText(text: string): void {
  token.lastIndex = 0
  let property = false
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    assert(match !== null, `generated text has a character it may not have, at ${at}`)
    const [whole, , name, dot] = match
    if (whole.trim() === '') continue
    if (property) assert(propertyAllowed(name), `generated text reads a property at ${at}`)
    else if (name !== undefined) assert(nameAllowed(name), `generated text names ${name}`)
    property = dot !== undefined
  }
}

function propertyAllowed(name: string | undefined): boolean {
  return name === 'length' || (name !== undefined && isRuntimeName(name))
}

function nameAllowed(name: string): boolean {
  return keywords.has(name) || ownName.test(name) || isRuntimeName(name)
}
