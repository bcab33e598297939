/** JSON by lines: colours and indentation. What is wrong with a text, a language service says. */
import { StreamLanguage, type StringStream } from '@codemirror/language'

interface JsonState {
  /** Open brackets before the place reached. */
  depth: number
}

export const jsonLanguage = StreamLanguage.define<JsonState>({
  name: 'json',
  startState: () => ({ depth: 0 }),
  copyState: ({ depth }) => ({ depth }),
  token: (stream, state) => {
    if (stream.eatSpace()) return null
    const bracket = stream.match(/^[{}[\]]/)
    if (bracket === null) return plainToken(stream)
    state.depth = Math.max(0, state.depth + ('{['.includes(stream.current()) ? 1 : -1))
    return 'bracket'
  },
  indent: ({ depth }, textAfter, { unit }) =>
    Math.max(0, /^\s*[}\]]/.test(textAfter) ? depth - 1 : depth) * unit,
  languageData: { closeBrackets: { brackets: ['[', '{', '"'] }, indentOnInput: /^\s*[}\]]$/ },
})

function plainToken(stream: StringStream): string | null {
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
    return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
  }
  if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
  if (stream.match(/^(?:true|false|null)\b/)) return 'atom'
  const known = stream.match(/^[,:]/)
  if (known) return null
  stream.next()
  return 'invalid'
}
