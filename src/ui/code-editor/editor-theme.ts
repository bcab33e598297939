/** The editor in the colours of tokens.css, so that a theme switch needs nothing from here. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--q-code-keyword)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--q-code-type)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--q-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--q-code-number)' },
  { tag: tags.propertyName, color: 'var(--q-code-name)' },
  { tag: tags.comment, color: 'var(--q-code-comment)', fontStyle: 'italic' },
])

export const editorTheme = [
  syntaxHighlighting(highlight),
  EditorView.theme({
    '&': {
      height: '100%',
      backgroundColor: 'var(--q-surface)',
      color: 'var(--q-text)',
      fontSize: 'var(--q-size-md)',
    },
    '&.cm-focused': { outline: '2px solid var(--q-focus)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--q-font-mono)', lineHeight: '1.5' },
    '.cm-gutters': {
      backgroundColor: 'var(--q-sunken)',
      color: 'var(--q-faint)',
      borderRight: '1px solid var(--q-border)',
    },
    '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--q-accent) 6%, transparent)' },
    '.cm-activeLineGutter': { backgroundColor: 'var(--q-hover)', color: 'var(--q-text)' },
    '.cm-cursor': { borderLeftColor: 'var(--q-text)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--q-code-selection)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--q-raised)',
      color: 'var(--q-text)',
      border: '1px solid var(--q-border-strong)',
      borderRadius: 'var(--q-radius)',
      maxWidth: '480px',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--q-selected)',
      color: 'var(--q-text)',
    },
    '.cm-completionDetail': { color: 'var(--q-muted)', fontStyle: 'normal' },
    '.cm-diagnostic': { padding: '4px 8px', whiteSpace: 'pre-wrap' },
    '.cm-diagnosticSource': { color: 'var(--q-muted)' },
    '.cm-diagnostic-error': { borderLeft: '3px solid var(--q-danger)' },
    '.cm-diagnostic-warning': { borderLeft: '3px solid var(--q-warning)' },
    '.cm-hover': { padding: '4px 8px', fontFamily: 'var(--q-font-mono)', whiteSpace: 'pre-wrap' },
    '.cm-panels': { backgroundColor: 'var(--q-sunken)', color: 'var(--q-text)' },
    '.cm-matchingBracket': { backgroundColor: 'var(--q-selected)', outline: 'none' },
  }),
]
