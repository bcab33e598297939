/**
 * What helps while one writes, loaded once the text is on screen: brackets that close, completion,
 * search, and what a language service says, as promises from wherever it is worked out.
 */
import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  startCompletion,
} from '@codemirror/autocomplete'
import { linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, openSearchPanel, searchKeymap } from '@codemirror/search'
import { type Extension, Prec, type Text } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { manual } from '#lib/manual.ts'
import type { EditorCompletion, EditorDiagnostic, LanguageService } from './editor-types.ts'

export { openSearchPanel, startCompletion }

/** So many fit without a scroll bar; more are reached by typing on or by the arrow keys. */
const COMPLETIONS_SHOWN = 9

/** Typing has to rest so long before the text is looked at. */
const DIAGNOSE_DELAY_MS = 300

/** For a text without a service, too: brackets and search need none. */
export function assistance(service: LanguageService | null): Extension {
  return [
    closeBrackets(),
    highlightSelectionMatches(),
    // Before the plain keys: Backspace takes both brackets.
    Prec.high(keymap.of(closeBracketsKeymap)),
    keymap.of([...searchKeymap, ...lintKeymap]),
    service === null ? autocompletion() : serviceExtensions(service),
  ]
}

function serviceExtensions(service: LanguageService): Extension {
  return [
    lintGutter(),
    linter(
      async ({ state: { doc } }) => {
        const found = await service.diagnose(doc.toString())
        return marks([...found, ...(told.get(doc) ?? [])])
      },
      { delay: DIAGNOSE_DELAY_MS },
    ),
    service.complete === undefined ? autocompletion() : completion(service.complete.bind(service)),
    service.hover === undefined ? [] : hovering(service.hover.bind(service)),
  ]
}

/** What was found by another look; the service may be asked about the same text after it. */
const told = new WeakMap<Text, readonly EditorDiagnostic[]>()

export function markAll(view: EditorView, diagnostics: readonly EditorDiagnostic[]): void {
  told.set(view.state.doc, diagnostics)
  view.dispatch(setDiagnostics(view.state, marks(diagnostics)))
}

/** The cursor is put there, and its line at the top. */
export function bringToTop(view: EditorView, anchor: number): void {
  const effects = EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 12 })
  view.dispatch({ selection: { anchor }, effects })
}

function marks(diagnostics: readonly EditorDiagnostic[]) {
  return diagnostics.map(({ from, to, severity, message, code }) => ({
    from,
    to,
    severity,
    message,
    ...(code !== undefined && { source: code, renderMessage: () => explained(message, code) }),
  }))
}

const kinds: Readonly<Record<EditorCompletion['kind'], string>> = {
  keyword: 'keyword',
  type: 'class',
  attribute: 'property',
  edge: 'interface',
  accumulator: 'constant',
  variable: 'variable',
  function: 'function',
}

function completion(complete: NonNullable<LanguageService['complete']>): Extension {
  return autocompletion({
    maxRenderedOptions: COMPLETIONS_SHOWN,
    override: [
      async ({ state, pos, explicit }: CompletionContext) => {
        const found = await complete(state.doc.toString(), pos, explicit)
        if (found === null) return null
        return { from: found.from, options: found.options.map(option), validFor: /^[@\w]*$/ }
      },
    ],
  })
}

function option({ label, kind, detail, info, insert }: EditorCompletion) {
  return {
    label,
    type: kinds[kind],
    ...(detail !== undefined && { detail }),
    ...(info !== undefined && { info }),
    ...(insert !== undefined && { apply: insert }),
  }
}

function manualLink(address: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a')
  Object.assign(link, { href: address, target: '_blank', rel: 'noreferrer', textContent: text })
  return link
}

/** The message, with a link from its code to the entry of the manual. */
function explained(message: string, code: string): Node {
  const dom = document.createElement('span')
  dom.append(message)
  const address = manual.error(code)
  if (address !== null) dom.append(' ', manualLink(address, 'Explain'))
  return dom
}

function hovering(hover: NonNullable<LanguageService['hover']>): Extension {
  return hoverTooltip(async ({ state }, offset) => {
    const found = await hover(state.doc.toString(), offset)
    if (found === null) return null
    const create = () => {
      const dom = document.createElement('div')
      dom.className = 'cm-hover'
      dom.textContent = found.text
      if (found.topic !== undefined) {
        dom.append('\n', manualLink(manual.topic(found.topic), 'In the manual'))
      }
      return { dom }
    }
    return { pos: found.from, end: found.to, create }
  })
}
