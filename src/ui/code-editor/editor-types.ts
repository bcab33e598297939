/** What a page and the editor say to each other, in words that name no editor library. */

export interface EditorDiagnostic {
  /** Offsets in the text, `to` exclusive. */
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** A short source such as `SEM-45`. */
  readonly code?: string
}

export interface EditorCompletion {
  readonly label: string
  readonly kind: 'keyword' | 'type' | 'attribute' | 'edge' | 'accumulator' | 'variable' | 'function'
  readonly detail?: string
  readonly info?: string
  /** What is inserted; the label unless given. */
  readonly insert?: string
}

export interface EditorCompletions {
  /** Where the word begins that a choice replaces. */
  readonly from: number
  readonly options: readonly EditorCompletion[]
}

export interface EditorHover {
  readonly from: number
  readonly to: number
  readonly text: string
  /** A word that the manual explains. */
  readonly topic?: string
}

export interface LanguageService {
  diagnose(text: string): Promise<readonly EditorDiagnostic[]>
  complete?(text: string, offset: number, explicit: boolean): Promise<EditorCompletions | null>
  hover?(text: string, offset: number): Promise<EditorHover | null>
}
