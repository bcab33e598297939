import { getIndentation, syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { jsonLanguage } from './json-language.ts'

function stateOf(doc: string): EditorState {
  return EditorState.create({ doc, extensions: [jsonLanguage] })
}

function tokensOf(doc: string): string[] {
  const tokens: string[] = []
  syntaxTree(stateOf(doc)).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Document') tokens.push(`${name} ${doc.slice(from, to)}`)
    },
  })
  return tokens
}

describe('jsonLanguage', () => {
  it('tells names from strings, and marks what is no JSON', () => {
    const tokens = tokensOf('{"a\\"b" : "c", "d": -1.5e3, "e": true, x}')
    expect(tokens).toContain('propertyName "a\\"b"')
    expect(tokens).toContain('string "c"')
    expect(tokens).toContain('number -1.5e3')
    expect(tokens).toContain('atom true')
    expect(tokens).toContain('invalid x')
  })

  it('indents by the brackets that are open', () => {
    const doc = '{\n"a": [\n1\n]\n}'
    const state = stateOf(doc)
    const indents = [1, 2, 3, 4, 5].map((line) => getIndentation(state, state.doc.line(line).from))
    expect(indents).toEqual([0, 2, 4, 2, 0])
  })
})
