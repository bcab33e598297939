/** What a run printed, as JSON. */
import { useMemo } from 'react'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import { CodeEditor } from '#ui/code-editor/code-editor.tsx'
import type { RunAnswer } from '../api/queries.ts'
import classes from '../queries-page.module.css'

interface ResultJsonProps {
  readonly answer: RunAnswer
  readonly name: string
}

/** In the editor, which draws only the lines in sight: a result may have a million. */
export function ResultJson({ answer, name }: ResultJsonProps) {
  const text = useMemo(() => stringifyLossless(answer.printed, 2), [answer])
  return (
    <div className={classes.json}>
      <CodeEditor
        label={`Result of ${name} as JSON`}
        value={text}
        readOnly
        height="100%"
        language="json"
      />
    </div>
  )
}
