/**
 * Runs what is selected in the editor: the compiler says how it is to be read, and where it cannot be
 * run, why.
 */
import { useState } from 'react'
import type { CompilerClient } from '#compiler/compiler-client.ts'
import type { EditorDiagnostic } from '#ui/code-editor/editor-types.ts'
import { type ParameterField, readParameters } from './model/parameters.ts'
import type { LineRange, useQueryRun } from './use-query-run.ts'

interface SelectionRunOptions {
  readonly compiler: CompilerClient | null
  readonly fields: readonly ParameterField[]
  /** What was typed for the parameters. */
  readonly texts: ReadonlyMap<string, string>
  readonly runs: ReturnType<typeof useQueryRun>
  /** In the editor. */
  readonly text: string
}

export interface TextSelection {
  /** All that the editor shows. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export function useSelectionRun({ compiler, fields, texts, runs, text }: SelectionRunOptions) {
  const [refused, setRefused] = useState<Refused | null>(null)
  const { startedAt, status } = runs.run
  const isCurrent = refused?.text === text && refused.startedAt === startedAt
  return {
    isFree: status !== 'pending',
    /** Why the last selection was not run, until the text is another one or something runs. */
    error: isCurrent ? refused.error : null,
    /** Runs it, or returns what is wrong with it, at places of the whole text. */
    start: async (selection: TextSelection): Promise<readonly EditorDiagnostic[]> => {
      const { start, end } = selection
      const selected = selection.text.slice(start, end)
      const found = await compiler?.selection(selection.text, start, end)
      const own = found == null ? fields : fields.filter((field) => isNamed(found, field))
      const given = readParameters(own, texts)
      const problems = found?.problems ?? []
      if (problems.length > 0 || !given.ok) {
        const message = given.ok ? (found?.message ?? '') : wordsOf(given.problems)
        setRefused({ error: new Error(message), text: selection.text, startedAt })
        return problems
      }
      const used = own.map(({ name }): [string, string] => [name, texts.get(name) ?? ''])
      runs.start({
        parameters: given.values,
        texts: new Map(used),
        draft: found?.text ?? selected,
        lines: linesOf(selection),
      })
      return []
    },
  }
}

interface Refused {
  readonly error: Error
  /** The editor's, and the start of the last run, at that time. */
  readonly text: string
  readonly startedAt: number
}

const isNamed = (run: { readonly parameters: readonly string[] }, { name }: ParameterField) =>
  run.parameters.includes(name)

const wordsOf = (problems: ReadonlyMap<string, string>): string =>
  [...problems].map(([name, problem]) => `${name}: ${problem}`).join('\n')

/** Blank lines at its ends are not told of. */
function linesOf({ text, start, end }: TextSelection): LineRange {
  const selected = text.slice(start, end)
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length
  return {
    first: lineAt(end - selected.trimStart().length),
    last: lineAt(start + selected.trimEnd().length),
    before: lineAt(start) - 1,
  }
}
