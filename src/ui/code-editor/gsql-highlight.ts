/** Colours for GSQL: a token at a time, without a parse. Errors come from the real compiler. */
import { StreamLanguage, type StringStream } from '@codemirror/language'

const keywords = new Set(
  `accum and any api as asc avg by case catch collate create delete desc distinct distributed do
  else end exception false filter for foreach from graph group having if in insert install interpret
  intersect into is like limit log match minus not null offset or order per post-accum post_accum
  print query raise range replace return returns run sample select set syntax then to true try tuple
  typedef union update values when where while with break continue`.split(/\s+/),
)

const types = new Set(
  `int uint float double bool boolean string datetime vertex edge jsonobject jsonarray file bag list
  map sumaccum minaccum maxaccum avgaccum andaccum oraccum bitwiseandaccum bitwiseoraccum listaccum
  setaccum bagaccum mapaccum arrayaccum heapaccum groupbyaccum`.split(/\s+/),
)

interface State {
  inComment: boolean
}

function token(stream: StringStream, state: State): string | null {
  if (state.inComment) return blockComment(stream, state)
  if (stream.eatSpace()) return null
  if (stream.match('//') || stream.peek() === '#') {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match('/*')) {
    state.inComment = true
    return blockComment(stream, state)
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^@@?\w+'?/)) return 'propertyName'
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
  if (stream.match(/^post-accum\b/i)) return 'keyword'
  if (stream.match(/^[A-Za-z_]\w*/)) return wordStyle(stream.current().toLowerCase())
  stream.next()
  return /[-+*/%<>=!&|]/.test(stream.current()) ? 'operator' : 'punctuation'
}

function wordStyle(word: string): string | null {
  if (types.has(word)) return 'typeName'
  return keywords.has(word) ? 'keyword' : 'variableName'
}

function blockComment(stream: StringStream, state: State): string {
  if (stream.skipTo('*/')) {
    stream.match('*/')
    state.inComment = false
  } else {
    stream.skipToEnd()
  }
  return 'comment'
}

export const gsqlLanguage = StreamLanguage.define<State>({
  name: 'gsql',
  startState: () => ({ inComment: false }),
  token,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
})
