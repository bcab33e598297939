/**
 * Languages for the editor, and the service behind one: diagnostics, completion and hover come as
 * promises from wherever they are worked out. Make an extension once per editor: it is compared by
 * identity.
 */
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { linter, lintGutter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'
import type {
  EditorCompletion,
  EditorCompletions,
  EditorDiagnostic,
  EditorHover,
} from './editor-types.ts'
import { gsqlLanguage } from './gsql-highlight.ts'
import { jsonLanguage } from './json-language.ts'

export interface LanguageService {
  diagnose(text: string): Promise<readonly EditorDiagnostic[]>
  complete?(text: string, offset: number, explicit: boolean): Promise<EditorCompletions | null>
  hover?(text: string, offset: number): Promise<EditorHover | null>
}

/** So many fit without a scroll bar; more are reached by typing on or by the arrow keys. */
const COMPLETIONS_SHOWN = 9

/** Typing has to rest so long before the text is looked at. */
const DIAGNOSE_DELAY_MS = 300

export function gsqlEditing(service: LanguageService): Extension {
  return [gsqlLanguage, serviceExtensions(service)]
}

export function jsonEditing(service?: LanguageService): Extension {
  return service === undefined ? jsonLanguage : [jsonLanguage, serviceExtensions(service)]
}

function serviceExtensions(service: LanguageService): Extension {
  return [
    lintGutter(),
    linter(async (view) => marks(await service.diagnose(view.state.doc.toString())), {
      delay: DIAGNOSE_DELAY_MS,
    }),
    service.complete === undefined ? [] : completion(service.complete.bind(service)),
    service.hover === undefined ? [] : hovering(service.hover.bind(service)),
  ]
}

function marks(diagnostics: readonly EditorDiagnostic[]) {
  return diagnostics.map(({ from, to, severity, message, code }) => ({
    from,
    to,
    severity,
    message,
    ...(code !== undefined && { source: code }),
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

function hovering(hover: NonNullable<LanguageService['hover']>): Extension {
  return hoverTooltip(async ({ state }, offset) => {
    const found = await hover(state.doc.toString(), offset)
    if (found === null) return null
    const create = () => {
      const dom = document.createElement('div')
      dom.className = 'cm-hover'
      dom.textContent = found.text
      return { dom }
    }
    return { pos: found.from, end: found.to, create }
  })
}
