/** What an editor has at once: history, the keys, and the colours of our tokens. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--q-k-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--q-k-str)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--q-k-num)' },
  { tag: [tags.comment, tags.meta], color: 'var(--q-k-com)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--q-k-type)' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--q-k-acc)' },
  { tag: tags.invalid, color: 'var(--q-bad)' },
])

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--q-surface)', color: 'var(--q-ink)' },
  '&.cm-focused': { outline: '2px solid var(--q-focus)', outlineOffset: '-2px' },
  // The gutters cover a part of it.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--q-focus)',
    pointerEvents: 'none',
  },
  '.cm-scroller': {
    fontFamily: 'var(--q-font-mono)',
    fontSize: 'var(--q-fs-13)',
    lineHeight: '1.55',
  },
  '.cm-content': { caretColor: 'var(--q-ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--q-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--q-surface)',
    color: 'var(--q-ink-3)',
    border: 'none',
    borderRight: '1px solid var(--q-line)',
  },
  // As wide before there is anything to mark.
  '.cm-gutter-lint': { width: '1.4em' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--q-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--q-k-selection)' },
  '.cm-activeLine.cm-line': { backgroundColor: 'transparent' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--q-accent-soft)',
    outline: '1px solid var(--q-line-2)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--q-accent-soft)' },
  '.cm-placeholder': { color: 'var(--q-ink-3)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--q-raised)',
    color: 'var(--q-ink)',
    border: '1px solid var(--q-line-2)',
    borderRadius: 'var(--q-r-2)',
    boxShadow: 'var(--q-sh-2)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--q-accent-soft)',
    color: 'var(--q-ink)',
  },
  '.cm-completionDetail': { color: 'var(--q-ink-2)', fontStyle: 'normal' },
  '.cm-panels': {
    backgroundColor: 'var(--q-raised)',
    color: 'var(--q-ink)',
    borderColor: 'var(--q-line)',
  },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--q-surface)',
    backgroundImage: 'none',
    border: '1px solid var(--q-field)',
    color: 'var(--q-ink)',
  },
  '.cm-hover': { padding: '5px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic': { fontFamily: 'var(--q-font)', padding: '5px 10px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--q-bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--q-warn)' },
})

/**
 * Typing over a selection is done here and not by the browser, which takes the colour of what it
 * removes along as a style of the line, and the editor leaves that there.
 */
const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const isTyped = inputType === 'insertText' && data !== null && !isComposing && !view.composing
    // Asked of the page: a selection made just now is not known to the editor yet.
    const selected = view.contentDOM.ownerDocument.getSelection()
    if (!isTyped || view.state.readOnly || view.state.selection.ranges.length > 1) return false
    if (selected === null || selected.isCollapsed) return false
    const { startContainer, startOffset, endContainer, endOffset } = selected.getRangeAt(0)
    const from = view.posAtDOM(startContainer, startOffset)
    const to = view.posAtDOM(endContainer, endOffset)
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})

export const baseExtensions: Extension = [
  typingOverSelection,
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  syntaxHighlighting(colors),
  look,
  keymap.of([
    ...defaultKeymap,
    ...historyKeymap,
    // Tab indents; Escape, then Tab, leaves the editor.
    indentWithTab,
  ]),
]

interface Settings {
  readonly label: string
  readonly placeholder: string
  readonly readOnly: boolean
}

export const settingExtensions = ({ label, placeholder, readOnly }: Settings): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-readonly': String(readOnly),
    'aria-multiline': 'true',
    spellcheck: 'false',
    // Editable text has the keyboard anyway; said so for checkers of scrolling regions.
    tabindex: '0',
  }),
  placeholder === '' ? [] : placeholderText(placeholder),
]
